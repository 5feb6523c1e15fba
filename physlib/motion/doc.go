// Package motion finds laws of motion: the right-hand sides of
//
//	dx/dt = f(x, y, …)        or, of the second order,        d²x/dt² = f(x, dx/dt, …)
//
// behind measured trajectories x(t), y(t), …
//
// # Method
//
//  1. [Slopes] estimates the derivatives. Around each row a polynomial is fitted to windows of many widths and degrees; what the
//     next two degrees would add tells the error of cutting the series off, the noise tells the other, and the window with
//     the least sum of both is taken (in the spirit of A. Goldenshluger and A. Nemirovski, Math. Methods Statist. 6 (1997) 135).
//     So windows are narrow in fast transients and wide elsewhere, and each derivative has a standard error.
//  2. [discover.Discover] searches laws of the derivatives, weighted by these errors, as in any other table.
//  3. Derivatives are only means to that end. Each of the laws found is fitted again to the trajectories themselves, by
//     multiple shooting (H. G. Bock, Springer Ser. Chem. Phys. 18 (1981) 102): the system is integrated over windows of the
//     trajectories, each from a start of its own, and the constants and starts are found together by least squares on what
//     was measured. Law and misfit of the trajectories together, in bits, decide.
//  4. With the law chosen the derivatives are estimated again, as those of the model plus those of the small and smooth
//     difference between measurement and model, and the search goes on from there until nothing changes.
//
// Under noise derivatives say little, and short windows too. So sums of terms are proposed by
// integral matching as well, which needs no derivative; laws that are one edit away from the best
// are fitted in the same way; windows grow until the course of a state stands out of its noise, and
// on to whole runs, for as long as the system gets through them; and on the fitted trajectories it
// is seen, to first order, which terms the system lacks. A term that two laws share, as what one
// state loses and another gains, is described once. Every law has a verdict: its share of the
// probability among all laws scored over the same windows, less what its residuals say, and less
// where a constant inside of a function lets others do as well.
//
// All windows and all derivatives by constants and starts are integrated side by side, as columns
// of one table, by the embedded method of order 5(4) of J. R. Dormand and P. J. Prince (J. Comput.
// Appl. Math. 6 (1980) 19).
package motion
