// Package rewrite writes expressions in other forms: shorter, tidier, or with the constants where
// people usually put them.
//
// # Design
//
// Each function returns a tree with the same values as its argument wherever both are defined,
// unless its comment says otherwise. Rewriting that all users of trees need, such as the canonical
// form, is in package expr; each function here has a special use. Free constants keep their slots
// unless a function says otherwise. Each file contains one kind of rewriting:
//
//	tidy.go       a law as people write it: signs, fraction bars, roots
//	clear.go      denominators in sums cleared
//	common.go     another common factor taken out of a sum
//	fold.go       terms and factors without effect removed: + 0, · 1
//	short.go      numbers with fewer digits
//	spread.go     powers of products factor by factor
//	pi.go         π above and below a fraction bar cancelled
//	decimal.go    T + 273.15 for 20*T + 5463
//	relation.go   a column replaced by another one that is a linear function of it
//	michaelis.go  a constant before a quotient, as in Michaelis-Menten kinetics
//	shared.go     c·(f - 1) for c·f - c
//	logarithm.go  k/log(10) for the number k/ln 10, as in laws of decibels and pH
package rewrite
