// Package lawfile reads and writes law files. One JSON object holds the result of a search or a
// fit. It is enough to use the law, to cite it, and to go on from it.
//
// # Schema, version 1
//
// The key physlib_law is the version of the schema. A reader accepts its own version and older
// ones; keys that it does not know are no error. Numbers that are not finite are null.
//
//	physlib_law   1
//	version       program that wrote the file: release or commit, and Go version
//	created       when the search or fit began, RFC 3339
//	table         name, sha256, rows, target, columns and known constants of the table
//	target, rows  once more, for short
//	best          the chosen law; null where nothing is better than a constant
//	front         laws by rising complexity, best among them
//	outliers      rows of the file that were left out
//	verdict       how sure the law is, in words, and why
//	probability   that best has the right form; null: not known
//	errors        error model of best: equal, proportional, counting, given, heavy-tailed, …
//	known_laws    laws with a name that fit the table
//	stopped       why the search ended: exact, settled, exhausted, time, evaluations, interrupted;
//	              fit where a formula was given
//	seconds, evaluations, seed
//
// A column has name, unit, low and high, the range of its values. The sha256 is that of names,
// units, values and given errors, whatever the file's name and format; see [Hash].
//
// A law has law, sympy, latex and go (the law as text, constants inserted), complexity, r2, rmse,
// units_ok and score (description length in bits). Its constants have name, value, stderr, unit,
// exact and hint, and a covariance by rows. errors and noise are model and size of the target's
// errors. dof are the degrees of freedom of noise, none where the errors were given. proposer and
// tree follow. With tree a law reads back exactly: infix with constants c0, c1, …, vars, target.
//
// Files of physlib fit also have fit: formula, chi2, nu (degrees of freedom), absolute (the errors
// were given), p, at_bound, correlation, and residuals in standard errors. A robust loss adds its
// name loss and its scale f_scale.
//
// Files of one law for several groups also have groups: column, names, shared (constants that are
// equal in all groups) and laws, one for each name. best is null.
//
// Laws of motion have equations in place of best and front. Each has state, rate, law, error,
// noise, front and last, the state at the end of the last run. The file has order, time, end, runs,
// whole_runs, window, and covariance of all constants in their order.
package lawfile
