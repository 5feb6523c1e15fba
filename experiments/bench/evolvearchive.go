package bench

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// archive holds the laws fitted so far for a task.
type archive struct {
	task
	fitter fit.Fitter
	seen   map[uint64]bool // hashes of the laws proposed
	list   []entry
	found  int // number of laws seen when the true law appeared; 0: never
}

// entry is a fitted law with its complexity, score and unexplained share of the variance.
type entry struct {
	law         expr.Tree
	bits, score float64
	rest        float64
}

func (a *archive) clone() *archive {
	b := &archive{task: a.task, seen: map[uint64]bool{}, list: slices.Clone(a.list), found: a.found}
	for h := range a.seen {
		b.seen[h] = true
	}
	return b
}

// collect fits laws of a Proposer. It ends when the given number of different laws was seen or the
// true law was found.
func (a *archive) collect(ctx context.Context, proposer discover.Proposer, p *dataset.Problem, until int) error {
	if a.found > 0 || len(a.seen) >= until {
		return nil
	}
	for t, err := range proposer.Propose(ctx, p) {
		if err != nil {
			return err
		}
		if h := t.Hash(); !a.seen[h] {
			a.seen[h] = true
			a.take(t)
		}
		if a.found > 0 || len(a.seen) >= until {
			break
		}
	}
	return ctx.Err()
}

// take fits a law and adds it to the list.
func (a *archive) take(t expr.Tree) {
	cols, y := a.problem.Cols(), a.problem.Target.Values
	r, err := a.fitter.Fit(t, cols, y, nil, fit.Settings{Starts: 4, MaxIter: 40})
	if err != nil || math.IsNaN(r.RSS) {
		return
	}
	squares, mean := 0.0, 0.0
	for i, v := range y {
		squares += v * v
		mean += (v - mean) / float64(i+1)
	}
	n := float64(len(y))
	e := entry{law: t.WithStarts(r.Params), bits: law.Complexity(t, len(cols)), rest: r.RSS / (squares - n*mean*mean)}
	e.score = law.Score(e.bits, law.Residuals{Rows: len(y), RSS: r.RSS, RMS: math.Sqrt(squares / n), Free: t.NumParams()})
	if math.IsInf(e.score, 0) || math.IsNaN(e.score) {
		return
	}
	a.list = append(a.list, e)
	if math.Sqrt(r.RSS/squares) < 1.5*a.noise+1e-7 && a.holds(e.law) {
		a.found = len(a.seen)
	}
}

// holds reports whether a law predicts the test rows to a relative error of 10⁻⁶, after its
// constants are fitted to the problem's rows without noise.
func (a *archive) holds(t expr.Tree) bool {
	r, err := a.fitter.Fit(t, a.problem.Cols(), a.clean, nil, fit.Settings{Starts: 1, MaxIter: 100})
	if err != nil {
		return false
	}
	value := t.Values(len(a.fresh), a.cols, r.Params)
	diff, sum := 0.0, 0.0
	for i, y := range a.fresh {
		diff += (y - value[i]) * (y - value[i])
		sum += y * y
	}
	return diff < 1e-12*sum
}

// least returns the smallest unexplained share of the variance, at most 1.
func (a *archive) least() float64 {
	least := 1.0
	for _, e := range a.list {
		least = min(least, e.rest)
	}
	return least
}

// laws returns the sixty best laws by score, and the front of complexity and error, as package
// discover returns them to a Proposer.
func (a *archive) laws() []expr.Tree {
	slices.SortStableFunc(a.list, func(x, y entry) int { return cmp.Compare(x.score, y.score) })
	kept := slices.Clone(a.list[:min(60, len(a.list))])
	rest := slices.Clone(a.list[len(kept):])
	slices.SortStableFunc(rest, func(x, y entry) int { return cmp.Compare(x.bits, y.bits) })
	least := math.Inf(1)
	for _, e := range rest {
		if e.rest < least {
			least = e.rest
			kept = append(kept, e)
		}
	}
	laws := make([]expr.Tree, len(kept))
	for i, e := range kept {
		laws[i] = e.law
	}
	return laws
}
