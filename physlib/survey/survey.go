package survey

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// Found is a form that was fitted to a table.
type Found struct {
	mdl.Score
	From int // index of its tree among those fitted
}

// MostRows is the largest number of rows of a table that is surveyed. A survey then takes a second
// or two.
const MostRows = 400

// Fit fits trees over the variables of t. It returns those of the shortest description length, at
// most keep of them, and the number of trees that were fitted. It ends early when ctx does. Equal
// calls that are not interrupted return equal results.
func Fit(ctx context.Context, t *mdl.Table, trees []expr.Tree, keep int, e mdl.Effort) (best []Found, fitted int) {
	results := make([]*Found, len(trees))
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(trees)/8+1) {
		wg.Go(func() {
			s := t.Scorer()
			for ctx.Err() == nil {
				lo := int(next.Add(8)) - 8
				if lo >= len(trees) {
					return
				}
				for i := lo; i < min(lo+8, len(trees)); i++ {
					if c, ok := s.Score(trees[i], e); ok {
						results[i] = &Found{Score: c, From: i}
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
	slices.SortStableFunc(best, func(a, b Found) int { return cmp.Compare(a.Bits, b.Bits) })
	return best[:min(len(best), keep)], int(done.Load())
}

// Assign returns the form in k variables for each ordered choice of k variables. dependent reports
// pairs that must not occur together, such as temperatures in °C and in K.
func Assign(form expr.Tree, k int, variables []int, dependent func(a, b int) bool) []expr.Tree {
	var out []expr.Tree
	seen := map[uint64]bool{}
	chosen := make([]int, 0, k)
	var choose func()
	choose = func() {
		if len(chosen) == k {
			t := form.MapLeaves(func(_ int, n expr.Node) expr.Node {
				if n.Op == expr.Var {
					n.Index = int32(chosen[n.Index])
				}
				return n
			})
			if h := t.Hash(); !seen[h] {
				seen[h] = true
				out = append(out, t)
			}
			return
		}
		for _, v := range variables {
			if slices.ContainsFunc(chosen, func(c int) bool { return c == v || dependent != nil && dependent(c, v) }) {
				continue
			}
			chosen = append(chosen, v)
			choose()
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose()
	return out
}
