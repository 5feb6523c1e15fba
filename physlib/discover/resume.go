package discover

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

const (
	// Largest number of laws of an earlier run that are scored, far more than a run reports.
	mostResumed = 1000
	// Number of laws of an earlier run that are scored even if there is no time left.
	alwaysResumed = 20
)

// bestEarlier returns the best laws of an earlier run, at most mostResumed, without repetitions. If
// there are more than alwaysResumed, time may not suffice to score all of them. They are then
// sorted by score, and those without a score come last.
func bestEarlier(laws []law.Law) []law.Law {
	seen := map[uint64]bool{}
	var out []law.Law
	for _, l := range laws {
		if h := l.Bound().Hash(); !seen[h] {
			seen[h] = true
			out = append(out, l)
		}
	}
	if len(out) <= alwaysResumed {
		return out // all are scored, so they keep the order of the run
	}
	slices.SortStableFunc(out, func(a, b law.Law) int { return cmp.Compare(scoreOf(a), scoreOf(b)) })
	return out[:min(len(out), mostResumed)]
}

// scoreOf returns l's score in bits, or +Inf if l has none. The score is that of the ranking. If l
// was not ranked, it is the score of its search.
func scoreOf(l law.Law) float64 {
	if math.IsNaN(l.Score) {
		return math.Inf(1)
	}
	return l.Score
}

// proposeEarlier proposes the laws of an earlier run (task.rankedToo) with their constants. So they
// are not lost if the search is too short to find them again.
func (k *ranking) proposeEarlier(laws []law.Law) {
	names := k.t.InputNames()
	for _, l := range laws {
		if over, err := l.Over(names); err == nil && over.Tree.Len() > 0 {
			k.add(over.Tree.WithStarts(over.Params()), over.Proposer)
		}
		if scored, err := expr.Parse(l.Scored, names); err == nil && scored.Len() > 0 {
			k.add(scored, l.Proposer)
		}
	}
}

// scoreEarlier scores the laws of the previous search of this table, then those of an earlier run,
// until ctx ends, but always the first alwaysResumed.
func (r *waySearch) scoreEarlier(ctx context.Context) {
	for i, l := range slices.Concat(r.scoredFirst, r.rankedToo) {
		if i >= alwaysResumed && ctx.Err() != nil {
			return
		}
		if t, ok := r.fromLaw(l); ok {
			r.j.batch([]expr.Tree{t}, &source{NamedProposer: NamedProposer{Name: l.Proposer}})
		}
	}
}
