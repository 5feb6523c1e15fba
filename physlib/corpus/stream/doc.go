// Package stream makes an endless supply of physics-like problems whose laws are known: tables of
// numbers on which a neural proposer learns to read laws. Problem i of a seed is always the same,
// so that many goroutines and many machines share one stream without talking to each other.
//
//	s, err := stream.New(stream.Config{})
//	p := s.Problem(seed, i)           // p.Y = p.Scale · p.Law(p.X)
//	ids, err := vocabulary.Encode(p.Law)
//
// # Laws
//
// Four families, weighted by [Mix]: products of powers; structures (a prefactor times a sum of
// products, 1 ± P, f(P), exp(P) ± 1, a root of squares, a difference of inverses, a ratio of sums,
// a law of cosines …, under outer powers); and formulas of mechanics, or of the rest of physics,
// written into each other: force = mass*accel with accel = speed^2/length, plus another force, less
// a drag … The formulas stand in relations.go, each quantity with its unit.
//
// # One form
//
// A target must be unique, or the proposer learns to guess among ways to write it. [Skeleton] is
// the normal form of any law, of a benchmark's as of a candidate's, without its overall factor and
// with free constants for its numbers. [Signature] further forgets how the variables are called.
//
// # What the stream never has
//
// Laws of a benchmark, in any suite of package corpus, are banned by their signature, and so are
// the forms that [HeldOut] keeps for tests: one in 16. A stream with Config.HeldOut has only those;
// [Stream.Distinct] takes each of them once.
//
// # Units
//
// Formulas of physics have the units of their quantities. For other laws, dimensions are small
// random combinations of the null space of what the law demands: equal dimensions in sums, none in
// arguments of functions. In a quarter of these laws constants, too, may have a dimension.
//
// # Values
//
// Each column has a range of its own: [1, 5] as in the benchmarks, a shifted interval, up to two
// decades uniformly in the logarithm, some across zero; angles up to a turn. Tables are refused in
// which a term of a sum is below 2/1000 of the other, a function is all but constant, y is constant
// to a hundredth, or more than 70 % of the points have no value; single points without a value are
// drawn again.
//
// # Design
//
// Laws are built as n-ary forms (form.go: a constant times powers of variables, functions and sums)
// by an algebra that keeps them normal, written as trees by an emitter that takes the shortest of
// several quotients, and read back once to see that the tree is its own skeleton. One law and its
// 64 rows take about 50 µs of one core.
package stream
