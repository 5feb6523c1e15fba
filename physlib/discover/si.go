package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// inSI returns the law l in SI units, with its fitted numbers written as products of known
// constants of the table and a plain number. An example is P = 2*pi*a**(3/2)/sqrt(G*M). A fit in
// kilometres and days has a single number instead of 2π, G and the units. inSI returns "" if
//
//   - l is empty, or its dimensions do not balance,
//   - the table has more than rankedRows rows,
//   - a unit is unknown, or a column has its own zero, as in degC (see converted),
//   - the form in SI units has more constants than l,
//   - the fit in SI units fails, or its dimensions do not balance, or
//   - the columns' own units are coherent and the law has no known constant.
func (k *ranking) inSI(l law.Law) string {
	if l.Tree.Len() == 0 || !l.UnitsOK || k.m.Rows() != k.t.Rows() {
		return ""
	}
	tree := l.Tree.WithStarts(l.Params())
	converted, ok := k.converted(tree)
	if !ok || converted.NumParams() > freed(tree).NumParams() {
		return "" // the form has more constants than the law, so some number of it has a unit
	}
	m := mdl.New(inSIUnits(k.t), k.m.Prior, true)
	fitted, ok := m.Scorer().Refit(converted, mdl.Equal)
	if k.m.OneSign() {
		fitted, ok = m.Scorer().Refit(converted, mdl.Proportional)
	}
	if !ok || !fitted.Balanced {
		return ""
	}
	known := slices.ContainsFunc(l.Tree.Vars(), func(v int) bool { return v >= len(k.t.Vars) })
	var factors []expr.Tree
	dims := m.ParamDims(fitted.Tree)
	for i, v := range fitted.Params {
		var d unit.Dim // stays zero for an exponent, which has no dimension
		if i < len(dims) {
			d = dims[i]
		}
		t, some := k.inConstants(v, fitted.StdErr[i], d)
		factors = append(factors, t)
		known = known || some
	}
	if !known && coherent(unitsOf(k.t, l.Tree)) {
		return ""
	}
	written := rewrite.Fold(fitted.Tree.SubstituteParams(factors))
	if known {
		written = written.Simplify() // sqrt(G)*sqrt(M) becomes sqrt(G*M)
	}
	return k.t.Target.Name + " = " + written.Format(k.t.InputNames(), 6)
}

// converted returns t over columns in SI units. ok is false if t has a column without a unit, or a
// column whose unit has its own zero.
func (k *ranking) converted(t expr.Tree) (c expr.Tree, ok bool) {
	next := int32(t.NumParams())
	ok = k.t.Target.HasUnit && k.t.Target.Unit.Offset == 0
	scaled := func(x expr.Tree, by float64) expr.Tree {
		if by == 1 {
			return x
		}
		next++
		return expr.Apply(expr.Mul, expr.C(int(next-1), by), x)
	}
	c = k.m.FromColumns(t).ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op != expr.Var {
			return expr.Tree{}
		}
		column, angle, fromZero := k.m.Derived(int(n.Index))
		u, has := k.unitOf(column)
		// A variable that counts years from the first year of its column.
		sinceFirst := column != int(n.Index) && !angle && !fromZero
		ok = ok && has && (u.Offset == 0 || fromZero) && !sinceFirst
		if angle {
			return expr.X(column)
		}
		return scaled(expr.X(column), 1/u.Factor())
	})
	return freed(scaled(c, k.t.Target.Unit.Factor())).MergeParams(), ok
}

// unitOf returns the unit of a column or known constant.
func (k *ranking) unitOf(variable int) (u unit.Unit, has bool) {
	if n := len(k.t.Vars); variable >= n {
		return k.t.Consts[variable-n].Unit, k.t.Consts[variable-n].HasUnit
	}
	return k.t.Vars[variable].Unit, k.t.Vars[variable].HasUnit
}

// inSIUnits returns t with all columns and constants in SI units.
func inSIUnits(t *dataset.Table) *dataset.Table {
	c := *t
	c.Sigma = nil
	c.Vars, c.Consts = slices.Clone(t.Vars), slices.Clone(t.Consts)
	for i, v := range c.Vars {
		c.Vars[i].Values, c.Vars[i].Unit = v.SI(), unit.SI(v.Unit.Dim)
	}
	for i, v := range c.Consts {
		c.Consts[i].Value, c.Consts[i].Unit = v.SI(), unit.SI(v.Unit.Dim)
	}
	c.Target.Values, c.Target.Unit = t.Target.SI(), unit.SI(t.Target.Unit.Dim)
	return &c
}

// unitsOf returns the units of the target and of the columns and constants that occur in tree.
func unitsOf(t *dataset.Table, tree expr.Tree) []unit.Unit {
	units := []unit.Unit{t.Target.Unit}
	for _, v := range tree.Vars() {
		if n := len(t.Vars); v < n {
			units = append(units, t.Vars[v].Unit)
		} else {
			units = append(units, t.Consts[v-n].Unit)
		}
	}
	return units
}

// inConstants writes the fitted number v, of dimension d in SI units, as a factor times powers of
// one or two known constants. The factor becomes a closed form if one is near enough. known is
// false if no product of known constants has dimension d.
func (k *ranking) inConstants(v, stderr float64, d unit.Dim) (t expr.Tree, known bool) {
	if product, size, ok := productOfConstants(k.t, d); ok {
		factor := fit.ClosedOrRounded(v/size, stderr/math.Abs(size), factorError)
		return expr.Apply(expr.Mul, factor, product), true
	}
	return fit.ClosedOrRounded(v, stderr, bareNumberError), false
}

// productOfConstants returns a product of powers of one or two known constants of t that has
// dimension d, and its size in SI units. ok is false if there is none, or if d is zero.
func productOfConstants(t *dataset.Table, d unit.Dim) (product expr.Tree, size float64, ok bool) {
	if d.IsZero() {
		return expr.Tree{}, 0, false
	}
	power := func(i int, p float64) (expr.Tree, float64) {
		return expr.Apply(expr.Pow, expr.X(len(t.Vars)+i), expr.Num(p)), math.Pow(t.Consts[i].SI(), p)
	}
	wanted := exponents(d)
	same := func(e, w float64) bool { return math.Abs(e-w) <= 1e-9 }
	for i, a := range t.Consts {
		if !a.HasUnit {
			continue
		}
		for _, p := range constantPowers {
			da := exponents(a.Unit.Dim)
			floats.Scale(p, da)
			ta, fa := power(i, p)
			if !a.Unit.Dim.IsZero() && floats.EqualFunc(da, wanted, same) {
				return ta, fa, true
			}
			for j, b := range t.Consts[:i] {
				for _, q := range constantPowers {
					db := exponents(b.Unit.Dim)
					for n := range db {
						db[n] = da[n] + q*db[n]
					}
					if floats.EqualFunc(db, wanted, same) {
						tb, fb := power(j, q)
						return expr.Apply(expr.Mul, ta, tb), fa * fb, true
					}
				}
			}
		}
	}
	return expr.Tree{}, 0, false
}

// constantPowers are the exponents that a known constant may have in a law.
var constantPowers = []float64{1, -1, 0.5, -0.5, 2, -2, 1.5, -1.5, 1. / 3, -1. / 3}

// Largest relative standard errors with which numbers may become closed forms.
const (
	bareNumberError = 1e-3 // for a number alone, which is seldom a closed form
	factorError     = 0.05 // for a factor of a known constant, often a closed form such as 2π
)
