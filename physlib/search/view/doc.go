// Package view expresses a problem in other variables.
//
// A [Space] is the problem at a sample of its rows. With units, the laws have the form M₀·f(Π₁, Π₂,
// …), with a monomial M₀ of the target's dimension and a few dimensionless Π groups (Buckingham's
// theorem). The [Lattice] lists the dimensionless monomials by cost. Without units, it lists all
// monomials of the variables.
//
// A [Reduction] is the problem that remains after the symmetries of its data are used. Factors are
// divided out, variables that occur only as a difference are merged, and variables that scale
// together get new base units. [Reduction.Restore] rewrites a law of the reduced problem as one of
// the whole problem. For exact data, [Reduce] finds the symmetries with a polynomial. For data with
// errors, [Noisy] finds them with Gaussian processes (package gaussian).
//
// [Irrelevant] selects the columns of a wide table that are left out.
//
// # Symmetries
//
// If units are missing, the data can show the same scalings that units would imply (Constantine,
// del Rosario and Iaccarino, arXiv:1708.04303, 2017). A law that is homogeneous,
//
//	y(λ^d₁ x₁, …, λ^dₙ xₙ) = λ^a y(x₁, …, xₙ),
//
// obeys Euler's equation Σ dᵢ ∂y/∂log xᵢ = a·y everywhere. A law that depends on two variables only
// through their difference or sum obeys ∂y/∂xᵢ ± ∂y/∂xⱼ = 0.
//
// A smooth function is fitted to the target: a polynomial (surrogate.go) or a Gaussian process
// (smooth.go). Symmetries that its derivatives nearly satisfy are proposed. For a scaling these are
// small whole numbers dᵢ that nearly satisfy Euler's equation. A test on the target itself then
// decides.
package view
