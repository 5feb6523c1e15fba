// Package given finds the unknown functions of a law whose frame is known. Examples are f in T =
// 2*pi*sqrt(l/g)*f(theta), and u and w in y = u(a)*w(b) + c.
//
// # Method
//
// The likeliest forms under the prior are tried for one unknown function after the other.
// Polynomials replace those that are not found yet. The best are kept, as in a beam search. A
// function that occurs once is also solved for in every row. Its required values make a table of
// their own, which package discover searches. Constants of the frame and of all functions are
// fitted together. The frame is known and costs nothing; the functions cost the bits of their
// forms.
package given
