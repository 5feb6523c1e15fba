package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/unit"
)

// withConstants returns the law c in SI units, with the table's named constants in place of what
// the fitted numbers owe to them and to the columns' units: P = 2*pi*a**(3/2)/sqrt(G*M), where a
// fit in kilometres and days has a number for 2π, G and the units together. It is "" where the
// table names no constants, where a unit is not known, and where no constant occurs in it.
func (k *ranking) withConstants(c ranked) string {
	if len(k.t.Consts) == 0 || !c.Balanced || k.m.Rows() != k.t.Rows() {
		return ""
	}
	scale, ok := unitScales(k.t, c.Tree)
	if !ok {
		return ""
	}
	tree := absorbed(k.m.Lower(c.Tree), len(k.t.Vars))
	fitted, ok := k.m.Scorer().Refit(k.m.Lift(tree), c.Errors)
	if !ok || !fitted.Balanced {
		return ""
	}
	tree = k.m.Lower(fitted.Tree)
	dims := k.m.ParamDims(fitted.Tree)
	var factors []expr.Tree
	named := false
	for i, v := range fitted.Params {
		f := math.Exp(floats.Dot(exponents(dims[i]), scale))
		t, some := k.inConstants(v*f, fitted.StdErr[i]*f, dims[i])
		factors = append(factors, t)
		named = named || some
	}
	if !named {
		return ""
	}
	names := make([]string, 0, len(k.t.Vars)+len(k.t.Consts))
	for _, v := range k.t.Vars {
		names = append(names, v.Name)
	}
	for _, v := range k.t.Consts {
		names = append(names, v.Name)
	}
	return k.t.Target.Name + " = " + tree.SubstituteParams(factors).Simplify().Format(names, 6)
}

// unitScales returns the logarithms of the base units that the columns of a tree and the target are
// in; ok is false where a unit is not known, has an offset, or does not fit the others.
func unitScales(t *dataset.Table, tree expr.Tree) (base []float64, ok bool) {
	cols := []dataset.Column{t.Target}
	for i, v := range t.Vars {
		if slices.Contains(tree.Vars(), i) {
			cols = append(cols, v)
		}
	}
	var dims [][]float64
	var logs []float64
	for _, c := range cols {
		if !c.HasUnit || c.Unit.Offset != 0 || c.Unit.Dim.IsZero() && c.Unit.Factor() != 1 {
			return nil, false
		}
		dims = append(dims, exponents(c.Unit.Dim))
		logs = append(logs, math.Log(c.Unit.Factor()))
	}
	b, ok := baseUnits(dims, logs, 1e-12)
	for i, d := range dims {
		ok = ok && math.Abs(floats.Dot(d, b[:])-logs[i]) < 1e-6*(1+math.Abs(logs[i]))
	}
	return b[:], ok
}

// absorbed returns t with free constants in place of the variables from the given one on.
func absorbed(t expr.Tree, from int) expr.Tree {
	next := int32(t.NumParams())
	return t.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Var || int(n.Index) < from {
			return n
		}
		next++
		return expr.Node{Op: expr.Param, Index: next - 1, Value: 1}
	}).MergeParams()
}

// constantPowers are the exponents that a named constant may have in a law.
var constantPowers = []float64{1, -1, 0.5, -0.5, 2, -2, 1.5, -1.5, 1. / 3, -1. / 3}

// inConstants writes a number in SI units as a closed form, or a number, times powers of one or two
// named constants; named is false where none has a part in it.
func (k *ranking) inConstants(v, stderr float64, d unit.Dim) (t expr.Tree, named bool) {
	if d.IsZero() {
		return expr.Num(v), false
	}
	at := func(i int) expr.Tree { return expr.X(len(k.t.Vars) + i) }
	fits := func(dims []float64) bool {
		for i, e := range exponents(d) {
			if math.Abs(e-dims[i]) > 1e-9 {
				return false
			}
		}
		return true
	}
	rest := func(factor float64, names expr.Tree) (expr.Tree, bool) {
		r, se := v/factor, stderr/math.Abs(factor)
		number := expr.Num(r)
		if forms := fit.Closed(r, max(3*se, 1e-9*math.Abs(r)), 1); len(forms) > 0 && forms[0].Bits < 12 && se < 0.05*math.Abs(r) {
			number = forms[0].Tree
		}
		return expr.Apply(expr.Mul, number, names), true
	}
	for i, a := range k.t.Consts {
		if !a.HasUnit {
			continue
		}
		for _, p := range constantPowers {
			da := exponents(a.Unit.Dim)
			for n := range da {
				da[n] *= p
			}
			fa, ta := math.Pow(a.SI(), p), expr.Apply(expr.Pow, at(i), expr.Num(p))
			if !a.Unit.Dim.IsZero() && fits(da) {
				return rest(fa, ta)
			}
			for j, b := range k.t.Consts[:i] {
				for _, q := range constantPowers {
					db := exponents(b.Unit.Dim)
					for n := range db {
						db[n] = da[n] + q*db[n]
					}
					if fits(db) {
						tb := expr.Apply(expr.Pow, at(j), expr.Num(q))
						return rest(fa*math.Pow(b.SI(), q), expr.Apply(expr.Mul, ta, tb))
					}
				}
			}
		}
	}
	return expr.Num(v), false
}
