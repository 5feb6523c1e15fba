// Package lawfile reads and writes law files. A law file is one JSON object with the result of a
// search or a fit. It has all that is needed to use the law, to cite it, and to continue from it.
//
// # Schema, version 1
//
// The key physlib_law is the version of the schema. A reader accepts its own version and older
// ones, and ignores keys that it does not know. Numbers that are not finite are null.
//
//	physlib_law   1
//	version       program that wrote the file: release or commit, and Go version
//	created       when the search or fit began, RFC 3339
//	table         name, sha256, rows, target, columns and known constants of the table
//	target, rows  copies of those in table
//	best          the chosen law; null if no law is better than a constant
//	front         laws in ascending order of complexity, including best
//	outliers      rows of the file that were excluded
//	verdict       how certain the law is, in words, and why
//	probability   that best has the right form; null: not known
//	errors        error model of best: equal, proportional, counting, given, heavy-tailed, …
//	known_laws    named laws that fit the table
//	stopped       why the search ended: exact, settled, exhausted, time, evaluations, interrupted;
//	              fit if a formula was given
//	seconds, evaluations, seed
//
// A column has name, unit, and low and high, the range of its values. The sha256 is that of names,
// units, values and given errors, independent of the file's name and format; see [Hash].
//
// A law has law, sympy, latex and go (its text with constants inserted), complexity, r2, rmse,
// units_ok and score (description length in bits). Its constants have name, value, stderr, unit,
// exact and hint. covariance is that of the constants, by rows. errors and noise are the model and
// size of the target's errors. dof are the degrees of freedom of noise, absent if the errors were
// given. proposer and tree follow. tree has infix with constants c0, c1, …, vars and target; with
// it a law reads back exactly.
//
// Files of physlib fit also have fit: formula, chi2, nu (degrees of freedom), absolute (the errors
// were given), p, at_bound, correlation, and residuals in standard errors. For a robust loss, loss
// is its name and f_scale its scale.
//
// Files of one law for several groups also have groups: column, names, shared (constants that are
// equal in all groups) and laws, one for each name. best is null.
//
// Laws of motion have equations in place of best and front. Each has state, rate, law, error,
// noise, front and last, the state at the end of the last run. The file has order, time, end, runs,
// whole_runs, window, and covariance, that of the constants of all equations in order.
package lawfile
