// Package search finds laws without a network. It enumerates expressions of the variables, or of
// their dimensionless groups, and finds which few of them give the target, all pairs at once.
//
// # Packages
//
// Each of the packages below can be read by itself; none imports one above it:
//
//	view        the problem in other variables: dimensionless groups in place of columns with
//	            units, and what is left once symmetries of the data are used up, which a
//	            polynomial shows or, where the target has errors or few rows, Gaussian processes
//	dictionary  what a law may be made of, by rising cost: monomials, expressions, features
//	match       which one, two or three features give a target
//	pair        the kernel behind match: all pairs of columns at once
//	polynomial  polynomial relations between the target and the variables
//	pursuit     sums of many terms with constants inside
//	wave        oscillations and waves
//	column      arithmetic on columns of numbers
//
// Package genetic is a search of its own, by evolution.
//
// # Parts
//
// A [Part] of the search applies a [Method] to a [View] of the problem, to a depth. [Parts] lists
// them, and each can run alone (Search.Only).
//
//	Simplest      a constant, a product of powers, a linear function (simplest.go)
//	Joins         a product of factors with free powers (products.go, signs.go), a sum of terms
//	              with free coefficients or a ratio of sums (sums.go), under a function (outer.go)
//	NoisyJoins    joins for a target with errors, at more rows
//	StartedJoins  joins with functions whose inner constants are fitted
//	Offsets       a product, once a function with a simple quantity is inverted (offsets.go)
//	Relations     a polynomial, a ratio of two or the root of a quadratic equation, also of sines,
//	              exponentials and others (relations.go)
//	Sums          many terms with constants inside (package pursuit)
//	Waves         oscillations of a target that is not smooth (package wave)
//	Ripples       oscillations of a target that is smooth without them
//
// Joins work on the pool of a view, an enumeration of expressions by rising cost. The matches of a
// join are scored in double precision and yielded as trees with free constants. The caller of the
// search fits and scores them.
//
// # Clock
//
// The clock decides which part comes next: the one expected to find most laws in a second. The
// expectation comes from the ledger, a table of random laws with the part that found each and its
// time. They are from no benchmark; `physlib bench ledger` measures it again.
//
// # Example
//
// A pendulum: T = 2π·√(l/g), with the columns l, g and the mass m. The only dimensionless group of
// these with T is T·√(g/l), a constant, which Simplest finds in the view Groups within a
// millisecond. Without units, Simplest finds the product of powers in the view Variables.
//
// With amplitudes up to a third of a turn, T = 2π·√(l/g)·(1 + θ²/16). The target over √(l/g) is a
// function of θ alone. The pool has 1 + k·θ² for a few k, all of them wrong, but a sum of two
// terms, √(l/g) and √(l/g)·θ², is right. Joins finds the pair in the sums under the identity, with
// the coefficients 2π and 2π/16. With the next term of the series, 11/3072·θ⁴, it is a triple.
package search

import (
	"context"
	"iter"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/pair"
)

// Search is the deterministic Proposer. The zero value runs all its parts.
type Search struct {
	Only  []Part            // the parts to run, in this order; nil: all, in the order of the clock
	Depth int               // number of depths of joins to run; 0: all
	Stage func(name string) // called when a part begins; may be nil
	Joins pair.Kernel       // finds the best pairs of features; nil: pair.Default()
}

// Propose implements discover.Proposer.
func (s *Search) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stopped := false
		emit := func(t expr.Tree) bool {
			if stopped {
				return false
			}
			if !p.Allows(t) {
				return true
			}
			if !yield(t, nil) {
				stopped = true
				cancel()
			}
			return !stopped
		}
		newSession(ctx, s, p, emit).run()
	}
}

func (s *Search) report(name string) {
	if s.Stage != nil {
		s.Stage(name)
	}
}
