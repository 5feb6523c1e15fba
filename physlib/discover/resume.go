package discover

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

const (
	mostResumed   = 1000 // most laws of an earlier run that are scored; a run reports far fewer
	alwaysResumed = 20   // laws of an earlier run that are scored even if no time is left
)

// foremost returns the best laws of an earlier run, at most mostResumed, each tree once. Of more
// than alwaysResumed, some might not be scored, so the best come first and those without a score
// last.
func foremost(laws []law.Law) []law.Law {
	seen := map[uint64]bool{}
	var out []law.Law
	for _, l := range laws {
		if h := l.Bound().Hash(); !seen[h] {
			seen[h] = true
			out = append(out, l)
		}
	}
	if len(out) <= alwaysResumed {
		return out // all are scored, in the order of the run
	}
	slices.SortStableFunc(out, func(a, b law.Law) int { return cmp.Compare(scoreOf(a), scoreOf(b)) })
	return out[:min(len(out), mostResumed)]
}

// scoreOf returns l's score, +Inf where it has none.
func scoreOf(l law.Law) float64 {
	if math.IsNaN(l.Score) {
		return math.Inf(1)
	}
	return l.Score
}

// proposeEarlier proposes laws that the caller has from an earlier run (Settings.earlier), with
// their constants. So a search too short to find a law again does not lose it.
func (k *ranking) proposeEarlier(laws []law.Law) {
	names := regression.Columns(k.t)
	for _, l := range laws {
		if over, err := l.Over(names); err == nil && over.Tree.Len() > 0 {
			k.add(over.Tree.WithStarts(over.Params()), over.Proposer)
		}
	}
}

// scoreEarlier scores the laws of Settings.Resume until ctx ends, but always the first
// alwaysResumed. They are laws of an earlier run, after those that upTo adds from the previous
// search of this run.
func (r *run) scoreEarlier(ctx context.Context) {
	for i, l := range r.s.Resume {
		if i >= alwaysResumed && ctx.Err() != nil {
			return
		}
		if t, ok := r.fromLaw(l); ok {
			r.j.batch([]expr.Tree{t}, &source{Named: Named{Name: l.Proposer}})
		}
	}
}
