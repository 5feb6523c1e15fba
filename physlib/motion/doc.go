// Package motion finds laws of motion: the right-hand sides of
//
//	dx/dt = f(x, y, …)        or, of the second order,        d²x/dt² = f(x, dx/dt, …)
//
// behind measured trajectories x(t), y(t), …
//
// # Method
//
//  1. [Derivatives] estimates the derivatives by a Savitzky–Golay filter of variable width. Around
//     each row, polynomials are fitted to windows of many widths and degrees. The contribution of
//     the next two degrees estimates the truncation error, and the noise gives the variance. The
//     window with the smallest sum of both is chosen, as in A. Goldenshluger and A. Nemirovski,
//     Math. Methods Statist. 6 (1997) 135. So windows are narrow in fast transients and wide
//     elsewhere, and each derivative has a standard error.
//  2. [discover.Discover] searches for laws of the derivatives, weighted by these errors, as in
//     any other table.
//  3. Each law found is fitted to the trajectories by multiple shooting (H. G. Bock, Springer Ser.
//     Chem. Phys. 18 (1981) 102). The system is integrated over windows of the trajectories, each
//     with its own starting values. Constants and starting values are fitted together to the
//     measurements by least squares. Laws are selected by description length: the bits of the law
//     plus the bits of the residuals of the trajectories.
//  4. With the chosen law, the derivatives are estimated again: those of the model plus those of
//     the small and smooth difference between measurement and model. The search is repeated until
//     nothing changes.
//
// Accurate derivatives directly determine a sum of library terms, also with one exponential or with
// terms of other laws, and rates with one denominator (by implicit regression). Such laws need no
// search.
//
// # Noise
//
// Under noise, derivatives and short windows carry little information. So several methods are
// added:
//
//   - Sums of terms are also proposed by integral matching, which needs no derivatives. A beam
//     search selects the terms from a library and from the laws of the other states. Constants
//     inside terms, as in x/(c + x) and exp(-c/x), vary to first order. So a few starting values of
//     each are enough.
//   - Laws that are one edit away from the best laws are fitted to the same integrals.
//   - The bits of a law are those of its shortest form, with common factors in front of sums.
//   - Windows grow until the changes of the state exceed its noise. They grow further, up to whole
//     runs, as long as the system can be integrated through them. Integral matching is repeated
//     over the longer windows, since slow changes stand out there only. An addend such as 1 in S +
//     1 then also becomes a free constant, which short windows do not determine.
//   - The linearized system shows which terms are missing.
//   - A state that is negative only because of its errors counts as 0 in roots and logarithms.
//   - Linear and quadratic damping are also exchanged for each other, in all directions at once,
//     since short windows hardly distinguish them. For the same reason, sines and cosines of an
//     angle are exchanged for powers of it.
//
// # Description of a system
//
// A term that two laws share, as in an exchange between two states or in the components of a force,
// is described only once. A coefficient that has the same value in two laws, within its error, is
// also described only once. Two laws are replaced together if only the two replacements together
// shorten the description. A shared term is also edited in both laws at once, since it may be a
// limit of the right term. A speed or distance costs about as much as a column. If constants
// compensate for one another, each combination that the data determine costs bits. A law with a
// constant that is zero within its error is also tried without the constant.
//
// # Inputs
//
// Between rows, a smooth input follows a polynomial through neighbouring rows, any other input a
// straight line. An input may be constant over most steps, as that of a switched heater. Such an
// input is held at the value of the row before or after, if sums of terms then describe the states
// in fewer bits. If the states show that the input is switched between the rows, it is unknown for
// how long each value applied. The intervals with a switch are then in no window. The states show a
// switch between rows if windows without these intervals leave much smaller residuals than windows
// without intervals halfway between the switches.
//
// # Constants of groups of runs
//
// Some constants may differ between groups of runs. Integral matching is repeated with separate
// coefficients of each term in each group. If this shortens the description, a coefficient that
// differs becomes a column that is constant in each run, and the search is repeated. Finally, the
// values of the column are fitted to the trajectories together with the other constants.
//
// # Verdict
//
// Every law has a verdict with a probability. The probability follows from the distance, in bits,
// to the nearest other law. Other laws count if they were scored over the same windows, alone or
// together with another law of one further equation. The probability is lower if
//
//   - the residuals exceed the noise,
//   - a further term explains more of the residuals than chance would,
//   - constants have large errors,
//   - a constant is inside a function, where other laws fit as well,
//   - the only state only rises or only falls in the only run, since some function of it then
//     always fits, even if there are hidden states, or
//   - a column is nearly a function of others, and the law fits as well with this function in its
//     place.
//
// A law that leaves more than noise must also predict the next steps better than the present value
// does. In a random walk it does not, and there is no law.
//
// # Reading order
//
//	discover.go, search.go     Discover; the loop of searches and estimates of derivatives
//	trajectories.go, runs.go   runs from a table; time.go: the column of the time
//	gaps.go, jumps.go          where runs end; glitch.go: faulty rows in them
//	derivatives.go, correct.go derivatives, first without and then with a law
//	library.go, atoms.go       terms of sums; drag.go, drive.go: damping and periodic forces
//	sparse.go, direct.go       sums from derivatives; exponential.go, rational.go: sums with an
//	                           exponential, rates with a denominator
//	integral.go, subsets.go    sums by integral matching; triples.go: terms that nearly cancel;
//	                           stepwise.go: one term more or less
//	hold.go, curve.go          inputs between the rows; switches.go: when they are switched
//	choose.go, candidate.go    candidates and their scores on trajectories
//	shoot.go, normal.go        multiple shooting; field.go: the system and its integration
//	neighbours.go, angles.go   forms near the chosen laws; common.go, mutual.go: terms in two laws
//	separate.go                constants that differ between groups of runs
//	reduce.go                  denominators with a zero between the data
//	positive.go                states that are negative only because of their errors
//	prune.go                   tiny terms that follow the errors of an integrator
//	unresolved.go              constants that are zero within their errors
//	doubts.go, verdict.go      how likely the laws are; walk.go: random walks
//	result.go, si.go           laws as results, in SI units; forecast.go, simulate.go: what follows
//
// # Integration
//
// All windows, and all derivatives with respect to constants and starting values, are integrated in
// parallel, as rows of one table. The method is the embedded one of order 5(4) of J. R. Dormand
// and P. J. Prince (J. Comput. Appl. Math. 6 (1980) 19).
package motion
