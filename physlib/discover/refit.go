package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// refit fits the law's constants to rows of the original table, and sets its measures of quality.
func (r *waySearch) refit(l *law.Law, c *candidate, rows *dataset.Table) {
	cols, n := columns(rows), rows.Rows()
	y := rows.Target.Values
	var w []float64
	if rows.Sigma != nil {
		w = weights(rows)
	} else if c.rounded && len(r.j.finalSample.y) == n {
		// These weights are 1/variance in the unit of the problem, whose target is Scale times the
		// column plus an offset.
		w = inverses(r.j.finalSample.rounding(c.tree))
		floats.Scale(r.p.Target.Scale*r.p.Target.Scale, w)
	}
	res, err := fit.Fit(l.Tree, cols, y, w, fit.Settings{Starts: 1})
	if err == nil {
		l.Tree = l.Tree.WithStarts(res.Params)
	}
	got := l.Tree.Values(n, cols, l.Tree.Params())
	rss := 0.0
	for i, v := range y {
		rss += (v - got[i]) * (v - got[i])
	}
	l.RMSE, l.R2 = law.Quality(rss, y)
	var conditional []float64
	if err == nil {
		conditional = res.Conditional()
	}
	l.Constants = append(l.Constants, r.fittedConstants(l.Tree, rows, res, conditional)...)
	l.Constants = append(l.Constants, standing(l.Bound(), c.snapped)...)
	l.NameConstants()
}

// fittedConstants returns the constants of a law with their errors, units and closed forms.
// conditional holds the standard error that each constant has if the others are fixed.
func (r *waySearch) fittedConstants(t expr.Tree, rows *dataset.Table, fitted fit.Result, conditional []float64) (all []law.Constant) {
	dims := r.constantDims(t)
	celsius, degree := temperatures(rows, t, dims)
	for i, p := range t.Params() {
		k := law.Constant{Value: p}
		if r.how.proportional && i < len(fitted.StdErr) {
			// The weights are known only up to a factor, as in judge.evaluate.
			f := math.Sqrt(fitted.RSS / float64(max(1, fitted.Rows-len(fitted.Params))))
			fitted.StdErr[i] *= f
			conditional[i] *= f
		}
		if i < len(fitted.StdErr) && !math.IsInf(fitted.StdErr[i], 0) && !math.IsNaN(fitted.StdErr[i]) {
			k.StdErr, k.ConditionalErr = fitted.StdErr[i], conditional[i]
		}
		if i < len(dims) {
			k.Unit = r.unitName(dims[i])
		}
		if i < len(celsius) && celsius[i] {
			k.Unit = degree
		}
		if form, text, _, ok := fit.Snap(p, k.StdErr); ok && k.StdErr > 0 {
			// The value of a constant with a unit depends on the choice of units.
			number := i >= len(dims) || dims[i].IsZero()
			if number && math.Abs(value(form)-p) <= k.ConditionalErr {
				// The closed form is so close that the values of the law do not change.
				k.Exact = text
			}
		}
		all = append(all, k)
	}
	return all
}

// standing returns the closed-form constants that still appear in the law shown, as they were
// fitted or as a power. For example, 4*pi**2 under a root appears as 2*pi.
func standing(shown expr.Tree, snapped []law.Constant) (out []law.Constant) {
	parts := constantParts(shown)
	equal := func(v float64) int {
		return slices.IndexFunc(parts, func(p expr.Tree) bool { return math.Abs(math.Abs(value(p))-v) < 1e-9*v })
	}
	for _, k := range snapped {
		v := math.Abs(k.Value)
		if v == 0 { // the constant of a term that was removed
			continue
		}
		if equal(v) >= 0 || equal(1/v) >= 0 {
			out = append(out, k)
			continue
		}
		for _, e := range []float64{0.5, -0.5, 2, -2} {
			if i := equal(math.Pow(v, e)); i >= 0 {
				now := math.Abs(value(parts[i]))
				out = append(out, law.Constant{Value: now, StdErr: k.StdErr * math.Abs(e) * now / v, Exact: parts[i].Infix(nil)})
				break
			}
		}
	}
	return out
}

// constantParts returns all parts of t that contain neither a variable nor a free constant. Larger
// parts come first.
func constantParts(t expr.Tree) (parts []expr.Tree) {
	if t.Len() == 0 {
		return nil
	}
	if len(t.Vars()) == 0 && t.NumParams() == 0 {
		parts = append(parts, t)
	}
	for _, a := range t.Args() {
		parts = append(parts, constantParts(a)...)
	}
	return parts
}

// constantDims returns the dimensions of t's free constants. It returns nil if no quantity has a
// dimension, or if the dimensions of t do not balance. t is over the table's columns.
func (r *waySearch) constantDims(t expr.Tree) []unit.Dim {
	if !r.j.anyDim {
		return nil
	}
	dims, violation := withRoundedExponents(r.overQuantities(t)).ParamDimsKnown(r.j.dims, r.j.known, r.p.Target.Dim, r.p.Target.Known)
	if violation > 0 {
		return nil
	}
	return dims
}

// overQuantities reverses fromZero: it replaces T + 273.15 by T if the law still contains this sum.
// The dimensions of the constants of the law can then be determined.
func (r *waySearch) overQuantities(t expr.Tree) expr.Tree {
	is := func(n expr.Node, q dataset.Quantity) bool {
		return n.Op == expr.Number && q.Offset != 0 && math.Abs(n.Value-zero(q)) < 1e-9*math.Abs(zero(q))
	}
	var out []expr.Node
	for _, n := range t.Nodes() {
		if k := len(out); n.Op == expr.Add && k >= 2 {
			a, b := out[k-2], out[k-1]
			if b.Op == expr.Var {
				a, b = b, a
			}
			if a.Op == expr.Var && is(b, r.p.Vars[a.Index]) {
				out = append(out[:k-2], a)
				continue
			}
		}
		out = append(out, n)
	}
	if k := len(out); k > 2 && out[k-1].Op == expr.Sub && is(out[k-2], r.p.Target) {
		out = out[:k-2]
	}
	t, _ = expr.FromNodes(out)
	return t
}
