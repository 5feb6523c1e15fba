// Package lawfile reads and writes law files. A law file is a JSON object with the result of a
// search or a fit. It contains all that is needed to use the law, to cite it, and to continue the
// search.
//
// [Read] and [File.Chosen] return the law of a file. To write a file, fill a [File]: [Describe]
// makes its Table, a law.Law converts to a [Law], and [File.Encode] returns the JSON.
//
// # Schema, version 1
//
// The key physlib_law is the version of the schema. A reader accepts its own version and older
// ones, and ignores unknown keys. Numbers that are not finite are null.
//
//	physlib_law   1
//	version       program that wrote the file: release or commit, and Go version
//	created       when the search or fit began, RFC 3339
//	table         name, sha256, rows, target, columns and known constants of the table
//	target, rows  copies of those in table
//	best          the chosen law; null if no law is better than a constant
//	front         laws by rising complexity, including best
//	outliers      rows of the file that were excluded
//	verdict       how certain the law is, in words, and why
//	probability   probability that best has the right form; null: unknown
//	errors        error model of best: equal, proportional, counting, given, heavy-tailed, …
//	known_laws    known laws that fit the table
//	stopped       why the search ended: exact, settled, exhausted, time, evaluations, interrupted;
//	              fit if a formula was given
//	seconds, evaluations, seed
//
// A column has the keys name, unit, low and high; the last two are the range of its values. A column
// of dates or times of day also has the key since, the moment of the value 0. sha256 is the hash of
// names, units and values. It does not depend on the standard errors of the target, nor on the name
// and format of the table's file; see [Hash].
//
// # Laws
//
// A law has these keys:
//
//	law, sympy, latex, go         its text with constants inserted
//	complexity, r2, rmse          measures of the law
//	units_ok                      whether the dimensions balance
//	score                         description length in bits
//	constants                     name, value, stderr, unit, exact and hint of each constant
//	covariance                    covariance of the constants, row by row
//	errors, noise                 model and size of the target's errors
//	dof                           degrees of freedom of noise; absent if the errors were given
//	proposer                      the Proposer that found the law
//	scored                        form that score belongs to, if it is not that of tree
//	si                            the law in SI units with known constants, if there are any
//	tree                          infix with constants c0, c1, …, vars and target; from this key
//	                              the law is read back exactly
//
// # Other kinds of files
//
// Files of physlib fit also have the key fit: formula, chi2, nu (degrees of freedom), absolute (the
// errors were given), p, at_bound, correlation, and residuals in standard errors. For a robust
// loss, loss is its name and f_scale its scale.
//
// Files of one law for several groups also have the key groups: column, names, shared (constants
// that are equal in all groups), and laws, one for each name. In these files best is null.
//
// Files with laws of motion have the key equations instead of best and front. Each equation has
// state, rate, law, error, noise, front, rivals, probability and verdict. last is the state at the
// end of the last run, and slope its derivative there. The file has order, time, end, driven, runs,
// whole_runs, window, and the covariance of the constants of all equations, one equation after the
// other. The key separate lists constants with separate values in groups of runs: name, groups,
// values and stderr. In the laws they are columns.
package lawfile
