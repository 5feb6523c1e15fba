// Package regression fits the constants of a given formula to a table. It reports the constants
// with standard errors and correlations, χ² per degree of freedom, the residuals, and whether the
// data determine all constants.
//
// # Errors
//
// There are four kinds of errors of the target: equal and unknown, proportional to the target,
// those of counts, or given for each row. The size of unknown errors is estimated from the
// residuals: the covariance is multiplied by χ²/ν. Given errors are absolute unless Settings.Scale
// is set.
//
// Columns may have errors as well. There are two methods. The effective variance (J. Orear, Am. J.
// Phys. 50 (1982) 912) minimizes
//
//	χ² = Σ (y − f)²/(σ_y² + Σ_j (∂f/∂x_j)²·σ_j²).
//
// Orthogonal distance regression (P. T. Boggs, R. H. Byrd and R. B. Schnabel, SIAM J. Sci. Stat.
// Comput. 8 (1987) 1052) also finds the true x of each row:
//
//	χ² = Σ min_δ (y − f(x + δ))²/σ_y² + Σ_j δ_j²/σ_j².
//
// # Robust losses
//
// A few rows with much larger errors than stated distort a least-squares fit. A robust [Loss] grows
// more slowly than the square of such large residuals. The definitions of the losses and of the
// covariance are those of scipy.
//
// # Method
//
// If there are no bounds, no errors of columns and no robust loss, package fit fits the constants
// from several sets of starting values. Otherwise Levenberg–Marquardt steps are projected onto the
// bounds, and a constant that reaches a bound is held fixed. A constant at its bound has no
// standard error. The standard errors of the other constants are conditional on this bound.
package regression
