// Package features turns a table of measurements into the numbers that an encoder reads: one vector
// a row, one vector a column.
//
// # Design
//
// A network that sees only raw values spends its first hours learning what a few least-squares fits
// show at once. The vectors hold the values in three forms. Sign and logarithm keep the absolute
// scale that exp, sin and sums need; standardised values start training fastest. They also hold the
// statistics of eight ridge regressions. These are of y and of log|y|, on the columns and on their
// logarithms, with linear and with all quadratic terms. The slopes of log|y| on logarithms are the
// exponents of a monomial. If a mixed second-order coefficient vanishes, two columns enter as a
// product (in logarithms) or as a sum (in values).
//
// Everything is invariant to the order of the rows up to rounding. Of a table with more rows than
// Shape.Points, rows at quantiles of the target are used. A Series keeps its order, and evenly
// spaced rows of it.
//
// The package is plain Go and knows of no backend.
package features
