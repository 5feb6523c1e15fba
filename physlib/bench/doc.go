// Package bench measures how many known laws are found again: the protocol of symbolic recovery.
//
// # Protocol
//
// [Recovery] runs every law of a suite of package corpus. It draws the variables from their ranges,
// and adds Gaussian noise of standard deviation σ × RMS(y) to the target (σ is
// RecoveryOptions.Noise). Then discover.Discover searches for the given time, knowing neither law
// nor noise. The law that it chooses is compared with the truth. Each law has its own random
// numbers, from the seed and its id, so that a law can be repeated alone. This is the ground-truth
// task of SRBench with a stricter rule. (La Cava et al.: Contemporary Symbolic Regression Methods
// and their Relative Performance, NeurIPS Datasets and Benchmarks 2021.)
//
// # Exact
//
// A law is exact when it is the same function as the truth, up to refitting its free constants
// where the data have noise:
//
//   - Both are compared at 4000 fresh points without noise, each range 1.5 times as wide as that of
//     the data (in the logarithm for loguniform ones; never across zero where the data are not), so
//     that a lookalike which only agrees on the data fails. Points at which the truth is not finite
//     are drawn again.
//   - They agree when the law is finite on at least 90 % of the points, and there |found - true| ≤
//     1e-6 × RMS(true) on 99.9 %, and |found - true| ≤ 1e-6 × |true| on 90 %. The latter matters
//     for targets over many decades, of which the RMS sees but the largest. The few points in
//     excess are for rounding, at poles and where terms cancel.
//   - Without noise the law is compared as it is printed.
//   - With noise it may be refitted first: constants that were recognized as exact stay fixed, free
//     ones are fitted to 1000 fresh points without noise, from the values found. So y = 1.98*x is
//     exact for 2*x, and y = x**1.98 for x**2, whereas a snapped 199/100 is not.
//   - A law whose canonical form is that of the truth is exact as well.
//
// SRBench accepts more: found - true constant, or found/true constant, after rounding numbers to
// three decimals. That verdict is reported as well, as sympy_exact, when RecoveryOptions.SymPy asks
// for it, by SymPy in a process of its own.
//
// The chosen law counts; whether an exact one stands anywhere on the Pareto front is reported as
// front_exact. The first proposer of the chosen law is reported as proposer, so runs with and
// without a neural system show its contribution ([Compare]).
//
// # Candidates
//
// [Candidates] measures a neural system by itself: is the true skeleton among the first k distinct
// candidates for a small table? A skeleton is the form up to the values of constants and an overall
// factor (stream.Skeleton). Its laws are those of a benchmark, or forms that the system has never
// been trained on. By default these are 500 distinct ones of package stream, with the lengths of
// the stream. Held-out forms of at most five tokens are rare, and harder than their length
// suggests. The common ones are products and ratios, which the training set or a benchmark has.
//
// # Tables
//
// [Tables] searches small tables of measurements as people have them (package corpus/tables).
// Package accept decides whether a scientist accepts the chosen law, and whether its verdict is too
// sure. [Invariance] searches variants of each table that should not change the form of the law,
// such as other units or names, or an unrelated column. The results file of either has a JSON line
// for each search; searches that it has are not repeated.
//
// # Calibration
//
// [Calibration] searches tables drawn from the catalogue and from random laws (package
// corpus/synthetic), on which nothing was tuned. It compares the probability that each verdict
// states with how many of the chosen laws are right. A chosen law is right where package accept
// takes it for the law that made the table, special cases included where the data allow them. A
// wider law, such as c0*u + c1*v for c0*(u + v), counts as wrong. Each record keeps the features of
// a probability, so that [FitProbability] needs no new searches: fit on one seed, test on another.
package bench
