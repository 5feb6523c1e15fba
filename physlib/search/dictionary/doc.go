// Package dictionary lists the building blocks of laws by rising cost.
//
// A [Pool] enumerates expressions of the variables of a view: monomials, functions of them, and
// sums and products of its own expressions; allFns lists the functions. Expressions with equal
// values occur once. A [Feature] is a monomial times a power of such an expression. Package match
// chooses among streams of features: [Pool.Terms] for sums and for the terms of a denominator,
// [Pool.Factors] for products. A [Writer] writes expressions and features as trees with free
// constants.
package dictionary
