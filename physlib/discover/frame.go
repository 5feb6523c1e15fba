package discover

import (
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// toLaw writes a candidate in the units of the table's columns and refits it there, on all rows.
//
// A law whose dimensions balance keeps its form when the columns' units form a coherent system,
// whatever its base units; then only the constants that carry a unit change, and temperatures get
// their distance from the absolute zero. Otherwise the columns that are out of system, such as
// angles in degrees beside their sine, appear with their conversion factor.
func (r *run) toLaw(c *candidate) law.Law {
	t := c.tree
	base, coherent := r.system()
	if coherent && c.unitsOK && r.p.Units {
		t = r.fromZero(rescaleParams(t, c.dims, base))
	} else {
		t = r.substituted(c)
	}
	t = readable(t, r.t)
	l := law.Law{Tree: t, Target: r.t.Target.Name, UnitsOK: c.unitsOK, Complexity: c.bits, Score: c.score}
	for _, v := range r.p.Vars {
		l.Vars = append(l.Vars, v.Name)
	}
	r.refit(&l, c)
	return l
}

// readable writes a law as people do: conversion factors merged, denominators of sums cleared,
// where that gives the same values.
func readable(t expr.Tree, table *dataset.Table) expr.Tree {
	cols, rows := columns(table), min(table.Rows(), 1000)
	for i := range cols {
		cols[i] = cols[i][:rows]
	}
	for range 3 {
		before := t
		for _, next := range []expr.Tree{primitive(t), t.AbsorbParams().Simplify()} {
			if next.Len() > 0 && next.Len() < t.Len() && agrees(t, next, cols, rows) {
				t = next
			}
		}
		if t.Len() == before.Len() {
			break
		}
	}
	if u := upright(t); agrees(t, u, cols, rows) {
		t = u
	}
	return t
}

// columns are the table's columns and named constants, as written.
func columns(t *dataset.Table) [][]float64 {
	cols := make([][]float64, 0, len(t.Vars)+len(t.Consts))
	for _, c := range t.Vars {
		cols = append(cols, c.Values)
	}
	for _, k := range t.Consts {
		cols = append(cols, slices.Repeat([]float64{k.Value}, t.Rows()))
	}
	return cols
}

// system finds the base units in which the table's columns are written: log factors such that the
// scale of every column is the product of them by its dimension. coherent is false when there are
// none.
func (r *run) system() (base [len(unit.Dim{})]float64, coherent bool) {
	var rows [][]float64
	var rhs []float64
	for _, q := range append(r.p.Vars[:len(r.p.Vars):len(r.p.Vars)], r.p.Target) {
		rows = append(rows, exponents(q.Dim))
		rhs = append(rhs, math.Log(math.Abs(q.Scale)))
	}
	base, ok := baseUnits(rows, rhs, 1e-12)
	if !ok {
		return base, false
	}
	for k, d := range rows {
		s := 0.0
		for i, e := range d {
			s += e * base[i]
		}
		if math.Abs(s-rhs[k]) > 1e-6*(1+math.Abs(rhs[k])) {
			return base, false
		}
	}
	return base, true
}

// fromZero writes a law over quantities in the columns' own steps over the columns: those with a
// zero point of their own, such as temperatures in degC, with its distance, T + 273.15.
func (r *run) fromZero(t expr.Tree) expr.Tree {
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		vars[i] = affineIn(expr.X(i), 1, zero(q))
	}
	t = replaceVars(t, vars)
	if o := zero(r.p.Target); o != 0 {
		t = expr.Apply(expr.Sub, t, expr.Num(o))
	}
	return t
}

// zero is where a quantity's scale begins, in steps of its column: 273.15 for degC, 0 for nearly
// all others.
func zero(q dataset.Quantity) float64 { return math.Round(q.Offset/q.Scale*1e9) / 1e9 }

