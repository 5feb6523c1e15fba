package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// sample is a set of rows to which candidates are fitted.
type sample struct {
	cols [][]float64
	y, w []float64
	// Root mean square of the target, with each row multiplied by the root of its weight.
	rms    float64
	spread float64 // weighted standard deviation of the target, on the same scale as rms
	// Rounding error in each row, for each of cols and finally for y; nil: not known.
	round [][]float64
	sigma float64 // standard error of a row times the root of its weight; 0: unknown
}

// newSample returns all rows of p, or about limit rows at equal distances if there are more. If
// errorsKnown is true, the weights of p are 1/σ² with the known standard errors σ.
func newSample(p *dataset.Problem, limit int, errorsKnown bool) *sample {
	step := max(1, len(p.Target.Values)/limit)
	s := &sample{y: every(step, p.Target.Values), w: every(step, p.Weights)}
	for _, v := range p.Vars {
		s.cols = append(s.cols, every(step, v.Values))
		s.round = append(s.round, every(step, v.Rounding))
	}
	s.round = append(s.round, every(step, p.Target.Rounding))
	s.rms = dataset.RMS(s.weighted(slices.Clone(s.y)))
	s.spread = math.Sqrt(stat.PopVariance(s.y, s.w))
	if s.w != nil {
		s.spread *= math.Sqrt(stat.Mean(s.w, nil))
	}
	switch {
	case s.w != nil && errorsKnown:
		s.sigma = 1
	case s.w == nil && p.Noise > 0:
		s.sigma = p.Noise * dataset.RMS(p.Target.Values)
	}
	return s
}

// every returns each step-th of the values, from the first on; nil for nil.
func every(step int, values []float64) []float64 {
	if step == 1 || values == nil {
		return values
	}
	some := make([]float64, 0, len(values)/step+1)
	for i := 0; i < len(values); i += step {
		some = append(some, values[i])
	}
	return some
}

// weighted multiplies values of the rows by the square roots of their weights.
func (s *sample) weighted(v []float64) []float64 {
	for i, w := range s.w {
		v[i] *= math.Sqrt(w)
	}
	return v
}

// residuals returns the residual of a tree in each row, times the square root of its weight.
func (s *sample) residuals(t expr.Tree) []float64 {
	v := t.Values(len(s.y), s.cols, t.Params())
	for i, y := range s.y {
		v[i] = y - v[i]
	}
	return s.weighted(v)
}
