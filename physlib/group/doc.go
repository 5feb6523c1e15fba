// Package group finds one law for several groups of rows: two states of an enzyme, four patients, a
// gas at three temperatures. The form of the law is the same in all groups. Each of its constants
// is the same in all of them, or has a value for each.
//
// # Method
//
// The rows of all groups together, and those of the largest groups by themselves, are searched with
// package discover. Each form found is fitted to every group, and the best of them to all rows with
// each choice of constants that are shared. The description length in bits decides (package mdl). A
// constant for each group costs bits in each, and is worth it if the groups differ by more than
// their errors. A choice costs one bit for each constant.
package group
