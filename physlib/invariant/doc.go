// Package invariant finds implicit laws g(x, y, …) = 0 that all rows of a table satisfy, and
// quantities that trajectories conserve, such as energy and angular momentum.
//
// # Method
//
// An invariant is a sum of few terms, g = Σ c_k·φ_k. The terms are from a library of products,
// powers, logarithms, sines and cosines of the columns. An invariant is constant in each run (a
// sequence of rows such as one trajectory), but would not be constant if the columns were
// unrelated. For given terms, the coefficients minimize
//
//	Σ (g − mean)² / Σ' (g − mean)².
//
// The second sum is over rows in which each column is shuffled within runs. This minimization is a
// generalized eigenvalue problem. A function that depends on only one column, or hardly varies at
// all, does not make the ratio small. No derivative with respect to time is needed, so noise does
// little harm. Terms are chosen by a beam search.
//
// The best sums are refined. Each row is weighted by the gradient of the sum at this row (P. D.
// Sampson, Comput. Graph. Image Process. 18 (1982) 97), which gives standard errors. The sums are
// compared by
//
//	(n − r)·log₂ ε + ½(k − 1)·log₂ n + 1.6·form,
//
// where n is the number of rows, r that of runs, k that of terms, and form the bits of the terms. ε
// is the distance of the rows from the set where g is constant, relative to that of shuffled rows.
// A second invariant counts if its gradient is independent of that of the first.
package invariant
