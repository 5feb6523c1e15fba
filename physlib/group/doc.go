// Package group finds one law for several groups of rows, such as two states of an enzyme, four
// patients, or a gas at three temperatures. The form of the law is the same in all groups. Each of
// its constants is either shared by all groups, or has a separate value for each group.
//
// # Method
//
// Package discover searches the rows of all groups together, and those of the largest groups
// separately. Each form found is fitted to every group. The best forms are fitted to all rows with
// each choice of shared constants. The description length in bits decides (package mdl). A constant
// with separate values has bits for each group, which is worth it if the groups differ by more than
// their errors. A choice has one bit for each constant.
//
// Of many groups, 24 are treated in this way. The other ones get the form and the shared constants
// of these, and separate constants that are fitted to their rows alone.
package group
