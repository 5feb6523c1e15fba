// Package invariant finds implicit laws g(x, y, …) = 0 of all rows of a table. It also finds
// quantities that trajectories conserve, such as energy and angular momentum.
//
// # Method
//
// An invariant is a sum of few terms, g = Σ c_k·φ_k, from a library of products, powers,
// logarithms, sines and cosines of the columns. It is constant in each run, and would not be if the
// columns had nothing to do with one another. For given terms, the coefficients minimize
//
//	Σ (g − mean)² / Σ' (g − mean)²,
//
// where the second sum is over columns that are shuffled within runs: a generalized eigenvalue
// problem. A function of one column only, or one that hardly varies anywhere, gains nothing by
// that. It needs no derivative with respect to time, so that noise does little harm. Terms are
// chosen by a beam search.
//
// The best sums are refined with weights by their gradient in each row (P. D. Sampson, Comput.
// Graph. Image Process. 18 (1982) 97), which gives standard errors, and compared by
//
//	n·log₂ ε + ½(k − 1)·log₂ n + 1.6·form,
//
// ε being the distance of the rows from where g is constant over that of shuffled rows. A second
// invariant counts if its gradient is independent of that of the first.
package invariant
