// Package regression fits the constants of a given formula to a table. It reports constants with
// standard errors and correlations, χ² per degree of freedom, residuals, and whether the data
// determine all constants.
//
// # Errors
//
// The errors of the target are equal and unknown, proportional to the target, those of counts, or
// given for each row. Unknown errors are estimated from the residuals, which scales the covariance
// by χ²/ν. Given errors are absolute unless Settings.Scale is set.
//
// Columns may have errors, too. The effective variance (J. Orear, Am. J. Phys. 50 (1982) 912)
// minimizes
//
//	χ² = Σ (y − f)²/(σ_y² + Σ_j (∂f/∂x_j)²·σ_j²),
//
// and orthogonal distance regression (P. T. Boggs, R. H. Byrd and R. B. Schnabel, SIAM J. Sci.
// Stat. Comput. 8 (1987) 1052) finds the true x of each row as well:
//
//	χ² = Σ min_δ (y − f(x + δ))²/σ_y² + Σ_j δ_j²/σ_j².
//
// # Robust losses
//
// A few rows with far larger errors than stated distort a least squares fit. A [Loss] grows more
// slowly with their residuals. Definitions and the covariance are those of scipy.
//
// # Method
//
// Without bounds, errors of columns and robust loss, package fit fits the constants from several
// starts. Otherwise Levenberg–Marquardt steps are projected onto the bounds, and constants that a
// bound stops are held. A constant at its bound has no standard error. Those of the others are
// conditional on its value.
package regression
