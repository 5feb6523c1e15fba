// Package genetic finds laws by evolution (genetic programming with fitted constants). It is a
// Proposer for laws outside the forms that the deterministic search enumerates.
//
// # Design
//
// Islands, which are separate populations, evolve in parallel and exchange laws after every few
// epochs. The length of an epoch is a number of evaluations, so equal seeds give equal laws with
// any number of workers.
//
// A law is stored in postfix order without its linear constants. In every evaluation, linear least
// squares fits a factor for each term of the sum at the root, and an additive constant. This is
// linear scaling (Keijzer, "Improving symbolic regression with interval arithmetic and linear
// scaling", 2003). The constants inside terms are fitted by a few steps of Levenberg–Marquardt
// (Kommenda et al., 2020) with variable projection.
//
// Laws are stored in cells by complexity. Each cell keeps its best few laws, so the population is a
// broad Pareto front. Offspring come from the mutations of PySR (Cranmer, 2023), from crossover,
// and from semantic backpropagation (Pawlak, Wieloch and Krawiec, 2015). Semantic backpropagation
// calculates the values that a node of the tree should have, and looks up a small expression with
// such values in a library. An island whose front no longer improves is restarted.
//
// With units, subtrees are grown and exchanged by dimension. Laws that violate dimensions, or need
// constants with units, count as more complex.
package genetic
