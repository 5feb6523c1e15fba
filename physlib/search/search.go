// Package search finds laws without a network: it enumerates expressions of the dimensionless
// groups and joins them against the target, all pairs at once.
//
// # Parts
//
// The search consists of parts. A [Part] asks a question, its [Method], of a [View] of the problem,
// to a depth. Each part can run alone (Search.Only), and [Parts] lists them.
//
// A view is the problem in other variables. With units, Buckingham's theorem gives it: y/M₀ is a
// function of a few Π groups, M₀ being a monomial of the target's dimension ([Groups], lattice.go,
// space.go). Without units the groups are the variables themselves ([Variables]), and the same code
// runs. A view is reduced by symmetries that the data show (reduce.go, symmetry.go): factors are
// divided out, variables that enter only as a difference are merged, those that scale together get
// base units of their own.
//
// The methods that join work on an enumeration of expressions of the view by rising cost, each value
// once (pool.go). A join asks which one, two or three of them, with terms that are free, give the
// target: as factors with free powers (product.go, their signs sign.go), or as terms with free
// coefficients under an outer function, or as numerator and denominator (sum.go). [Offsets] takes a
// simple quantity from the target first (offset.go), The kernel of package pair answers for all pairs without
// storing the matrix. What it returns is scored again in double precision and written as trees with
// free constants. [Waves] uses a periodogram (waves.go), [Sums] pursuit of terms with inner constants
// (terms.go).
//
// # Clock
//
// The clock (clock.go) decides which part comes next: the one that has found most laws in a second.
// Its experience is a table of random laws, of the catalogue and the stream, none of a benchmark:
// ledger.csv, made by `physlib bench ledger`.
//
// # Example
//
// T = 2π·√(l/g) beside a mass. The only Π group of m, l and g with T is T·√(g/l), a constant, which
// [Simplest] tells in the view Groups after a millisecond. Without units, Simplest finds the product
// of powers in the view Variables. Were it T = 2π·√(l/g)·(1 + θ²/16), the pool of Groups would have 1
// + k·θ² for a few k, and [Joins] would find the factor with its power; with 11/3072·θ⁴ besides, two
// terms.
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
	Only  []Part            // the parts to run, in this order; nil: all, as the clock has it
	Depth int               // how many of the depths of joins to run; 0: all
	Pool  int               // how many expressions and terms a join takes at most, for a quick look; 0: no such bound
	Stage func(name string) // told when a part begins; may be nil
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

func (s *Search) tell(name string) {
	if s.Stage != nil {
		s.Stage(name)
	}
}
