// Package prior gives the probability of a form of law before any data, as the bits of a code that
// knows the laws of science.
//
// A [Model] is trained on the experimental forms of the catalogue in package corpus. The price of a
// form is that of a mixture of two codes,
//
//	P(form) = λ·P(named form) + (1-λ)·P(tree).
//
// The first is the frequency of the form among the laws of the catalogue. So a form that many
// fields share, such as c0 + c1*exp(c2*x), has few bits. The second builds the tree of package
// expr/skeleton from the root. Each node is conditioned on its parent, its grandparent and the
// sibling before it, with shorter contexts where longer ones are rare. Such priors were introduced
// by R. Guimerà and others (Science Advances 6 (2020) eaav6971) and D. J. Bartlett, H. Desmond and
// P. G. Ferreira (Priors for symbolic regression, GECCO 2023).
//
// # What is priced
//
// The bits are those of the form alone. A free constant costs that one stands there, and not its
// value, which is priced by the data. Numbers cost their class and their value. A column costs the
// choice among those that are left when it comes first, and among those used when it comes again.
// Operands of sums and products are sets: their order costs nothing.
//
// # Leaving laws out
//
// A model for a search of a benchmark's laws must not be trained on them. [Model.Except] trains
// again without given forms; [Hashes] returns those of a suite.
package prior
