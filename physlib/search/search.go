// Package search finds laws without a network: it enumerates expressions of the dimensionless
// groups and joins them against the target, all pairs at once.
//
// # Design
//
// With units, a problem is first reduced by Buckingham's theorem: y/M₀ is a function of a few Π
// groups. Expressions of the groups are enumerated by rising cost, each value once (pool). A join
// then asks which one, two or three of them, beside terms that are free, give the target: as
// factors with free powers ([product.go], their signs [sign.go]), or as terms with free
// coefficients under an outer function, or as numerator and denominator ([sum.go]), or as factors
// of what a simple quantity leaves of the target ([offset.go]); or beside, times or divided by sums
// of any number of cheap terms ([wide.go]). Oscillations and waves are found by a periodogram
// ([waves.go]), and sums of many terms with inner constants by pursuit ([terms.go]). The pair
// kernel answers for all pairs without storing the matrix; what it returns is scored again in
// double precision and written as trees with free constants. Without units the groups are the
// variables themselves and the same code runs; and once more on what is left when symmetries that
// the data show are used up ([symmetry.go]): factors divided out, variables that enter only as a
// difference merged, those that scale together given base units of their own.
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
	Depth int               // how many of the three depths of joins to run; 0: all
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
