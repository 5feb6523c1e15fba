package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// snap puts the candidate's constants in closed form one after the other, or out of the law, where that shortens the
// description of law and residuals together. Constants that carry a unit keep their numbers, for these depend on the units.
func (j *judge) snap(c *candidate) *candidate {
	for range 12 {
		next := j.snapOne(c)
		if next == nil {
			return c
		}
		c = next
	}
	return c
}

// snapOne is the best of the candidates with one constant less; nil when none is better.
func (j *judge) snapOne(c *candidate) *candidate {
	var best *candidate
	for slot, v := range c.res.Params {
		if c.dims != nil && slot < len(c.dims) && !c.dims[slot].IsZero() && j.p.Units {
			if math.Abs(v) > 2.5*c.res.StdErr[slot] {
				continue
			}
		}
		for _, f := range j.forms(c, slot) {
			t := replace(c.tree, slot, f.tree)
			s := j.full
			n, ok := j.evaluate(t, s, fit.Settings{Starts: 1, MaxIter: 20})
			if !ok || n.score > c.score || best != nil && n.score >= best.score || !n.unitsOK && c.unitsOK {
				continue
			}
			n.order = c.order
			n.snapped = append(append([]law.Constant(nil), c.snapped...), law.Constant{Value: f.value, StdErr: c.res.StdErr[slot], Exact: f.text})
			best = n
		}
	}
	return best
}

// form is a closed form that a constant may have.
type form struct {
	value float64
	text  string
	tree  expr.Tree
}

// forms lists what the constant in slot may be, given its standard error.
func (j *judge) forms(c *candidate, slot int) []form {
	v, se := c.res.Params[slot], c.res.StdErr[slot]
	var out []form
	if math.IsInf(se, 0) || math.IsNaN(se) {
		se = math.Abs(v)
	}
	if math.Abs(v) < 2.5*se {
		out = append(out, form{0, "0", expr.Num(0)})
	}
	tol := max(2.5*se, 1e-10*math.Abs(v))
	if j.exact(c) {
		tol = max(min(tol, 1e-6*math.Abs(v)), 1e-8*math.Abs(v))
	}
	for _, f := range fit.Closed(v, min(tol, 0.2*math.Abs(v)), 2) {
		out = append(out, form{f.Value, f.Text, f.Tree})
	}
	return out
}

// replace is t with the constant in slot replaced and those above it moved down.
func replace(t expr.Tree, slot int, by expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		switch {
		case n.Op == expr.Param && int(n.Index) == slot:
			nodes = append(nodes, by.Nodes()...)
			continue
		case n.Op == expr.Param && int(n.Index) > slot:
			n.Index--
		}
		nodes = append(nodes, n)
	}
	r, _ := expr.FromNodes(nodes)
	return r
}
