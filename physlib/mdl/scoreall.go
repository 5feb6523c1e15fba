package mdl

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/physlib/lab/physlib/expr"
)

// Scored is a Score that ScoreAll returns, with the index of its tree.
type Scored struct {
	Score
	From int // index of its tree among those fitted
}

// ScoreAll fits and scores trees over the table's variables on all cores. It returns those with the
// shortest description length, at most keep, and the number of trees fitted. If ctx ends, it
// returns early. Equal calls that are not interrupted give equal results.
func (m *Data) ScoreAll(ctx context.Context, trees []expr.Tree, keep int, e Effort) (best []Scored, fitted int) {
	results := make([]*Scored, len(trees))
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(trees)/8+1) {
		wg.Go(func() {
			s := m.Scorer()
			for ctx.Err() == nil {
				lo := int(next.Add(8)) - 8
				if lo >= len(trees) {
					return
				}
				for i := lo; i < min(lo+8, len(trees)); i++ {
					if c, ok := s.Score(trees[i], e); ok {
						results[i] = &Scored{Score: c, From: i}
					}
				}
				done.Add(int64(min(lo+8, len(trees)) - lo))
			}
		})
	}
	wg.Wait()
	for _, r := range results {
		if r != nil {
			best = append(best, *r)
		}
	}
	slices.SortStableFunc(best, func(a, b Scored) int { return cmp.Compare(a.Bits, b.Bits) })
	return best[:min(len(best), keep)], int(done.Load())
}
