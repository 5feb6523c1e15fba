// Package fit finds the constants of a law by least squares: it minimizes
//
//	RSS(c) = Σ w·(y - f(x; c))²
//
// over the free constants c of an expression. It also reports how well the data determine them.
//
// # Method
//
// Linear constants cₖ, as in y = f₀(θ) + Σ cₖ·fₖ(θ), are recognized in the tree. For every θ, the
// least-squares values of the cₖ are calculated exactly (variable projection: G. H. Golub and V.
// Pereyra, SIAM J. Numer. Anal. 10 (1973) 413). The other constants, θ, are found by
// Levenberg–Marquardt steps scaled by the columns of the Jacobian (J. J. Moré, Lecture Notes in
// Mathematics 630 (1978) 105). The Jacobian is approximated as in L. Kaufman (BIT 15 (1975) 49).
// With this Jacobian, a step is the Gauss–Newton step of the whole problem after the linear
// constants are eliminated.
//
// All linear systems are solved by one orthogonal factorization of [fₖ | ∂f/∂θ | y - f]. The
// factorization is updated with one block of rows after the other, so that a million rows need no
// more memory than a thousand.
//
// # Starting values
//
// If the fit from the given starting values is bad, other starting values are drawn at random. The
// data suggest the scale for each constant: 1/RMS(x) for c in exp(c*x), and the median of x for c
// in x - c. These starting values are compared after the linear constants are solved for, and the
// best are refined. Further starting values come from fits of transformed laws that have more
// linear constants. The transformations are the inverse of the law's last operation, the reciprocal
// of a quotient, and the logarithm of a product.
//
// # Standard errors
//
// The covariance is s²(JᵀWJ)⁻¹. Without weights, the residual variance s² = RSS/(rows - constants)
// is estimated from the fit. With weights, each weight must be 1/σ² of its row. The errors are then
// absolute, and s² = 1. Constants that the data do not determine have an infinite standard error.
// Examples are c0 and c1 in c0*c1*x, and a factor of a column that is zero.
package fit
