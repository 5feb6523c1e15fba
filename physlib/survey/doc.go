// Package survey enumerates the forms that a law may have. A form is an expression whose numbers
// are free constants. Each form appears once, and the most likely ones under a prior come first.
// Exhaustive symbolic regression (Bartlett, Desmond and Ferreira 2022) fits all of them to a table;
// for small tables this takes seconds.
//
// # Design
//
// The enumeration starts from variables and constants. Each iteration combines the most likely
// forms known so far with all operators. It keeps expressions that are still new after rewriting
// and after merging constants (expr.Tree.MergeParams). The number of forms that an iteration
// combines is limited, so the list is complete only for the most likely forms.
package survey
