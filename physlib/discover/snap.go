package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// snap puts constants of a candidate in closed form, or removes them. It changes one constant at a
// time, as long as this shortens the description of law and residuals. A constant with a unit is
// considered only if it may be 0, since its value depends on the units.
func (j *judge) snap(c *candidate, timeUp func() bool) *candidate {
	for range 12 {
		if timeUp() {
			return c
		}
		next := j.snapOne(c)
		if next == nil {
			return c
		}
		c = next
	}
	return c
}

// snapOne returns the best of the candidates with one constant less, or nil if none is better than
// c.
func (j *judge) snapOne(c *candidate) *candidate {
	var best *candidate
	for slot, v := range c.res.Params {
		if c.dims != nil && slot < len(c.dims) && !c.dims[slot].IsZero() && j.p.Units {
			if math.Abs(v) > snapErrors*c.res.StdErr[slot] {
				continue
			}
		}
		for _, f := range j.closedForms(c, slot) {
			t := rewrite.Fold(c.tree.SubstituteParam(slot, f.Tree))
			s := j.finalSample
			n, ok := j.evaluate(t, s, fit.Settings{Starts: 1, MaxIter: 20})
			if !ok || n.score > c.score || best != nil && n.score >= best.score || !n.unitsOK && c.unitsOK {
				continue
			}
			best = n.asRefitOf(c, law.Constant{Value: f.Value, StdErr: c.res.StdErr[slot], Exact: f.Text})
		}
	}
	return best
}

// snapErrors is the number of standard errors by which a closed form, or 0, may differ from a
// fitted constant.
const snapErrors = 2.5

// closedForms returns the closed forms that agree with the constant in slot within its standard
// error.
func (j *judge) closedForms(c *candidate, slot int) []fit.ClosedForm {
	v, se := c.res.Params[slot], c.res.StdErr[slot]
	var out []fit.ClosedForm
	if math.IsInf(se, 0) || math.IsNaN(se) {
		se = math.Abs(v)
	}
	// In exact data, even a factor without effect, such as exp(5e-18·x), seems well determined.
	if math.Abs(v) < snapErrors*se || j.exact(c) {
		out = append(out, fit.ClosedForm{Tree: expr.Num(0), Text: "0"})
	}
	// In few rows a closed form must have higher odds, since some agree by chance.
	spare := max(0, 5-float64(c.res.Rows)/5)
	if tree, text, bits, ok := fit.Snap(v, se); ok {
		if f := (fit.ClosedForm{Tree: tree, Text: text, Value: value(tree), Bits: bits}); f.Odds(v, se) >= 3+spare {
			out = append(out, f)
		}
	}
	for _, f := range fit.Closed(v, min(snapErrors*se, 0.2*math.Abs(v)), 2) {
		if f.Bits <= 5 && f.Odds(v, se) >= spare && (len(out) == 0 || out[len(out)-1].Text != f.Text) {
			out = append(out, f)
		}
	}
	return out
}

// value returns the value of a tree without variables or free constants.
func value(t expr.Tree) float64 {
	v := []float64{0}
	expr.Compile(t).Eval(v, nil, nil)
	return v[0]
}
