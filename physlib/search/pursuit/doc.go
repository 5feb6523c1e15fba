// Package pursuit finds laws that are sums of several terms, some of which have constants inside:
//
//	y = Σ cₖ·fₖ(x; θₖ),    such as    dv/dt = -0.9·x³ - 0.4·log(1+|v|) + 0.3·v·exp(-0.2·t).
//
// The joins of package search find one to three such terms. Here the number of terms is not
// bounded.
//
// # Method
//
// The dictionary is a list of columns by rising price: powers of the variables, functions of one
// variable, and products of two of these. Where a variable changes sign, |x| and its powers are
// among them. A function with inner constants, such as exp(-kx) or x/(K+x), stands there several
// times, once for each of a grid of starting values.
//
// The solver is orthogonal matching pursuit with a beam. It extends each of the best sums so far by
// the columns, or pairs of columns, that reduce the residual most (package pair). Or it exchanges
// one term for another column. The gain of a column is calculated to first order in its inner
// constant and in those of the sum. The error at the starting values would hardly predict the final
// one. The inner constants of all new sums are fitted by a few Gauss–Newton steps on 64 rows. Those
// of the best sums are then refitted together on all rows, with the coefficients eliminated exactly
// at each step (variable projection, package fit). While terms are missing, the error is a poor
// guide. So half of the beam are sums of small error, and half are sums of simple terms. Finally,
// terms are dropped as long as this shortens the description of law and data,
//
//	½·N·log₂ RSS + price of the terms + ½·log₂ N for each constant.
//
// A pursuit has five depths. The first has columns without inner constants. The second has a
// polynomial and terms with up to two inner constants, after which superfluous terms are dropped.
// The third has any columns with up to one inner constant, the fourth with up to two. The last has
// a polynomial, terms with up to one, and a wider beam. Columns with two inner constants
// approximate any curve, so the simpler depths come before most of them.
//
// S. Chen, S. A. Billings, W. Luo, Int. J. Control 50 (1989) 1873 describes forward selection by
// orthogonal least squares; G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413 variable
// projection.
//
// The example below is a damped oscillator with a force whose amplitude decays.
package pursuit