// overQuantities undoes fromZero where a law still shows the distances, so that its dimensions can
// be read off.
func (r *run) overQuantities(t expr.Tree) expr.Tree {
	is := func(n expr.Node, q dataset.Quantity) bool {
		return n.Op == expr.Number && q.Offset != 0 && math.Abs(n.Value-zero(q)) < 1e-9*zero(q)
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

// rescaleParams moves constants from the problem's system to that of the columns.
func rescaleParams(t expr.Tree, dims []unit.Dim, base [len(unit.Dim{})]float64) expr.Tree {
	p := t.Params()
	for i := range p {
		if i >= len(dims) {
			continue
		}
		s := 0.0
		for k, e := range exponents(dims[i]) {
			s += e * base[k]
		}
		if s != 0 {
			p[i] /= math.Exp(s)
		}
	}
	return t.WithStarts(p)
}

// substituted writes the law in the columns' own units by their conversion factors.
func (r *run) substituted(c *candidate) expr.Tree {
	t := c.tree
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		vars[i] = affineIn(expr.X(i), r.factor(c, i), q.Offset*r.factor(c, i)/q.Scale)
	}
	target := r.p.Target
	f := target.Scale
	if c.unitsOK && r.p.Units {
		t = rescaleParams(t, c.dims, r.naturalBase())
		f = r.t.Target.Unit.Factor()
	}
	off := target.Offset * f / target.Scale
	t = replaceVars(t, vars)
	if off != 0 {
		t = expr.Apply(expr.Sub, t, expr.Num(off))
	}
	if f != 1 {
		t = expr.Apply(expr.Div, t, scaleTree(f))
	}
	return t
}

// factor converts column i to the system in which the law is written: SI where the law balances,
// the problem's otherwise.
func (r *run) factor(c *candidate, i int) float64 {
	if c.unitsOK && r.p.Units {
		if i < len(r.t.Vars) {
			return r.t.Vars[i].Unit.Factor()
		}
		return r.t.Consts[i-len(r.t.Vars)].Unit.Factor()
	}
	return r.p.Vars[i].Scale
}

// naturalBase is log of the problem's base units in SI: problem value = SI value / exp(dim·base).
func (r *run) naturalBase() (base [len(unit.Dim{})]float64) {
	saved := r.p
	defer func() { r.p = saved }()
	p := *r.p
	p.Vars = append(p.Vars[:0:0], p.Vars...)
	for i := range p.Vars {
		u := 1.0
		if i < len(r.t.Vars) {
			u = r.t.Vars[i].Unit.Factor()
		} else {
			u = r.t.Consts[i-len(r.t.Vars)].Unit.Factor()
		}
		p.Vars[i].Scale /= u
		p.Vars[i].Offset = 0
	}
	p.Target.Scale /= r.t.Target.Unit.Factor()
	p.Target.Offset = 0
	r.p = &p
	base, _ = r.system()
	return base
}

// affineIn is f·x + o.
func affineIn(x expr.Tree, f, o float64) expr.Tree {
	if f != 1 {
		x = expr.Apply(expr.Mul, scaleTree(f), x)
	}
	if o != 0 {
		x = expr.Apply(expr.Add, x, expr.Num(o))
	}
	return x
}

// scaleTree writes a conversion factor, in closed form where it has a short one.
func scaleTree(f float64) expr.Tree {
	if form, ok := closed.Nearest(f, 1e-14*math.Abs(f)); ok {
		return form.Tree()
	}
	return expr.Num(f)
}

// replaceVars substitutes all variables at once.
func replaceVars(t expr.Tree, by []expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op == expr.Var {
			nodes = append(nodes, by[n.Index].Nodes()...)
			continue
		}
		nodes = append(nodes, n)
	}
	r, _ := expr.FromNodes(nodes)
	return r
}

// refit fits the law's constants to the table as it stands, all rows, and fills in what it leaves.
func (r *run) refit(l *law.Law, c *candidate) {
	cols, n := columns(r.t), r.t.Rows()
	y := r.t.Target.Values
	var w []float64
	if r.t.Sigma != nil {
		w = weights(r.t)
	} else if c.rounded && len(r.j.full.y) == n {
		w = inverses(r.j.full.rounding(c.tree))
		floats.Scale(r.p.Target.Scale*r.p.Target.Scale, w)
	}
	res, err := fit.Fit(l.Tree, cols, y, w, fit.Settings{Starts: 1})
	if err == nil {
		l.Tree = l.Tree.WithStarts(res.Params)
	}
	got := make([]float64, n)
	expr.Compile(l.Tree).Eval(got, cols, l.Tree.Params())
	rss := 0.0
	for i, v := range y {
		rss += (v - got[i]) * (v - got[i])
	}
	l.RMSE, l.R2 = law.Quality(rss, y)
	dims := r.columnDims(l.Tree)
	var alone []float64
	if err == nil {
		alone = res.Conditional()
	}
	for i, p := range l.Tree.Params() {
		k := law.Constant{Value: p}
		if r.relative && i < len(res.StdErr) {
			f := math.Sqrt(res.RSS / float64(max(1, res.Rows-len(res.Params))))
			res.StdErr[i] *= f
			alone[i] *= f
		}
		if i < len(res.StdErr) && !math.IsInf(res.StdErr[i], 0) && !math.IsNaN(res.StdErr[i]) {
			k.StdErr, k.Alone = res.StdErr[i], alone[i]
		}
		if i < len(dims) {
			k.Unit = r.unitName(dims[i])
		}
		if form, text, _, ok := fit.Snap(p, k.StdErr); ok && k.StdErr > 0 {
			number := i >= len(dims) || dims[i].IsZero() // else it depends on the units
			if number && math.Abs(value(form)-p) <= k.Alone {
				k.Exact = text // put in its place the law still gives its values
			}
		}
		l.Constants = append(l.Constants, k)
	}
	l.Constants = append(l.Constants, standing(l.Bound(), c.snapped)...)
	prefix := "c"
	if slices.ContainsFunc(l.Vars, numberedConstant.MatchString) {
		prefix = "const"
	}
	for i := range l.Constants {
		l.Constants[i].Name = prefix + itoa(i)
	}
}

// numberedConstant is how constants are called where no column is called so.
var numberedConstant = regexp.MustCompile(`^c\d+$`)

// columnDims are the dimensions of the law's free constants.
func (r *run) columnDims(t expr.Tree) []unit.Dim {
	if !r.j.anyDim {
		return nil
	}
	dims, violation := tabulated(r.overQuantities(t)).ParamDimsKnown(r.j.dims, r.j.known, r.p.Target.Dim, r.p.Target.Known)
	if violation > 0 {
		return nil
	}
	return dims
}
