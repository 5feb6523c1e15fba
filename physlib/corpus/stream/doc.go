// Package stream generates any number of problems from physics whose laws are known. A neural
// proposer learns from them to predict laws from tables of numbers. Problem i of a seed is always
// the same, so that many goroutines and machines can share one stream without communication.
//
//	s, err := stream.New(stream.Config{})
//	p := s.Problem(seed, i)           // p.Y = p.Scale · p.Law(p.X)
//	ids, err := vocabulary.Encode(p.Law)
//
// # Laws
//
// There are four families, weighted by [Mix]:
//
//   - products of powers
//   - structures under outer powers, times a prefactor. With a product of powers P, the structures
//     are sums of products, 1 ± P, f(P), exp(P) ± 1, roots of squares, differences of inverses,
//     ratios of sums, and laws of cosines
//   - formulas of mechanics substituted into each other, such as force = mass*accel with accel =
//     speed^2/length, plus another force, minus a drag
//   - the same with formulas from the rest of physics
//
// The formulas are in relations.go, each quantity with its unit.
//
// # One form
//
// A target must be unique, or else the proposer learns to guess among equal forms. [Skeleton]
// returns the normal form of any law, without its overall factor and with free constants in place
// of numbers. [Signature] also ignores the names of the variables.
//
// # What the stream excludes
//
// Laws in any suite of package corpus are excluded by their signature. So are the forms that
// [HeldOut] reserves for tests, which are one in 16. A stream with Config.HeldOut contains only
// forms that are reserved for tests. [Stream.Distinct] returns each form of a stream once.
//
// # Units
//
// Formulas of physics have the units of their quantities. For other laws, dimensions are chosen at
// random so that the law balances: the terms of a sum have equal dimensions, and arguments of
// functions have none. These conditions are linear equations for the exponents, and the dimensions
// are small random combinations of their solutions. In a quarter of these laws, constants may have
// a dimension as well.
//
// # Values
//
// Each column has a separate range: [1, 5] as in the benchmarks, a shifted interval, or up to two
// decades uniformly in the logarithm. Some ranges contain zero; angles go up to 2π. A table is
// rejected if one term of a sum is below 2/1000 of the other, if a function is nearly constant, or
// if y is constant within a hundredth. Points at which the law is undefined are drawn again. If
// they are more than 70 %, the table is rejected.
//
// # Design
//
// Laws are built as forms (form.go): a constant times powers of variables, functions and sums. An
// algebra keeps them normal. An emitter converts them to trees and chooses the shortest of several
// quotients. The tree is converted back once, to check that it is its own skeleton. One law with
// its 64 rows takes about 50 µs on one core.
package stream
