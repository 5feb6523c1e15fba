// Package closed finds closed forms of numbers: 39.478417604 is 4*pi**2.
//
// # Design
//
// A closed form is a rational number, possibly times a power of √π, a square root, e or a power of
// ten. Its description length in bits ([Number.Bits]) is 2 log₂ p + 2 log₂ q for p/q, plus a few
// bits for each further factor. The bits of p and q are the lengths of their Elias gamma codes (P.
// Elias, Universal codeword sets, IEEE Trans. Inf. Theory 21 (1975) 194). The same measure is the
// price of numbers in the description length of laws, and decides whether a fitted constant has a
// closed form.
//
// The search divides the number and its tolerance by each possible factor. In the interval that
// results, it finds the simplest fraction by descending the Stern–Brocot tree (R. L. Graham, D. E.
// Knuth and O. Patashnik, Concrete Mathematics, §4.5).
package closed
