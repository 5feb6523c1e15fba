package discover

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// result scores the finalists and returns the laws in the table's units. It is the last step of
// finish (ways.go).
func (r *waySearch) result() *Result {
	res := &Result{Evaluations: r.tally.evaluations(), Stopped: r.stopped, Proposers: r.proposed(), proportional: r.how.proportional}
	front := r.addRefitted(res)
	if best, ok := front.Best(); ok && r.beatsConstant(best) {
		res.Best = best
	}
	for _, l := range front.Front() {
		if res.Best.Tree.Len() == 0 || l.Complexity <= res.Best.Complexity || l.Score < res.Best.Score+frontMargin {
			res.Front = append(res.Front, l)
		}
	}
	res.Warnings = append(res.Warnings, r.warnings()...)
	return res
}

// addRefitted adds the laws of the last fits to res, and returns their Pareto front. If several
// candidates become the same law, its Proposer is that of the candidate proposed first.
func (r *waySearch) addRefitted(res *Result) (front *law.Archive) {
	deadline := r.budget.clock.Now().Add(r.patience())
	timeUp := func() bool { return !r.budget.counted() && r.budget.clock.Now().After(deadline) }
	final := r.j.lastCandidates(timeUp)
	first := map[uint64]*candidate{}
	for i, c := range final {
		if i >= 10 && timeUp() {
			break
		}
		// Skip laws whose dimensions do not balance if their numbers hold only in the base units of
		// the problem: those of SI times powers of √10.
		if i > 0 && !c.unitsOK && r.rescaled() {
			continue
		}
		rows := r.t
		if i > 0 && timeUp() || r.stopped == StopInterrupted && (i > 0 || !r.j.exact(r.j.best())) {
			rows = fewerRows(r.t) // the ranking fits the best law to all rows, unless it is exact
		}
		l := r.toLaw(c, rows)
		if h := l.Tree.Hash(); first[h] == nil || c.order < first[h].order {
			first[h] = c
		}
		// Skip laws that fit worse than the mean of the target.
		if l.R2 < worseThanMean && !r.how.proportional {
			continue
		}
		res.Finalists = append(res.Finalists, l)
	}
	front = &law.Archive{Floor: roundingFloor * dataset.RMS(r.t.Target.Values)}
	for i := range res.Finalists {
		l := &res.Finalists[i]
		l.Proposer = first[l.Tree.Hash()].by
		front.Add(*l)
	}
	return front
}

// patience returns how long the final fits may take: finalTime, or a minute without a time limit,
// or interruptedPatience after an interrupt.
func (r *waySearch) patience() time.Duration {
	if r.stopped == StopInterrupted {
		return interruptedPatience
	}
	if !r.budget.timed() {
		return time.Minute
	}
	return r.budget.finalTime()
}

// lastCandidates returns the best candidates, the likeliest first. They are refitted on more rows,
// with constants in closed form. Once timeUp reports true, only the first candidate is still
// refitted, and the others are dropped if they were fitted to fewer rows.
func (j *judge) lastCandidates(timeUp func() bool) []*candidate {
	list := j.leaders()
	each.Do(len(list), func(i int) {
		if i == 0 || !timeUp() {
			list[i] = j.refitAndSnap(list[i], timeUp)
		}
	})
	list = slices.DeleteFunc(list, func(c *candidate) bool { return c == nil || c.res.Rows != len(j.finalSample.y) })
	slices.SortStableFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.order, b.order))
	})
	return list
}

// refitAndSnap returns c fitted to the final sample, with constants in closed form. It returns nil
// if that fit fails.
func (j *judge) refitAndSnap(c *candidate, timeUp func() bool) *candidate {
	if len(j.finalSample.y) != len(j.screeningSample.y) {
		full, ok := j.evaluate(c.tree, j.finalSample, fit.Settings{Starts: 1})
		if !ok {
			return nil
		}
		c = full.asRefitOf(c)
	}
	return j.snap(c, timeUp)
}

// rescaled reports whether the problem has units and its base units are not those of SI, but these
// times powers of √10 (natural). It is false without units, even if columns are scaled.
func (r *waySearch) rescaled() bool {
	other := func(q dataset.Quantity, u unit.Unit) bool { return math.Abs(q.Scale/u.Factor()-1) > 1e-9 }
	for i, c := range r.t.Vars {
		if other(r.p.Vars[i], c.Unit) {
			return r.p.Units
		}
	}
	return r.p.Units && other(r.p.Target, r.t.Target.Unit)
}

// beatsConstant reports whether a law, including its own description, is shorter than the constant
// law or at most marginSpare bits longer.
func (r *waySearch) beatsConstant(l law.Law) bool {
	if len(l.Tree.Vars()) == 0 {
		return false
	}
	n := float64(r.t.Rows())
	gain := n * math.Log2(r.constantRMS()/max(l.RMSE, 1e-12*dataset.RMS(r.t.Target.Values)))
	return gain > l.Complexity-marginSpare
}

// A law may be longer than the constant law by up to marginSpare bits and still be the best law of
// its search. The margin is needed since these bits are rough estimates. The ranking uses the
// description lengths of package mdl instead.
const marginSpare = 9

// constantRMS returns the root mean square error of the best constant law.
func (r *waySearch) constantRMS() float64 {
	y := r.t.Target.Values
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	s := 0.0
	for _, v := range y {
		s += (v - mean) * (v - mean)
	}
	return math.Sqrt(s / float64(len(y)))
}
