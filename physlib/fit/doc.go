// Package fit finds the constants of a law by least squares: it minimizes
//
//	RSS(c) = Σ w·(y - f(x; c))²
//
// over the free constants c of an expression, and returns how well the data determine them.
//
// # Method
//
// Constants that enter linearly, y = f₀(θ) + Σ cₖ·fₖ(θ), are found in the tree and solved for
// exactly at every θ (variable projection: G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10
// (1973) 413). The others, θ, are found by Levenberg–Marquardt steps scaled by the columns of the
// Jacobian (J. J. Moré, Lecture Notes in Mathematics 630 (1978) 105). The Jacobian is in the
// approximation of L. Kaufman (BIT 15 (1975) 49). So a step is the Gauss–Newton step of the whole
// problem with c eliminated. All linear algebra is one orthogonal factorization of [fₖ | ∂f/∂θ | y
// - f]. It is updated block by block of rows, so that a million rows need no more memory than a
// thousand.
//
// If the fit from the given start is bad, further starts are drawn at the scale that the data
// suggest for each constant: 1/RMS(x) for c in exp(c*x), and the median of x for c in x - c. They
// are compared after the linear solve alone, and the best are refined. Other starts are fits of
// transformed laws with more linear constants. The transformations are the inverse of the law's
// last operation, the reciprocal of a quotient and the logarithm of a product.
//
// # Standard errors
//
// The covariance is s²(JᵀWJ)⁻¹. Without weights the residual variance s² = RSS/(rows - constants)
// is estimated from the fit. Weights must be 1/σ² of each row. Then the errors are absolute: s² =
// 1. Constants that the data do not determine (c0*c1*x, or a factor of a column that is zero) get
// an infinite standard error.
package fit
