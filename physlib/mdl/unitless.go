package mdl

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
)

// numbered is an optional interface of a prior. NumberBits returns the price in bits of taking a
// quantity with the given name, but without a unit, for a number or an angle.
type numbered interface{ NumberBits(name string) float64 }

// scalePoints is the approximate number of points at which laws are evaluated to see how they
// depend on units.
const scalePoints = 40

// numberBits returns the price of treating quantities without a unit as plain numbers, if their
// names suggest otherwise. Examples are exp(-time) and speed·log(speed). In other laws, such as
// c0·exp(-c1·x), a change of the unit only changes the constants, so the same law holds in any
// unit.
//
// If the values of column x grow by the factor 1 + dλ because its unit changes, the law changes by
// x·∂f/∂x·dλ. The constants can compensate for this change if it is a linear combination of three
// kinds of functions. These are the derivatives of f with respect to the constants, the changes due
// to the units of other columns, and f itself, since the unit of the target may change too.
func (s *Scorer) numberBits(t expr.Tree, params []float64) (bits float64) {
	vars := s.unitless(t)
	if len(vars) == 0 && s.targetNumberPrice == 0 {
		return 0
	}
	change := s.changes(t, params, vars)
	for i, v := range vars {
		if !spanned(change[i], change, i) {
			bits += s.numberPrices[v]
		}
	}
	if n := len(change) - 1; n >= 0 && s.targetNumberPrice > 0 && !spanned(change[n], change, n) {
		bits += s.targetNumberPrice
	}
	return bits
}

// unitless returns the variables of t that have a price if treated as plain numbers.
func (s *Scorer) unitless(t expr.Tree) (vars []int) {
	for _, v := range t.Vars() {
		if s.numberPrices[v] > 0 {
			vars = append(vars, v)
		}
	}
	return vars
}

// changes returns the derivatives of t at some points. The first ones are with respect to the scale
// of each of vars, and the next with respect to the logarithm of each constant. The last one is
// with respect to the scale of the target.
func (s *Scorer) changes(t expr.Tree, params []float64, vars []int) [][]float64 {
	k := len(params)
	slot := make(map[int32]int32, len(vars))
	values := append([]float64(nil), params...)
	for i, v := range vars {
		slot[int32(v)] = int32(k + i)
		values = append(values, 1)
	}
	scaled := t.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if to, ok := slot[n.Index]; ok && n.Op == expr.Var {
			return expr.Apply(expr.Mul, expr.C(int(to), 1), expr.X(int(n.Index)))
		}
		return expr.Tree{}
	})
	if s.at == nil {
		s.at = s.between()
	}
	cols := s.at
	n := len(cols[0])
	f, grad := make([]float64, n), make([][]float64, len(values))
	for i := range grad {
		grad[i] = make([]float64, n)
	}
	expr.Compile(scaled).Grad(f, grad, cols, values)
	return append(append(grad[k:], grad[:k]...), f)
}

// between returns the values of the columns at the rows and halfway between them. In large tables
// it skips points, so that at least scalePoints and less than twice as many remain.
func (s *Scorer) between() [][]float64 {
	rows := s.Rows()
	step := max(1, 2*rows/scalePoints)
	cols := make([][]float64, len(s.Cols))
	for c, v := range s.Cols {
		for i := 0; i < 2*rows-1; i += step {
			cols[c] = append(cols[c], (v[i/2]+v[(i+1)/2])/2)
		}
	}
	return cols
}

// spanned reports whether v is a linear combination of the other vectors, within a millionth. own
// is the index of v among vectors.
func spanned(v []float64, vectors [][]float64, own int) bool {
	rest, ok := unitVector(v)
	if !ok {
		return true
	}
	var basis [][]float64
	for i, w := range vectors {
		if i == own {
			continue
		}
		b, ok := unitVector(w)
		if !ok {
			continue
		}
		column.Orthogonalize(b, basis)
		if size := floats.Norm(b, 2); size > 1e-9 {
			floats.Scale(1/size, b)
			basis = append(basis, b)
		}
	}
	column.Orthogonalize(rest, basis)
	return floats.Norm(rest, 2) < 1e-6
}

// unitVector returns v scaled to length 1. ok is false if v is zero or not finite.
func unitVector(v []float64) (u []float64, ok bool) {
	size := floats.Norm(v, 2)
	if !(size > 0) || math.IsInf(size, 0) {
		return nil, false
	}
	return floats.ScaleTo(make([]float64, len(v)), 1/size, v), true
}
