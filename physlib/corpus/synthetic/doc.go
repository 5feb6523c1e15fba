// Package synthetic draws small tables of measurements whose law is known. They resemble the tables
// of users: few rows, inputs on a grid or scattered, several kinds of errors, rounded values.
// Nothing was tuned on these tables, so they test the probabilities that a search states: of the
// laws with 90 %, nine of ten should be right.
//
// # Laws
//
// [Draw] takes 60 % of the laws from the catalogue of package corpus and 30 % from the random laws
// of package corpus/stream. The other tables are pure noise. In a table of a law of the catalogue,
// either all variables of the law are columns, or only one or two. The other variables and the
// parameters are constants drawn from their ranges, and the table does not show them.
//
// # Tables
//
// Tables have 6 to 60 rows, more often few. Inputs cover a part of their range as a grid, as a
// logarithmic grid, with repeats, or at random, and are rounded. Errors are equal, proportional,
// those of counts, heavy-tailed, or only those of rounding. Their size is 0.1 to 10 % of the
// target, which is rounded to 2 to 5 digits (3 to 6 if rounding is the only error). Some tables
// have units, an offset of the target, a column without effect, or a known standard error of the
// target.
//
// A table is drawn again if the effect of the law, or of one of its columns, does not exceed the
// errors.
//
// # Accepted form
//
// [Table.Form] is the law with a free overall factor and with free constants in place of its
// numbers. Exponents, ones, and numbers that a fit cannot distinguish from other constants are not
// replaced. So 1/2*m*v**2 becomes c0*m*v**2.
package synthetic
