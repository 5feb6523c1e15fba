// Package features turns a table of measurements into the numbers that an encoder reads: one vector
// per row and one per column.
//
// # Design
//
// A network that sees only raw values spends its first hours learning what a few least-squares fits
// show at once. The vectors hold the values in three forms. Sign and logarithm keep the absolute
// scale, which exp, sin and sums need. Standardised values make training start fastest. The vectors
// also hold the results of eight ridge regressions. Each regression fits y or log|y| to the columns
// or to their logarithms, with linear or with all quadratic terms. The slopes of log|y| on
// logarithms are the exponents of a monomial. If the mixed second-order coefficient of two columns
// vanishes in the logarithms, the columns enter the law as a product. If it vanishes in the values,
// they enter as a sum.
//
// The vectors do not depend on the order of the rows, up to rounding. If a table has more rows than
// Shape.Points, the rows at quantiles of the target represent it. With Series the rows keep their
// order, and evenly spaced rows are used.
//
// The package is plain Go and does not depend on a backend.
package features
