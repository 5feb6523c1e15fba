// Package group finds one law for several groups of rows, such as two states of an enzyme, four
// patients, or a gas at three temperatures. The form of the law is the same in all groups. Each of
// its constants is either shared by all groups, or has a separate value for each group.
//
// # Method
//
// Package discover searches the rows of all groups together, and those of the largest groups
// separately. Each form found is fitted to every group. The best forms are fitted to all rows with
// each choice of shared constants. The choice with the shortest description length is used (package
// mdl). A separate constant costs bits for each group, which pays off if the groups differ by more
// than their errors. For each constant, one bit states whether it is shared.
package group
