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
// The solver is orthogonal matching pursuit with a beam. To each of the best sums so far it adds
// the columns that reduce the residual most, or the pairs of columns that do so together (package
// pair), or it exchanges one term for another column. What a column adds is reckoned to first order
// in its inner constant and in those of the sum, for where they start says little of how near a sum
// can come. All sums of three cheap columns are looked at, one of which may have an inner constant.
// The inner constants of all new sums are fitted by a few steps of Gauss and Newton at 64 rows.
// Those of the best are then fitted together at all rows, the coefficients being solved for exactly
// at each step (variable projection, package fit). As long as terms are missing, the error says
// little, too: half of the beam are the sums that come nearest, half those of the simplest terms.
// Last, terms are dropped as long as this shortens the description of law and data,
//
//	½·N·log₂ RSS + price of the terms + ½·log₂ N for each constant.
//
// It comes in five depths: columns without inner constants; terms with up to two beside a
// polynomial, of which what does not pay is dropped last; the same with one, for more sums; any
// columns with one; and with two. The last are so flexible that they come near anything; where a
// sum of the first is true, it is found first.
//
// S. Chen, S. A. Billings, W. Luo, Int. J. Control 50 (1989) 1873 describes forward selection by
// orthogonal least squares; G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413 variable
// projection.
//
// Example is a damped oscillator with a force whose amplitude decays.
package pursuit
