// Package frame finds the unknown functions of a law whose frame is known. The frame is the rest of
// the law. Examples are f in T = 2*pi*sqrt(l/g)*f(theta), and u and w in y = u(a)*w(b) + c.
//
// # Method
//
// For each unknown function in turn, the most likely forms under the prior are tried. Functions
// that are not found yet are replaced by polynomials. The best states (assignments of forms to
// functions) are kept, as in a beam search. If a function occurs only once, the law can also be
// solved for the value of this function in every row. Package discover then searches the table of
// these values. In the end, the constants of the frame and of all functions are fitted together.
// Only the forms of the functions cost bits, since the frame is known.
package frame
