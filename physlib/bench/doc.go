// Package bench measures how many known laws are recovered: the protocol of symbolic recovery.
//
// # Protocol
//
// [Recovery] runs every law of a suite of package corpus. It draws the variables from their ranges,
// and adds Gaussian noise of standard deviation σ × RMS(y) to the target (σ is
// RecoveryOptions.Noise). Then discover.Discover searches for the given time, knowing neither law
// nor noise. The law that it chooses is compared with the truth. The random numbers of a law depend
// only on the seed and its id, so that a law can be repeated alone. This is the ground-truth task
// of SRBench with a stricter rule. (La Cava et al.: Contemporary Symbolic Regression Methods and
// their Relative Performance, NeurIPS Datasets and Benchmarks 2021.)
//
// # Exact
//
// A law is exact when it is the same function as the truth. If the data have noise, its free
// constants may be refitted first:
//
//   - Both are compared at 4000 fresh points without noise. Each range is 1.5 times as wide as that
//     of the data, so that a law which only agrees on the data fails. For loguniform variables the
//     logarithm of the range is 1.5 times as wide. No range crosses zero where the data do not.
//     Points at which the truth is not finite are drawn again.
//   - They agree when the law is finite on at least 90 % of the points. Of these points, |found -
//     true| ≤ 1e-6 × RMS(true) must hold on 99.9 %, and |found - true| ≤ 1e-6 × |true| on 90 %. The
//     second condition matters for targets over many decades, where the largest values dominate the
//     RMS. The exceptions allow for rounding errors at poles and where terms cancel. Before the
//     comparison, |found - true| is reduced by the amount by which rounding errors of the variables
//     change the truth.
//   - Without noise the law is compared as it is printed.
//   - With noise or rounded values it may be refitted first. Constants that were recognized as
//     exact stay fixed. Free ones are fitted to 1000 fresh points without noise, starting from the
//     values found. So y = 1.98*x is exact for 2*x, and y = x**1.98 for x**2, but not if 1.98 was
//     recognized as the exact number 99/50.
//   - A law whose canonical form is that of the truth is exact as well.
//
// SRBench accepts more: after numbers are rounded to three decimals, found - true or found/true may
// be a constant. RecoveryOptions.SymPy records that verdict as sympy_exact. SymPy computes it in a
// process of its own.
//
// The chosen law counts. front_exact records whether any law of Result.Front is exact. proposer
// records which Proposer was the first to propose the chosen law, so runs with and without a neural
// system show its contribution ([Compare]).
//
// # Candidates
//
// [Candidates] measures a neural system alone: is the true skeleton among the first k distinct
// candidates for a small table? A skeleton is the form up to the values of constants and an overall
// factor (stream.Skeleton). The laws are those of a suite, or forms that the system has never been
// trained on. By default these are 500 distinct forms of package stream, with the lengths that are
// common there. Held-out forms of at most five tokens are rare, and harder than their length
// suggests. The common short forms, products and ratios, occur in the training set or a suite.
//
// # Tables
//
// [Tables] searches small tables of measurements as people have them (package corpus/tables).
// Package accept decides whether a scientist accepts the chosen law, and whether the verdict on it
// is too confident. [Invariance] searches variants of each table that should not change the form of
// the law, such as other units or names, or an unrelated column. Both write a results file with a
// JSON line for each search. A search that has a line is not repeated.
//
// # Calibration
//
// [Calibration] searches tables drawn from the catalogue and from random laws (package
// corpus/synthetic), on which nothing was tuned. It compares the probability that each verdict
// states with the share of chosen laws that are right. A chosen law is right if package accept
// recognizes it as the law behind the table, or as a special case that the data allow. A law with
// more freedom, such as c0*u + c1*v for c0*(u + v), counts as wrong. Each record has the features
// from which its probability is computed, so [FitProbability] needs no new searches. Fit it on one
// seed, and test it on another.
package bench
