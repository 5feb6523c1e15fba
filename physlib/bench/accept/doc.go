// Package accept judges whether a law found in a table of measurements is a form that a scientist
// accepts for it.
//
// # Accepted forms
//
// A [Form] is an expression with free constants c0, c1, …. Its constants are fitted to the table by
// least squares from many starts. Those that enter linearly are solved for exactly. A [Reference]
// is a form with this fit.
//
// # Equal up to constants
//
// A law is an accepted form if constants of the form exist that turn it into the law. They are
// fitted to the predictions of the law at the rows, between them, and on ranges 1.5 times as wide.
// The two agree if the difference is below 1e-6 of the value everywhere. With noise, 0.02 of its
// standard deviation is enough, 0.1 on the wider ranges.
//
// Special cases, such as an offset of 0 or an exponent of 1, are accepted only where the data allow
// them. The law is fitted again for this, and may be at most 10 units of BIC worse than the form.
// If no constant of the law vanishes, either kind of errors, equal or relative, will do: the table
// does not state which it has.
//
// # Bayesian information criterion
//
//	BIC = n ln(RSS/n) + k ln n
//
// Residuals are in units of the value (relative errors), of its logarithm (log-normal ones) or of
// one common error (equal ones). Where standard errors are given it is χ² + k ln n. Rows known to
// be wrong are left out. k counts the constants of a law that are not exact numbers, and unusual
// exponents (x**32, x**(11/8)).
//
// # Limits
//
// A numerically irrelevant disguise of a form, such as c*sin(1e-4/x)**2 for c/x**2, counts as the
// form. An alias of an oscillation is the form with wrong constants. A straight line may pass as
// the limit of a curve whose constant goes to 0, as in c0*sinh(c1*x); Verdict.ConstantsOK shows it.
package accept
