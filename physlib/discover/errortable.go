package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// errorTable is a table together with the errors of its target, according to a result's error
// model.
type errorTable struct {
	t     *dataset.Table
	cols  [][]float64
	sigma []float64 // standard error of each row; nil: unknown, and equal in all rows
	size  float64   // root mean square of the target, divided by sigma if that is known
	most  int       // largest number of rows that may contradict a law
	// Rows whose target is the largest or the least of the table, if several rows have exactly this
	// target. The target may then have been cut off at this value.
	saturated []int
}

// cutoff is the price in bits of stating that the target is cut off, as by a saturated sensor.
const cutoff = 12

// newErrorTable returns t with the errors that the error model of found gives its target.
func newErrorTable(t *dataset.Table, found *Result) *errorTable {
	y := t.Target.Values
	v := &errorTable{t: t, cols: columns(t), sigma: t.Sigma, saturated: outlier.Saturated(y)}
	v.most = max(outlier.Most(len(y)), len(outlier.Slips(v.cols))) + len(v.saturated)
	if found.proportional {
		v.sigma = magnitudes(y)
	}
	v.size = dataset.RMS(v.residuals(expr.Num(0)))
	return v
}

// residuals returns the residual of a tree in each row, divided by the standard error of the row if
// that is known.
func (v *errorTable) residuals(tree expr.Tree) []float64 {
	res := tree.Values(v.t.Rows(), v.cols, tree.Params())
	for i, y := range v.t.Target.Values {
		res[i] = y - res[i]
		if v.sigma != nil {
			res[i] /= v.sigma[i]
		}
	}
	return res
}

// bits returns the description length of the table, given a law of the given complexity, or a
// constant if tree is empty. The targets of the rows in out are coded verbatim, as values that are
// equally likely from minus twice to plus twice the largest target. Excluded rows at which the
// target is cut off cost less: 1 + log₂(spacing of values) bits for each row, and the constant
// cutoff once for all of them.
func (v *errorTable) bits(tree expr.Tree, complexity float64, out []int) float64 {
	rows := outlier.Complement(v.t.Rows(), out)
	if tree.Len() == 0 {
		tree = expr.Num(stat.Mean(v.t.Subset(rows).Target.Values, nil))
	}
	left := v.residuals(tree)
	n, kept, squares := float64(len(left)), float64(len(rows)), 0.0
	b := complexity + float64(tree.NumParams())/2*math.Log2(n)
	for _, i := range rows {
		squares += left[i] * left[i]
		if v.sigma != nil {
			b += math.Log2(v.sigma[i])
		}
	}
	b += kept * math.Log2(max(math.Sqrt(squares/kept), law.Floor*v.size))
	largest := floats.Norm(v.t.Target.Values, math.Inf(1))
	past := v.beyondCut(left, out, 0)
	b += float64(len(out)-len(past)) * (math.Log2(n) + math.Log2(4*largest))
	if len(past) > 0 {
		b += cutoff + float64(len(past))*(1+math.Log2(spacing(v.t.Target.Values)))
	}
	if math.IsNaN(b) {
		return math.Inf(1)
	}
	return b
}

// refitWithoutContradictions finds the rows, out, that contradict a law, and fits the constants of
// the law to the other rows. It repeats both steps until out no longer changes. out is nil if too
// many rows contradict the law to be outliers.
func (v *errorTable) refitWithoutContradictions(f *fit.Fitter, tree expr.Tree) (fitted expr.Tree, out []int) {
	spread := outlier.Spread(v.residuals(expr.Num(0)))
	for iteration := range refitIterations {
		left := v.residuals(tree)
		scale := outlier.Scale(left)
		next := outlier.LargeResiduals(left, max(leastError*spread, min(largeError*spread, grossError*scale)))
		next = outlier.Union(next, v.beyondCut(left, v.saturated, max(leastError*spread, cutError*scale)))
		if len(next) > v.most {
			return tree, nil
		}
		if iteration > 0 && slices.Equal(next, out) {
			break
		}
		out = next
		w := make([]float64, len(left))
		for i := range w {
			w[i] = 1
			if v.sigma != nil {
				w[i] = 1 / (v.sigma[i] * v.sigma[i])
			}
		}
		for _, i := range out {
			w[i] = 0
		}
		r, err := f.Fit(tree, v.cols, v.t.Target.Values, w, fit.Settings{Starts: 1, MaxIter: 40})
		if err != nil {
			break
		}
		tree = tree.WithStarts(r.Params)
	}
	return tree, out
}

// refitIterations is the largest number of times that a law is fitted to choose the rows to
// exclude.
const refitIterations = 4

// A row contradicts a law if its residual exceeds both leastError and the smaller of largeError and
// grossError. If the target is cut off in the row, the residual must exceed both leastError and
// cutError.
const (
	leastError = 1e-7 // of the target's spread
	largeError = 0.05 // of the target's spread
	grossError = 1e3  // of the scale of the residuals (outlier.Scale)
	cutError   = 2    // of the scale of the residuals
)

// spacing returns the median distance between neighbouring values.
func spacing(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	v = slices.Compact(v)
	gaps := make([]float64, len(v)-1)
	for i := range gaps {
		gaps[i] = v[i+1] - v[i]
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// beyondCut returns those of the given rows in which the target is cut off and the law lies beyond
// the cut by more than margin: above the largest target or below the least. left holds the
// residuals of the law; margin is in their unit.
func (v *errorTable) beyondCut(left []float64, given []int, margin float64) (rows []int) {
	most := slices.Max(v.t.Target.Values)
	for _, i := range outlier.Intersect(v.saturated, given) {
		past := left[i]
		if v.t.Target.Values[i] == most {
			past = -past
		}
		if past > margin {
			rows = append(rows, i)
		}
	}
	return rows
}
