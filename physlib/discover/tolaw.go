package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// toLaw returns a candidate in the units of the table's columns. It refits the constants to rows,
// which are all rows of the table or some of them.
//
// If the dimensions of a law balance and the columns' units form a coherent system, the law keeps
// its form, whatever the base units are. Only the values of constants with units change, and
// temperatures count from absolute zero. Otherwise, columns whose units do not belong to the system
// get a conversion factor. An example is an angle in degrees, in a law that contains both the angle
// and its sine.
//
// The law's Score is the score of this search. The ranking replaces it by its own bits.
func (r *waySearch) toLaw(c *candidate, rows *dataset.Table) law.Law {
	t := c.tree
	base, coherent := r.columnBase()
	if coherent && c.unitsOK && r.p.Units {
		t = r.fromZero(rescaleParams(t, c.dims, base))
	} else {
		t = r.substituted(c)
	}
	t = readable(t, rows)
	l := law.Law{Tree: t, Vars: r.names(), Target: r.t.Target.Name, UnitsOK: c.unitsOK, Complexity: c.complexity, Score: c.score}
	r.refit(&l, c, rows)
	return l
}

// columnBase returns the base units from which the units of the table's columns are made, as the
// logarithms of their sizes in the problem's base units. coherent is false if no base units give
// all units of the columns.
func (r *waySearch) columnBase() (base logUnits, coherent bool) {
	return scaleBase(append(slices.Clip(r.p.Vars), r.p.Target))
}

// scaleBase returns the base units from which the units of some quantities are made. Scale is the
// size of a column's unit in the problem's unit: problem value = Scale·column + Offset.
func scaleBase(all []dataset.Quantity) (base logUnits, coherent bool) {
	var dims [][]float64
	var logs []float64
	for _, q := range all {
		dims = append(dims, exponents(q.Dim))
		logs = append(logs, math.Log(math.Abs(q.Scale)))
	}
	return commonUnits(dims, logs)
}

// rescaleParams converts constants from the problem's units to those of base. It multiplies a
// constant with dimension dim by exp(-dim·base).
func rescaleParams(t expr.Tree, dims []unit.Dim, base logUnits) expr.Tree {
	p := t.Params()
	for i := range p {
		if i >= len(dims) {
			continue
		}
		if s := base.of(exponents(dims[i])); s != 0 {
			p[i] /= math.Exp(s)
		}
	}
	return t.WithStarts(p)
}

// fromZero rewrites a law of the problem's quantities as a law of the columns. If a column counts
// from another zero than the problem, it gets an offset: T in degC becomes T + 273.15.
func (r *waySearch) fromZero(t expr.Tree) expr.Tree {
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		vars[i] = affineIn(expr.X(i), 1, zero(q))
	}
	t = t.SubstituteVars(vars)
	if o := zero(r.p.Target); o != 0 {
		t = expr.Apply(expr.Sub, t, expr.Num(o))
	}
	return t
}

// zero returns what must be added to a column's values, in the column's unit, so that they count
// from the zero of the problem's values. That is 273.15 for degC, minus the first date for a column
// of dates (countFrom in prepare.go), and 0 for nearly all other columns.
func zero(q dataset.Quantity) float64 { return unit.Unit{Scale: q.Scale, Offset: q.Offset}.Zero() }

// substituted returns the law over the table's columns, with conversion factors. The problem's
// value of a column is Scale·column + Offset. substituted converts the law to the units of the
// method factor. In these units the value is f·column + Offset·f/Scale, where f is the column's
// factor.
func (r *waySearch) substituted(c *candidate) expr.Tree {
	t := c.tree
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		vars[i] = affineIn(expr.X(i), r.factor(c, i), q.Offset*r.factor(c, i)/q.Scale)
	}
	target := r.p.Target
	f := target.Scale
	if c.unitsOK && r.p.Units {
		t = rescaleParams(t, c.dims, r.siBase())
		f = r.t.Target.Unit.Factor()
	}
	off := target.Offset * f / target.Scale
	t = t.SubstituteVars(vars)
	if off != 0 {
		t = expr.Apply(expr.Sub, t, expr.Num(off))
	}
	if f != 1 {
		t = expr.Apply(expr.Div, t, scaleTree(f))
	}
	return t
}

// factor returns the factor that converts column i to the units of the law: SI if the law balances,
// otherwise the problem's units.
func (r *waySearch) factor(c *candidate, i int) float64 {
	if c.unitsOK && r.p.Units {
		return r.columnUnit(i).Factor()
	}
	return r.p.Vars[i].Scale
}

// siBase returns the SI base units, measured in the problem's base units: a quantity with dimension
// dim has problem value = SI value · exp(dim·base).
func (r *waySearch) siBase() logUnits {
	all := append(slices.Clone(r.p.Vars), r.p.Target)
	for i := range r.p.Vars {
		all[i].Scale /= r.columnUnit(i).Factor()
	}
	all[len(r.p.Vars)].Scale /= r.t.Target.Unit.Factor()
	base, _ := scaleBase(all)
	return base
}

// columnUnit returns the unit of a column or known constant.
func (r *waySearch) columnUnit(i int) unit.Unit {
	if i < len(r.t.Vars) {
		return r.t.Vars[i].Unit
	}
	return r.t.Consts[i-len(r.t.Vars)].Unit
}

// affineIn returns f·x + o.
func affineIn(x expr.Tree, f, o float64) expr.Tree {
	if f != 1 {
		x = expr.Apply(expr.Mul, scaleTree(f), x)
	}
	if o != 0 {
		x = expr.Apply(expr.Add, x, expr.Num(o))
	}
	return x
}

// scaleTree returns a conversion factor as a tree, in closed form if there is a short one.
func scaleTree(f float64) expr.Tree {
	if form, ok := closed.Nearest(f, 1e-14*math.Abs(f)); ok {
		return form.Tree()
	}
	return expr.Num(f)
}

// fromLaw converts a law in the table's units back to the problem's quantities. Its constants
// become free. Each column is replaced by (problem value − Offset)/Scale.
func (r *waySearch) fromLaw(l law.Law) (expr.Tree, bool) {
	over, err := l.Over(r.names())
	if err != nil {
		return expr.Tree{}, false
	}
	t := over.Tree
	vars := make([]expr.Tree, len(r.p.Vars))
	for i, q := range r.p.Vars {
		x := expr.X(i)
		if q.Offset != 0 {
			x = expr.Apply(expr.Sub, x, expr.Num(q.Offset))
		}
		if q.Scale != 1 {
			x = expr.Apply(expr.Div, x, expr.Num(q.Scale))
		}
		vars[i] = x
	}
	t = t.WithStarts(over.Params()).SubstituteVars(vars)
	if s := r.p.Target.Scale; s != 1 {
		t = expr.Apply(expr.Mul, expr.Num(s), t)
	}
	if o := r.p.Target.Offset; o != 0 {
		t = expr.Apply(expr.Add, t, expr.Num(o))
	}
	return t.Simplify().AbsorbParams(), true
}

// names returns the names of the columns and constants.
func (r *waySearch) names() []string {
	var n []string
	for _, v := range r.p.Vars {
		n = append(n, v.Name)
	}
	return n
}
