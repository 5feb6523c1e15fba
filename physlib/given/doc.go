// Package given finds the unknown functions of a law whose frame is known. Examples are f in T =
// 2*pi*sqrt(l/g)*f(theta), and u and w in y = u(a)*w(b) + c.
//
// # Method
//
// The likeliest forms under the prior are tried for each unknown function in turn. Polynomials
// replace functions that are not found yet. The best states are kept, as in a beam search. If a
// function occurs once, the law is also solved for its value in every row. Package discover
// searches the table of these values. Constants of the frame and of all functions are fitted
// together. The frame is known and has no bits; the functions have the bits of their forms.
package given
