// Package invariant finds implicit laws g(x, y, …) = 0 of all rows of a table. It also finds
// quantities that trajectories conserve, such as energy and angular momentum.
//
// # Method
//
// An invariant is a sum of few terms, g = Σ c_k·φ_k, from a library of products, powers,
// logarithms, sines and cosines of the columns. It is constant in each run, and would not be if the
// columns were unrelated. For given terms, the coefficients minimize
//
//	Σ (g − mean)² / Σ' (g − mean)².
//
// The second sum is over rows in which each column is shuffled within runs. This is a generalized
// eigenvalue problem. The ratio does not reward a function of only one column, nor one that hardly
// varies at all. It needs no derivative with respect to time, so noise does little harm. Terms are
// chosen by a beam search.
//
// The best sums are refined with weights by their gradient in each row (P. D. Sampson, Comput.
// Graph. Image Process. 18 (1982) 97), which gives standard errors. They are compared by
//
//	n·log₂ ε + ½(k − 1)·log₂ n + 1.6·form,
//
// where ε is the distance of the rows from the set where g is constant, relative to that of
// shuffled rows. A second invariant counts if its gradient is independent of that of the first.
package invariant
