package discover

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// onlyCalculation reports whether the residuals of the best law are only rounding errors of
// floating-point calculations: smaller than 1e-9 of the target's RMS (roundingFloor) and than 1e-4
// of its standard deviation (maxExactError). Residuals at the rounding of the table's digits
// suffice for judge.exact, but here only if the digits are nine or more.
func (r *waySearch) onlyCalculation(res *Result) bool {
	b := res.Best
	return b.Tree.Len() > 0 && b.RMSE/dataset.RMS(r.t.Target.Values) < roundingFloor && 1-b.R2 < maxExactError*maxExactError &&
		r.t.Rows() >= 2*b.Tree.NumParams()+4
}

// fitsRounding reports whether the exact law of a search may merely reproduce how the table's
// digits were rounded. That is so if a simpler law fits to within the rounding. For example, the
// rounding errors of a polynomial on evenly spaced rows repeat, so an added oscillation can fit
// them exactly. An oscillation along a column that is itself rounded can fit them as well.
func (k *ranking) fitsRounding(res *Result) bool {
	s := k.m.Scorer()
	score := func(l law.Law, e mdl.Effort) (mdl.Score, bool) {
		return s.Score(k.m.FromColumns(l.Tree.WithStarts(l.Params())), e)
	}
	// Without mdl.Effort.Final, even a law that the rows do not support gets a score.
	best, ok := score(res.Best, mdl.Effort{})
	if ok && slices.ContainsFunc(best.Tree.Oscillations(), func(o expr.Oscillation) bool { return k.m.Rounded(o.Phase) }) {
		return true
	}
	if !ok || !best.Rounding {
		return false
	}
	// RSS due to rounding errors of calculations, relative to the target's sum of squares
	const calculated = 1e-28
	// Least ratio of the simpler law's RSS to the RSS due to rounding errors of calculations.
	const coarser = 1e6
	calculation := max(best.RSS, calculated*floats.Dot(k.m.Y, k.m.Y))
	return slices.ContainsFunc(res.Finalists, func(l law.Law) bool {
		if l.Complexity >= res.Best.Complexity {
			return false
		}
		c, ok := score(l, mdl.Effort{Final: true})
		return ok && c.Bits < best.Bits && c.Rounding && c.RSS > coarser*calculation
	})
}

// setExactVerdict sets the verdict and the probability of a law whose residuals are rounding errors
// of calculations.
func (r *waySearch) setExactVerdict(res *Result) {
	res.Probability = MostSure
	text := Certain + ": the residuals are rounding errors"
	if r.j.anyDim {
		text += "; " + Balance(res.Best, r.t)
	}
	if r.how.proportional {
		text += "; errors taken as proportional to " + r.t.Target.Name
	}
	res.Verdict = text
}
