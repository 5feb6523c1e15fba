package adapt

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/vec"
)

// Candidate is a law fitted to the table at hand.
type Candidate struct {
	// Law in the problem's variables, with constants that start at their fitted values.
	Law expr.Tree
	// R2 is the R² adjusted for the number of constants. It is -Inf if the fit failed, or if the
	// law has no finite value in some row.
	R2     float64
	Visits int     // number of times it was drawn
	Weight float64 // probability of being drawn as a target

	// target is the law's skeleton (see stream.Skeleton) over the columns that the network sees. It
	// is empty if the network cannot express it.
	target expr.Tree
	scale  float64
	tokens int
}

// Error returns the relative error e = √(1 - R²), or 0 if rounding has put R² above 1.
func (c *Candidate) Error() float64 { return math.Sqrt(math.Max(0, 1-c.R2)) }

// reward returns 1/(1 + e), from 0 to 1 (Petersen et al. 2021, §3).
func (c *Candidate) reward() float64 { return 1 / (1 + c.Error()) }

// rows is the largest number of rows on which candidates are scored.
const rows = 256

// judge fits laws to a table.
type judge struct {
	fitter fit.Fitter
	cols   [][]float64
	y, w   []float64
	rms    float64 // root of the variance of y
}

// newJudge keeps up to 256 finite rows of p, evenly spaced. ok is false if the target is constant.
func newJudge(p *dataset.Problem) (j *judge, ok bool) {
	j = &judge{cols: make([][]float64, len(p.Vars))}
	for _, r := range p.FiniteRows(rows) {
		j.y = append(j.y, p.Target.Values[r])
		for c, v := range p.Vars {
			j.cols[c] = append(j.cols[c], v.Values[r])
		}
		if p.Weights != nil {
			j.w = append(j.w, p.Weights[r])
		}
	}
	j.rms = math.Sqrt(variance(j.y, j.w))
	return j, j.rms > 0 && vec.Finite(j.rms)
}

// variance returns Σ w(y-ȳ)²/(rows-1), with the weighted mean ȳ. If w is nil all weights are 1.
func variance(y, w []float64) float64 {
	weight := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	mean, sum := 0.0, 0.0
	for i, v := range y {
		mean += weight(i) * v
		sum += weight(i)
	}
	mean /= sum
	squares := 0.0
	for i, v := range y {
		squares += weight(i) * (v - mean) * (v - mean)
	}
	return squares / float64(len(y)-1)
}

// fit fits the constants of law and sets R2 = 1 - (RSS/(rows - constants))/variance.
func (j *judge) fit(law expr.Tree) Candidate {
	c := Candidate{Law: law, R2: math.Inf(-1)}
	r, err := j.fitter.Fit(law, j.cols, j.y, j.w, fit.Settings{Starts: 3, MaxIter: 40})
	if err != nil || len(j.y) <= len(r.Params) {
		return c
	}
	if r2 := 1 - math.Pow(r.Sigma()/j.rms, 2); vec.Finite(r2) {
		c.R2, c.Law = r2, law.WithStarts(r.Params)
	}
	return c
}

// aim sets the target to the skeleton of the fitted law over columns, the columns that the network
// sees.
func (c *Candidate) aim(p *dataset.Problem, columns []int) {
	if c.Law.Len() == 0 {
		return
	}
	t := c.Law.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Var {
			return n
		}
		if k := slices.Index(columns, int(n.Index)); k >= 0 {
			n.Index = int32(k)
			return n
		}
		// The network does not see this column, since it is constant. It is replaced by its value.
		return expr.Node{Op: expr.Number, Value: p.Vars[n.Index].Values[0]}
	})
	if skel, scale, ok := stream.Skeleton(t); ok {
		c.target, c.scale = skel, scale
	}
}
