// Package prior gives the probability of the form of a law before any data, in bits. It is learned
// from the laws of science.
//
// A [Model] is trained on the experimental forms of the catalogue in package corpus. Its
// probability of a form is a mixture,
//
//	P(form) = λ·P(named form) + (1-λ)·P(tree),
//
// and the bits of the form are -log₂ of that. The first term is the frequency of the form among the
// laws of the catalogue. So a form that many fields share, such as c0 + c1*exp(c2*x), has few bits.
// The second generates the tree of package expr/skeleton from the root. Each node depends on its
// parent, its grandparent and the sibling before it, with shorter contexts where longer ones are
// rare. Such priors were introduced by R. Guimerà and others (Science Advances 6 (2020) eaav6971)
// and D. J. Bartlett, H. Desmond and P. G. Ferreira (Priors for symbolic regression, GECCO 2023).
//
// # What has bits
//
// The bits are those of the form alone. A free constant has the bits of its symbol; its value has
// bits only given the data. A number has the bits of its class and of its value. A column that
// occurs first has the bits of a choice among the unused columns, and later among the used ones.
// The order of the operands of sums and products has no bits.
//
// # Leaving laws out
//
// A model for a search of a benchmark's laws must not be trained on them. [Model.Except] trains
// again without given forms; [Hashes] returns those of a suite.
package prior
