package search

import (
	"context"
	"iter"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/pair"
)

// Search is the deterministic Proposer. The zero value runs all parts.
type Search struct {
	// The parts to run, in this order, except those that cannot find anything in the problem; nil:
	// all, in the order that the schedule chooses.
	Only       []Part
	Depth      int               // number of depths of joins to run; 0: all
	Stage      func(name string) // called when a part begins; may be nil
	JoinKernel pair.Kernel       // finds the best pairs of features; nil: pair.Default()
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
