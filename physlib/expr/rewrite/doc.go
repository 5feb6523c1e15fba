// Package rewrite writes expressions in other forms: shorter, tidier, or with the constants where
// people put them.
//
// # Design
//
// Each function takes a tree and returns one with the same values wherever both are defined. What
// is exact for all trees, such as the canonical form, belongs to package expr; here is what a
// certain use needs. Free constants keep their slots unless a function says otherwise. One file
// holds one rewriting:
//
//	tidy.go       a law as people write it: signs, fraction bars, roots
//	clear.go      denominators of sums cleared
//	fold.go       what a zero or a one makes idle left out
//	spread.go     powers of products factor by factor
//	pi.go         π above and below a bar cancelled
//	michaelis.go  a constant before a quotient, as in Michaelis-Menten kinetics
package rewrite
