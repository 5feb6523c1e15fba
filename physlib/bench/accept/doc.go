// Package accept judges whether a scientist accepts a law that was found in a table of
// measurements.
//
// # Accepted forms
//
// A [Form] is an expression with free constants c0, c1, …. Its constants are fitted to the table by
// least squares from many starting values. Those that enter linearly are solved for exactly. A
// [Reference] is a form with this fit.
//
// # Equal up to constants
//
// A law has an accepted form if some constants turn the form into the law. To find such constants,
// the form is fitted to the predictions of the law: at the rows, at points between rows, and on
// ranges 1.5 times as wide. Law and form agree if the difference is below 1e-6 of the value
// everywhere, or of 1 % of the RMS where that is larger. With noise, 0.02 of its standard deviation
// is enough, and 0.1 on the wider ranges.
//
// Special cases, such as an offset of 0 or an exponent of 1, are accepted only if the data allow
// them. To decide this the law is fitted again. The BIC of the law may exceed that of the form by
// at most 10. The table does not state whether its errors are equal or relative. If no constant of
// the form vanishes, this condition need hold for only one of these two kinds of errors.
//
// # Bayesian information criterion
//
//	BIC = n ln(RSS/n) + k ln n
//
// Here n is the number of rows, and RSS the residual sum of squares. The residuals in RSS depend on
// the kind of errors. For equal errors, a residual is law minus value. For relative errors, this
// difference is divided by the value. For log-normal errors, a residual is the difference of the
// logarithms of law and value. If standard errors are known, the BIC is χ² + k ln n. Rows known to
// be wrong are excluded. k counts the constants of a law that are not exact numbers, and unusual
// exponents (x**32, x**(11/8)).
//
// # Limits
//
// A law that numerically equals a form, such as c*sin(1e-4/x)**2 and c/x**2, counts as the form. An
// alias of an oscillation counts as the form with wrong constants. A straight line may pass as the
// limit of a curve whose constant goes to 0, as in c0*sinh(c1*x); Verdict.ConstantsOK is false
// then.
package accept
