// Package pursuit finds laws that are sums of several terms, some of which have inner constants:
//
//	y = Σ cₖ·fₖ(x; θₖ),    such as    dv/dt = -0.9·x³ - 0.4·log(1+|v|) + 0.3·v·exp(-0.2·t).
//
// Here cₖ are the coefficients and θₖ the inner constants. The joins of package search find one to
// three such terms. This package finds up to nine.
//
// # Method
//
// The dictionary is a list of columns by rising price: powers of the variables, functions of one
// variable, and products of two of these. If a variable changes sign, |x| and its powers are
// included. A function with an inner constant, such as exp(-kx) or x/(K+x), has several columns,
// one for each starting value of a grid.
//
// The solver is orthogonal matching pursuit with a beam, a list of the best sums so far. It extends
// each sum by the columns, or pairs of columns, that reduce the residual most (package pair). It
// also exchanges one term of a sum for another column. The reduction of the residual is calculated
// to first order in the inner constants of the column and of the sum. The residual at their
// starting values would hardly predict the residual of the fitted sum.
//
// The inner constants of all new sums are fitted by a few Gauss–Newton steps on 64 rows. The best
// sums are then refitted on all rows, with all inner constants together. Each step eliminates the
// coefficients exactly (variable projection, package fit). As long as terms are missing, the error
// is a poor guide. So half of the sums in the beam have a small error, and half consist of simple
// terms. Finally, terms are dropped as long as this reduces the description length of law and data,
//
//	½·N·log₂ RSS + price of the terms + ½·log₂ N for each constant,
//
// where N is the number of rows and RSS the residual sum of squares.
//
// # Depths
//
// A pursuit has five depths:
//
//	0  columns without inner constants
//	1  a polynomial and terms with up to two inner constants; superfluous terms are then dropped
//	2  columns with up to one inner constant
//	3  columns with up to two inner constants
//	4  a polynomial and terms with up to one inner constant, with a wider beam
//
// Sums of columns with two inner constants can approximate any curve, so depth 3 comes after depths
// 0 and 2.
//
// Forward selection by orthogonal least squares is described in S. Chen, S. A. Billings, W. Luo,
// Int. J. Control 50 (1989) 1873; variable projection in G. Golub, V. Pereyra, SIAM J. Numer. Anal.
// 10 (1973) 413.
//
// The example below is a damped oscillator with a force whose amplitude decays.
package pursuit
