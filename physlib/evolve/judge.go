package evolve

import (
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/vec"
)

// judge measures the fit of laws on a sample of the rows.
type judge struct {
	fitter  fit.Fitter
	cols    [][]float64
	y, w    []float64
	scatter float64 // Σ w·(y - ȳ)²
	dims    []unit.Dim
	target  unit.Dim
	units   bool
}

// rows is the largest number of rows on which a law is measured.
const rows = 256

// newJudge returns a judge on evenly spaced finite rows of p. ok is false if the target is
// constant.
func newJudge(p *dataset.Problem) (j *judge, ok bool) {
	j = &judge{cols: make([][]float64, len(p.Vars)), target: p.Target.Dim, units: p.Units}
	for _, v := range p.Vars {
		j.dims = append(j.dims, v.Dim)
	}
	mean, sum := 0.0, 0.0
	for _, r := range p.FiniteRows(rows) {
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[r]
			j.w = append(j.w, w)
		}
		for c, v := range p.Vars {
			j.cols[c] = append(j.cols[c], v.Values[r])
		}
		j.y = append(j.y, p.Target.Values[r])
		mean, sum = mean+w*p.Target.Values[r], sum+w
	}
	for i, y := range j.y {
		j.scatter += j.weight(i) * (y - mean/sum) * (y - mean/sum)
	}
	return j, j.scatter > 0 && vec.Finite(j.scatter)
}

func (j *judge) weight(i int) float64 {
	if j.w == nil {
		return 1
	}
	return j.w[i]
}

// unexplained returns the share of the target's variance that the law does not explain. It does not
// fit the law's constants. The share is +Inf if the law has no finite value in some row.
func (j *judge) unexplained(law expr.Tree) float64 {
	value := law.Values(len(j.y), j.cols, law.Params())
	sum := 0.0
	for i, y := range j.y {
		sum += j.weight(i) * (y - value[i]) * (y - value[i])
	}
	if rest := sum / j.scatter; vec.Finite(rest) {
		return rest
	}
	return math.Inf(1)
}

// fit returns law with its constants fitted, or unchanged if the fit fails.
func (j *judge) fit(law expr.Tree) expr.Tree {
	r, err := j.fitter.Fit(law, j.cols, j.y, j.w, fit.Settings{Starts: 2, MaxIter: 30})
	if err != nil {
		return law
	}
	return law.WithStarts(r.Params)
}

// balances reports whether law has the target's dimension for some units of its constants. If the
// units are unknown, it is true.
func (j *judge) balances(law expr.Tree) bool {
	if !j.units {
		return true
	}
	d, free, err := law.Dim(j.dims)
	return err == nil && (free || d == j.target)
}
