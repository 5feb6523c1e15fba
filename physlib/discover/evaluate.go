package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// evaluate fits t to the rows of s. ok is false for a tree that cannot be a law.
func (j *judge) evaluate(t expr.Tree, s *sample, set fit.Settings) (c *candidate, ok bool) {
	f := j.fitters.Get().(*fit.Fitter)
	defer j.fitters.Put(f)
	r, err := f.Fit(t, s.cols, s.y, s.w, set)
	if err != nil || math.IsNaN(r.RSS) {
		return nil, false
	}
	if s.w != nil && s.sigma == 0 { // weights are known up to a factor
		scale := math.Sqrt(r.RSS / float64(max(1, r.Rows-len(r.Params))))
		for i := range r.StdErr {
			r.StdErr[i] *= scale
		}
	}
	c = j.priced(j.refitRounded(f, fittedTree{tree: t.WithStarts(r.Params), res: r}, s), s)
	return c, !math.IsInf(c.score, 0) && !math.IsNaN(c.score)
}

// priced returns a tree that was fitted to the rows of s with its complexity and its score.
func (j *judge) priced(f fittedTree, s *sample) *candidate {
	c := &candidate{fittedTree: f, unitsOK: true, rms: residualRMS(f.res)}
	c.complexity = law.Complexity(c.tree, j.vars) + j.angles(c.tree) + powers(c.tree)
	if j.anyDim {
		var violation float64
		c.dims, violation = withRoundedExponents(c.tree).ParamDimsKnown(j.dims, j.known, j.p.Target.Dim, j.p.Target.Known)
		c.unitsOK = violation == 0
		for _, d := range c.dims {
			if !d.IsZero() {
				c.complexity += unitBits
			}
		}
		if !c.unitsOK {
			c.complexity += droppedBits * float64(j.dropped(c.tree))
		}
	}
	free := c.tree.NumParams()
	rss := c.res.RSS
	if c.scoreRMS > 0 {
		rss = c.scoreRMS * c.scoreRMS * float64(c.res.Rows)
	}
	c.score = law.Score(c.complexity, law.Residuals{Rows: c.res.Rows, RSS: rss, RMS: s.rms, Sigma: s.sigma, Free: free, Precision: precision(c.res, c.rms/s.rms)})
	if free > max(1, (c.res.Rows-2)/2) {
		c.score = math.Inf(1) // a law with a constant for every second row explains nothing
	}
	if !c.unitsOK {
		c.score += law.UnitsPenalty
	}
	return c
}

// residualRMS returns the weighted root mean square residual of a fit.
func residualRMS(r fit.Result) float64 { return math.Sqrt(r.RSS / float64(max(1, r.Rows))) }
