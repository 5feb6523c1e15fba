package survey

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

const (
	fitsAtOnce = 240 // number of trees that are fitted before the next ones are selected
	// If the best law in some columns is longer by some bits than the best of all, the trees in
	// these columns count as 2^(excessWeight·bits) times farther back in the list. At most
	// mostExcess bits count. They count in full once enoughFits trees in these columns are fitted.
	mostExcess   = 12
	excessWeight = 0.5
	enoughFits   = 40
)

// Fit fits and scores trees over t's variables, the likeliest of which come first. It returns those
// with the shortest description length, at most keep, and the number of trees fitted. If ctx ends,
// it returns early.
//
// Trees in the columns of the best laws so far are fitted earlier than in the list. So a column
// that does not matter costs little time. Equal calls that are not interrupted give equal results.
func Fit(ctx context.Context, t *mdl.Data, trees []expr.Tree, keep int, e mdl.Effort) (best []mdl.Scored, fitted int) {
	q := newQueue(t, trees)
	for ctx.Err() == nil {
		next := q.next()
		if len(next) == 0 {
			break
		}
		some := make([]expr.Tree, len(next))
		for i, at := range next {
			some[i] = trees[at]
		}
		found, n := t.ScoreAll(ctx, some, len(some), e)
		fitted += n
		for _, f := range found {
			f.From = next[f.From]
			q.scored(f)
			best = append(best, f)
		}
		slices.SortFunc(best, func(a, b mdl.Scored) int { return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.From, b.From)) })
		best = best[:min(len(best), keep)]
	}
	return best, fitted
}

// queue selects the trees that are fitted next.
type queue struct {
	sets  []*columnSet
	setOf []*columnSet // of each tree
	bits  float64      // shortest description length so far
}

// columnSet holds the trees that contain certain columns.
type columnSet struct {
	waiting []int   // indices of the trees that are not yet fitted, the likeliest first
	bits    float64 // shortest description length so far; +Inf: no tree has a score
	scored  int     // number of trees that have a score
}

func newQueue(t *mdl.Data, trees []expr.Tree) *queue {
	q := &queue{bits: math.Inf(1)}
	byColumns := map[uint64]*columnSet{}
	for i, tree := range trees {
		var columns uint64
		for _, v := range tree.Vars() {
			of, _, _ := t.Derived(v)
			columns |= 1 << min(of, 63)
		}
		s := byColumns[columns]
		if s == nil {
			s = &columnSet{bits: math.Inf(1)}
			byColumns[columns], q.sets = s, append(q.sets, s)
		}
		s.waiting, q.setOf = append(s.waiting, i), append(q.setOf, s)
	}
	return q
}

// next returns the indices of the trees that are fitted next. There are none once all are fitted.
func (q *queue) next() (trees []int) {
	delay := make([]float64, len(q.sets))
	for k, s := range q.sets {
		delay[k] = 1
		if !math.IsInf(s.bits, 1) {
			known := min(float64(s.scored)/enoughFits, 1)
			delay[k] = math.Exp2(known * excessWeight * min(s.bits-q.bits, mostExcess))
		}
	}
	for len(trees) < fitsAtOnce {
		first, at := -1, math.Inf(1)
		for k, s := range q.sets {
			if len(s.waiting) == 0 {
				continue
			}
			if place := float64(1+s.waiting[0]) * delay[k]; place < at {
				first, at = k, place
			}
		}
		if first < 0 {
			break
		}
		s := q.sets[first]
		trees, s.waiting = append(trees, s.waiting[0]), s.waiting[1:]
	}
	return trees
}

// scored records the score of a tree.
func (q *queue) scored(f mdl.Scored) {
	s := q.setOf[f.From]
	s.scored++
	s.bits, q.bits = min(s.bits, f.Bits), min(q.bits, f.Bits)
}
