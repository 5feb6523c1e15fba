// Package prior gives the probability of the form of a law before any data are seen, in bits. It is
// learned from the laws of science.
//
// A [Model] is trained on the experimental forms in the catalogue of package corpus. Its
// probability of a form is a mixture with a constant weight λ,
//
//	P(form) = λ·P(known form) + (1-λ)·P(tree),
//
// and the bits of the form are -log₂ P(form). The first term is the frequency of the form among the
// laws of the catalogue. So a form that occurs in many fields, such as c0 + c1*exp(c2*x), has few
// bits. The second term is the probability that the tree of package expr/skeleton is generated from
// the root. The symbol of each node depends on its parent, its grandparent and the previous
// sibling. Shorter contexts are used where longer ones are rare. Such priors were introduced by R.
// Guimerà and others (Science Advances 6 (2020) eaav6971) and D. J. Bartlett, H. Desmond and P. G.
// Ferreira (Priors for symbolic regression, GECCO 2023).
//
// A form that is no known form may be another form of the same function, or a special case of a
// known form: with a number for an exponent, without its factor, or with two equal constants. It
// then has the bits of the known form, plus those of the special case.
//
// For a table, laws whose quantities have the dimensions of the table's columns have a higher
// probability ([Model.For]). The price of a law is that in a table with its columns alone, plus the
// choice of these columns.
//
// # Which parts of a form cost bits
//
// The bits are those of the form alone. A free constant costs the bits of its symbol. Its value
// costs nothing here, since the price of the value depends on the data. A number costs the bits of
// its class and of its value. A column that occurs for the first time costs the bits of a choice
// among the unused columns. Later it costs the bits of a choice among the used columns. The order
// of operands in sums and products costs no bits.
//
// # Leaving laws out
//
// If a model is used to search for the laws of a benchmark, it must not be trained on these laws.
// [Model.Except] trains a model without given forms. [Hashes] returns the hashes of the laws in a
// suite of benchmark problems.
package prior
