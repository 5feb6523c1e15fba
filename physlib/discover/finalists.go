package discover

import (
	"math"
	"sort"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// result scores the finalists and returns the laws in the table's units. It is the last step of
// finish (ways.go).
func (r *run) result() *Result {
	res := &Result{Evaluations: r.tally.evaluations(), Stopped: r.stopped, Proposers: r.proposed(), relative: r.relative}
	front := r.addFinalists(res)
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

// addFinalists adds the laws of the last fits to res, and returns their Pareto front. If several
// candidates become the same law, its Proposer is that of the candidate proposed first.
func (r *run) addFinalists(res *Result) (front *law.Archive) {
	deadline := r.budget.clock.Now().Add(r.patience())
	timeUp := func() bool { return !r.budget.counted() && r.budget.clock.Now().After(deadline) }
	final := r.j.finalists(timeUp)
	first := map[uint64]*candidate{}
	rows := r.t
	for i, c := range final {
		if i >= 10 && timeUp() {
			break
		}
		if i > 0 && timeUp() || r.stopped == Interrupted && (i > 0 || !r.j.exact(r.j.best())) {
			// The ranking fits the best law to all rows, unless it is exact.
			rows = fewerRows(rows)
		}
		// The dimensions of the law do not balance, so its numbers hold only in the base units of
		// the problem. These are the base units of SI times powers of √10.
		if i > 0 && !c.unitsOK && r.rescaled() {
			continue
		}
		l := r.toLaw(c, rows)
		if h := l.Tree.Hash(); first[h] == nil || c.order < first[h].order {
			first[h] = c
		}
		// The law fits worse than the mean of the target.
		if l.R2 < worseThanMean && !r.relative {
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

// Limits of a front, the same for the front of a search and that of the ranking (chosen.go).
const (
	// Number of bits by which the description of a law may be longer than that of the best law, if
	// the law is more complex.
	frontMargin   = 25
	worseThanMean = -0.1 // R² below which a law is dropped, because it fits worse than the mean
)

// roundingFloor is a residual relative to the target's RMS, 1e-9. Laws of a front with smaller
// residuals count as equally exact. It is also the limit of exactResidual (judge.go) for laws with
// few constants, and that of onlyCalculation (exactlaw.go).
const roundingFloor = 1e3 * law.Floor

// patience returns how long the final fits may take: finalTime, or a minute without a time limit,
// or interruptedPatience after an interrupt.
func (r *run) patience() time.Duration {
	if r.stopped == Interrupted {
		return interruptedPatience
	}
	if !r.budget.timed() {
		return time.Minute
	}
	return r.budget.finalTime()
}

// finalists returns the best candidates, the likeliest first. They are refitted on more rows, with
// constants in closed form. Once timeUp reports true, only the first candidate is still refitted,
// and the others are dropped if they were fitted to fewer rows.
func (j *judge) finalists(timeUp func() bool) []*candidate {
	list := append([]*candidate(nil), j.kept[:min(len(j.kept), fullFits)]...)
	have := map[*candidate]bool{}
	for _, c := range list {
		have[c] = true
	}
	var front []*candidate
	for _, c := range j.byComplexity {
		if !have[c] && !j.dominated(c) {
			front = append(front, c)
		}
	}
	sort.Slice(front, func(a, b int) bool { return front[a].complexity < front[b].complexity })
	list = append(list, front...)
	out := make([]*candidate, len(list))
	each.Do(len(list), func(i int) {
		c := list[i]
		if i > 0 && timeUp() {
			out[i] = c
			return
		}
		full := c
		if len(j.finalSample.y) != len(j.screeningSample.y) {
			var ok bool
			if full, ok = j.evaluate(c.tree, j.finalSample, fit.Settings{Starts: 1}); !ok {
				return
			}
		}
		full.order, full.by = c.order, c.by
		out[i] = j.snap(full, timeUp)
	})
	var ok []*candidate
	for _, c := range out {
		if c != nil && c.res.Rows == len(j.finalSample.y) {
			ok = append(ok, c)
		}
	}
	sort.SliceStable(ok, func(a, b int) bool {
		if ok[a].score != ok[b].score {
			return ok[a].score < ok[b].score
		}
		return ok[a].order < ok[b].order
	})
	return ok
}

// fullFits is the number of best candidates by score that are fitted to the sample
// judge.finalSample. Candidates on the Pareto front of complexity and error are also fitted to it.
const fullFits = 60

// dominated reports whether a candidate that is no more complex than c has at most a thousandth
// more error than c. If the dimensions of c balance, those of the other candidate must balance,
// too.
func (j *judge) dominated(c *candidate) bool {
	for _, o := range j.byComplexity {
		if o != c && o.complexity <= c.complexity && o.rms <= c.rms*1.001 && (o.unitsOK || !c.unitsOK) {
			return true
		}
	}
	return false
}

// rescaled reports whether the problem has units and its base units are not those of SI, but these
// times powers of √10 (natural). It is false without units, even if columns are scaled.
func (r *run) rescaled() bool {
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
func (r *run) beatsConstant(l law.Law) bool {
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
func (r *run) constantRMS() float64 {
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
