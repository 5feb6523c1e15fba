// Package search finds laws without a network. It enumerates expressions of the variables, or of
// their dimensionless groups, and finds which few of these expressions together give the target.
// Package pair compares all pairs of several thousand expressions at once.
//
// # Packages
//
// The search is built from these packages:
//
//	view        the problem in other variables: dimensionless groups in place of columns with
//	            units, and fewer variables if the data have symmetries. Symmetries are found with
//	            a fitted polynomial, or with Gaussian processes if the target has errors or few
//	            rows
//	dictionary  building blocks of laws, by rising cost: monomials, expressions, features
//	match       which one, two or three features give a target
//	pursuit     sums of many terms with inner constants, such as exp(-k·t)
//
// It also uses four packages that need none of these. Package pair compares all pairs of columns at
// once, package polynomial finds polynomial relations, package wave finds oscillations, and package
// column calculates with columns.
//
// Package genetic is a separate search, by evolution.
//
// # Parts
//
// A [Part] of the search applies a [Method] to a [View] of the problem, up to a depth. [Parts]
// lists all parts, and each can run alone (Search.Only).
//
//	Simplest        a constant, a product of powers, a linear function (simplest.go)
//	Joins           a product of factors with free powers (products.go, signs.go), a sum of terms
//	                with free coefficients or a ratio of sums (sumjoin.go), each possibly inside an
//	                outer function (outer.go)
//	NoisyJoins      joins for a target with errors, at more rows
//	StartedJoins    joins with functions whose inner constants are fitted
//	Offsets         a product for f(y, M), where f is a known function, y the target, and M a simple
//	                quantity (offsets.go)
//	Relations       a polynomial, a ratio of two polynomials, or a root of a quadratic equation,
//	                also in sines, exponentials and other functions (relations.go)
//	Sums            many terms with inner constants (manyterms.go, package pursuit)
//	Waves           oscillations of a target that is not smooth (waves.go, package wave)
//	DetrendedWaves  oscillations about a smooth course of the target
//
// A session (session.go) builds views and pools and runs the parts.
//
// Joins use a pool of the view, an enumeration of expressions by rising cost. Joins evaluate their
// pool at 64 rows, NoisyJoins at 256 (400 with units), and StartedJoins at 160. Offsets and
// Relations use the pool of Joins. The matches of a join are scored in double precision and yielded
// as trees with free constants. The caller of the search fits and scores them. If it finds that the
// residual of the best law is noise (dataset.Problem.Settled), most of the remaining parts are
// skipped.
//
// # Noise
//
// Parts for exact and for noisy data differ, so the search tracks what is known of the errors of the
// target:
//
//	dataset.Problem.Noise  0: none; above 0: given by the user; NaN: unknown
//	session.clean          a fitted polynomial is so close to the target that it has no errors
//	session.settled        the residual of the best law is noise
//	schedule.clean         there are no errors, by Problem.Noise or session.clean
//	schedule.knownNoisy    there are errors, by Problem.Noise or session.settled
//	schedule.seemsNoisy    a guess, made if neither of the two holds
//	work.inexact           the features of a pool may miss the target by its errors
//
// # Schedule
//
// The schedule (schedule.go) decides which part runs next: the part expected to find the most laws
// per second. The expectation comes from the ledger (ledger.go, ledger.csv), a table of random laws
// that states which parts find each law and how long the parts take. None of these laws is from a
// benchmark. `physlib bench ledger` measures the table again.
//
// # Example
//
// A pendulum obeys T = 2π·√(l/g). The table has the columns l, g and the mass m. The only
// dimensionless group of T, l, g and m is T·√(g/l). This group is constant, which Simplest finds in
// the view Groups within a millisecond. Without units, Simplest finds the product of powers in the
// view Variables.
//
// With amplitudes θ up to 120°, the law is T = 2π·√(l/g)·(1 + θ²/16). Then T·√(g/l) depends only on
// θ. The pool contains 1 + k·θ² for a few values of k, and none of them is right. But a sum of the
// two terms √(l/g) and √(l/g)·θ² is right: Joins finds this pair without an outer function, with
// the coefficients 2π and 2π/16. If the law has the next term of the series, 11/3072·θ⁴, Joins
// finds a triple.
package search
