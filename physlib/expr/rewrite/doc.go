// Package rewrite writes expressions in other forms: shorter, tidier, or with the constants where
// people put them.
//
// # Design
//
// Each function takes a tree and returns one with the same values wherever both are defined, unless
// its comment says otherwise. What all users of trees need, such as the canonical form, belongs to
// package expr; a rewriting here serves a certain use. Free constants keep their slots unless a
// function says otherwise. Each file holds one rewriting:
//
//	tidy.go       a law as people write it: signs, fraction bars, roots
//	clear.go      denominators of sums cleared
//	fold.go       terms and factors without effect removed: + 0, · 1
//	spread.go     powers of products factor by factor
//	pi.go         π above and below a fraction bar cancelled
//	decimal.go    T + 273.15 for 20*T + 5463
//	relation.go   a column replaced by another one that is a linear function of it
//	michaelis.go  a constant before a quotient, as in Michaelis-Menten kinetics
package rewrite
