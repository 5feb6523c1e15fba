// Package features turns a table of measurements into the numbers that an encoder reads: one vector
// per row and one per column.
//
// # Design
//
// A network that sees only raw values spends its first hours learning what a few least-squares fits
// show at once. The vectors hold the values in three forms. Sign and logarithm keep the absolute
// scale, which exp, sin and sums need. Standardised values make training start fastest. The vectors
// also hold the results of eight ridge regressions. These are of y and of log|y|, on the columns
// and on their logarithms, with linear and with all quadratic terms. The slopes of log|y| on
// logarithms are the exponents of a monomial. If a mixed second-order coefficient vanishes, two
// columns enter as a product (in logarithms) or as a sum (in values).
//
// The vectors do not depend on the order of the rows, up to rounding. If a table has more rows than
// Shape.Points, the rows at quantiles of the target represent it. With Series the rows keep their
// order, and evenly spaced rows are used.
//
// The package is plain Go and does not depend on a backend.
package features
