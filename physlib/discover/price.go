package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
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
	c = j.refitRounded(f, &candidate{tree: t.WithStarts(r.Params), res: r}, s)
	j.price(c, s)
	return c, !math.IsInf(c.score, 0) && !math.IsNaN(c.score)
}

// price calculates the complexity and the score of a fitted candidate.
func (j *judge) price(c *candidate, s *sample) {
	c.unitsOK = true
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
	c.rms = residualRMS(c.res)
	free := c.tree.NumParams()
	rss := c.res.RSS
	if c.scoreRMS > 0 { // set by refitRounded
		rss = c.scoreRMS * c.scoreRMS * float64(c.res.Rows)
	}
	c.score = law.Score(c.complexity, law.Residuals{Rows: c.res.Rows, RSS: rss, RMS: s.rms, Sigma: s.sigma, Free: free, Precision: precision(c.res, c.rms/s.rms)})
	if free > max(1, (c.res.Rows-2)/2) {
		c.score = math.Inf(1) // a law with a constant for every second row explains nothing
	}
	if !c.unitsOK {
		c.score += law.UnitsPenalty
	}
}

// residualRMS returns the weighted root mean square residual of a fit.
func residualRMS(r fit.Result) float64 { return math.Sqrt(r.RSS / float64(max(1, r.Rows))) }

// Bits that the score adds for each occurrence of a feature that is rare in laws.
const (
	unitBits      = 6.0 // a free constant with a unit
	bareAngleBits = 6.0 // an angle outside a sine, cosine or tangent
	ratioBits     = 6.0 // a ratio of like quantities in place of an angle
	powerBits     = 6.0 // a sum to the power of a fitted exponent
	// A quantity whose unit is ignored, as if the quantity were divided by a constant with that
	// unit.
	droppedBits = 12.0
)

// angles returns the price of two forms that are rare in physics. One is a trigonometric or
// hyperbolic function of a ratio of two quantities with the same dimension, such as v/c; usual
// arguments are angles, ωt and kx. The other is a column in degrees or radians outside such a
// function.
func (j *judge) angles(t expr.Tree) float64 {
	bits := 0.0
	nodes := t.Nodes()
	var inside []bool
	for i, n := range nodes {
		switch n.Op {
		case expr.Sin, expr.Cos, expr.Tan, expr.Sinh, expr.Cosh:
		default:
			continue
		}
		if inside == nil {
			inside = make([]bool, len(nodes))
		}
		depth := 1 // number of subtrees of the operand not yet visited, from right to left
		var seen []unit.Dim
		ratio, angle, power := false, false, false
		for k := i - 1; k >= 0 && depth > 0; k-- {
			inside[k] = true
			depth += nodes[k].Op.Arity() - 1
			switch nodes[k].Op {
			case expr.Square, expr.Cube, expr.Pow, expr.Sqrt, expr.Inv, expr.Exp, expr.Log:
				power = true
			case expr.Var:
				angle = angle || j.angle[nodes[k].Index]
			}
			if nodes[k].Op != expr.Var || int(nodes[k].Index) >= len(j.dims) {
				continue
			}
			d := j.dims[nodes[k].Index]
			if d.IsZero() {
				continue
			}
			for _, o := range seen {
				ratio = ratio || o == d
			}
			seen = append(seen, d)
		}
		if ratio {
			bits += ratioBits
		}
		if angle && power { // for example, the cosine of the square of an angle
			bits += bareAngleBits
		}
	}
	for i, n := range nodes {
		if n.Op == expr.Var && j.angle[n.Index] && (inside == nil || !inside[i]) {
			bits += bareAngleBits
		}
	}
	return bits
}

// powers returns the price of fitted exponents of sums. A column to a fitted power is common in
// empirical laws, but a sum to a fitted power can fit almost any curve.
func powers(t expr.Tree) (bits float64) {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && i >= 2 && nodes[i-1].Op == expr.Param && (nodes[i-2].Op == expr.Add || nodes[i-2].Op == expr.Sub) {
			bits += powerBits
		}
	}
	return bits
}

// dropped returns the number of quantities with a dimension, including the target. t is a law whose
// dimensions do not balance.
func (j *judge) dropped(t expr.Tree) (n int) {
	if j.p.Target.Known && !j.p.Target.Dim.IsZero() {
		n++
	}
	seen := make([]bool, len(j.dims))
	for _, v := range t.Nodes() {
		if v.Op == expr.Var && !seen[v.Index] && j.known[v.Index] && !j.dims[v.Index].IsZero() {
			seen[v.Index] = true
			n++
		}
	}
	return n
}

// withRoundedExponents returns t with its fitted exponents rounded to hundredths. The dimensions of
// a law such as c0·T**3.86 can then balance: the unit of c0 contains a power of the unit of T.
func withRoundedExponents(t expr.Tree) expr.Tree {
	var nodes []expr.Node
	src := t.Nodes()
	for i, n := range src {
		if n.Op == expr.Param && i+1 < len(src) && src[i+1].Op == expr.Pow {
			n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*100) / 100}
		}
		if nodes == nil && n != src[i] {
			nodes = append([]expr.Node(nil), src...)
		}
		if nodes != nil {
			nodes[i] = n
		}
	}
	if nodes == nil {
		return t
	}
	r, _ := expr.FromNodes(nodes)
	return r
}
