// Package match finds which few features of a dictionary give a target, comparing all pairs at
// once.
//
// A [Join] holds the target and the features as columns at the sampled rows. It also has a base:
// columns such as 1, which belong to every combination and add nothing to its cost. The base is
// projected out of the target and the features. Single features, and pairs and triples of the
// cheapest ones, are compared in double precision. The kernel of package pair finds pairs among
// many features. Each result is a [Combo], scored in double precision. Its meaning depends on the
// caller: it is a sum of terms, a product if the columns are logarithms, or a ratio if some of them
// are multiplied by the target.
package match
