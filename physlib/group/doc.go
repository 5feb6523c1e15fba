// Package group finds one law for several groups of rows, such as two states of an enzyme, four
// patients, or a gas at three temperatures. The form of the law is the same in all groups. Each of
// its constants is either shared by all groups, or has a separate value for each group.
//
// # Method
//
// Package discover searches the rows of all groups together, and those of the largest groups
// separately. Each form found is fitted to every group. The best forms are fitted to all rows with
// each choice of shared constants. The law with the shortest description length in bits is chosen
// (package mdl). A constant with separate values costs bits for each group. Such a constant
// shortens the description only if the groups differ by more than their errors. The choice of
// shared constants costs one bit for each constant.
//
// If there are more than 24 groups, 24 of them are treated in this way. The law of each other group
// has the same form and the same shared constants. Its separate constants are fitted to the rows of
// this group.
package group
