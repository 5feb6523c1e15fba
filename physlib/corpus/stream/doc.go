// Package stream generates any number of problems from physics whose laws are known: tables of
// numbers on which a neural proposer learns to predict laws. Problem i of a seed is always the
// same, so that many goroutines and machines can share one stream without communication.
//
//	s, err := stream.New(stream.Config{})
//	p := s.Problem(seed, i)           // p.Y = p.Scale · p.Law(p.X)
//	ids, err := vocabulary.Encode(p.Law)
//
// # Laws
//
// There are four families, weighted by [Mix]. The first is products of powers. The second is
// structures under outer powers, times a prefactor. The structures are sums of products, 1 ± P,
// f(P), exp(P) ± 1, roots of squares, differences of inverses, ratios of sums, and laws of cosines.
// Here P is a product of powers. The last two families substitute formulas of mechanics, or of the
// rest of physics, into each other. An example is force = mass*accel with accel = speed^2/length,
// plus another force, minus a drag. The formulas are in relations.go, each quantity with its unit.
//
// # One form
//
// A target must be unique, or the proposer learns to guess among equal forms. [Skeleton] returns
// the normal form of any law, without its overall factor and with free constants for numbers.
// [Signature] also ignores the names of the variables.
//
// # What the stream excludes
//
// Laws of a benchmark, in any suite of package corpus, are excluded by their signature. So are the
// forms that [HeldOut] reserves for tests, one in 16. A stream with Config.HeldOut has only those;
// [Stream.Distinct] returns each of them once.
//
// # Units
//
// Formulas of physics have the units of their quantities. For other laws, dimensions are small
// random combinations of the null space of the law's constraints: equal dimensions in sums, none in
// arguments of functions. In a quarter of these laws constants may have a dimension, too.
//
// # Values
//
// Each column has a separate range: [1, 5] as in the benchmarks, a shifted interval, or up to two
// decades uniformly in the logarithm. Some ranges cross zero; angles go up to 2π. A table is
// rejected if one term of a sum is below 2/1000 of the other. It is also rejected if a function or
// y is nearly constant (y to a hundredth). Points without a value are drawn again, unless they are
// more than 70 %: then the table is rejected.
//
// # Design
//
// Laws are built as n-ary forms (form.go: a constant times powers of variables, functions and sums)
// by an algebra that keeps them normal. An emitter converts them to trees and chooses the shortest
// of several quotients. The tree is converted back once to check that it is its own skeleton. One
// law and its 64 rows take about 50 µs of one core.
package stream
