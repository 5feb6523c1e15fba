// Package motion finds laws of motion: the right-hand sides of
//
//	dx/dt = f(x, y, …)        or, of the second order,        d²x/dt² = f(x, dx/dt, …)
//
// behind measured trajectories x(t), y(t), …
//
// # Method
//
//  1. [Slopes] estimates the derivatives by a Savitzky–Golay filter of variable width. Around
//     each row polynomials are fitted to windows of many widths and degrees. The contribution of
//     the next two degrees estimates the truncation error, and the noise gives the variance. The
//     window with the least sum of both is chosen, as in A. Goldenshluger and A. Nemirovski,
//     Math. Methods Statist. 6 (1997) 135. So windows are narrow in fast transients and wide
//     elsewhere, and each derivative has a standard error.
//  2. [discover.Discover] searches laws of the derivatives, weighted by these errors, as in any
//     other table.
//  3. Each law found is refitted to the trajectories by multiple shooting (H. G. Bock, Springer
//     Ser. Chem. Phys. 18 (1981) 102). The system is integrated over windows of the trajectories,
//     each with its own start. Constants and starts are fitted together to the measurements by
//     least squares. Laws are selected by description length: that of the law plus that of the
//     residuals of the trajectories, in bits.
//  4. With the chosen law the derivatives are estimated again: those of the model plus those of
//     the small and smooth difference between measurement and model. The search is repeated until
//     nothing changes.
//
// Accurate derivatives determine a sum of terms of a library at once, and rates with one
// denominator by implicit regression. Such laws need no search.
//
// Under noise, derivatives and short windows carry little information. So sums of terms are also
// proposed by integral matching, which needs no derivative. A beam search selects the terms from a
// library and from the laws of the other states. Laws that are one edit away from the best are
// fitted in the same way. Each law counts in its shortest form, with common factors before sums.
// Windows grow until the state exceeds its noise, and on to whole runs as long as the system can be
// integrated through them. The linearized system shows which terms are missing. Over each length of
// windows linear and quadratic dampings are also tried in the place of one another, in all
// directions at once, since short windows hardly distinguish them. So are sines and cosines of an
// angle and its powers, which are alike over a part of a turn.
//
// A term that two laws share, as in an exchange between two states or in the components of a force,
// is described once, and so is a coefficient that is the same within its error. Two laws are
// exchanged together where only both pay for it. Such a term is also edited in both laws at once,
// since it may be the limit of another. A speed or distance costs about as much as a column.
// Constants that compensate for one another pay for each combination that the data determine. A law
// with a constant within its error of zero is also tried without it.
//
// Every law has a verdict: a probability that follows from its distance in bits to the nearest
// other law scored over the same windows, alone or together with one of another equation. The
// probability is lowered for
//
//   - residuals above the noise,
//   - a further term that explains more of the residuals than chance would,
//   - constants with large errors, and
//   - a constant inside a function, where other laws fit as well.
//
// Where a column nearly follows from others, the law is fitted again with these in its place. If
// that fits as well, the probability is lowered too.
//
// All windows and all derivatives with respect to constants and starts are integrated in parallel,
// as columns of one table. The method is the embedded one of order 5(4) of J. R. Dormand and
// P. J. Prince (J. Comput. Appl. Math. 6 (1980) 19).
package motion
