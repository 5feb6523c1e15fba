package invariant

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// term is a function of the columns that may occur in an invariant.
type term struct {
	tree expr.Tree
	bits float64
	vars []int

	value []float64 // the term in each row
	// gradient[j][i] is the derivative with respect to column j in row i. gradient[j] is nil if the
	// term does not depend on column j.
	gradient [][]float64
}

// Prices of terms in bits.
const (
	columnBits   = 3.0
	powerBits    = 1.5 // a square; a cube costs twice as much
	inverseBits  = 3.0
	functionBits = 4.0
	productBits  = 1.5
	distanceBits = 11.0 // 1/√(x² + y²)
)

// mostTerms is the largest number of terms in the library.
const mostTerms = 160

// library returns the terms for the given columns that the settings allow. Terms of few bits come
// first.
func library(columns []dataset.Column, s Settings) (terms []*term) {
	shape := s.Shape
	shape.Need = nil // Need is a condition on whole sums, not on single terms
	var allowed dataset.Problem
	if s.Ops != nil {
		allowed.Ops = append([]string{"+", "-", "*"}, s.Ops...)
	}
	add := func(t expr.Tree, bits float64) {
		if !allowed.Allows(t) || !shape.Allows(t) {
			return
		}
		if x, ok := evaluated(t, bits, columns); ok {
			terms = append(terms, x)
		}
	}
	type factor struct {
		tree expr.Tree
		bits float64
		of   int
	}
	var factors []factor
	for i, c := range columns {
		x := expr.X(i)
		angle, pure := radians(x, c)
		squared := expr.Apply(expr.Square, x)
		list := []factor{{x, columnBits, i}, {squared, columnBits + powerBits, i}, {expr.Apply(expr.Cube, x), columnBits + 2*powerBits, i}}
		if !slices.Contains(c.Values, 0) {
			list = append(list, factor{expr.Apply(expr.Inv, x), columnBits + inverseBits, i}, factor{expr.Apply(expr.Inv, squared), columnBits + inverseBits + powerBits, i})
		}
		factors = append(factors, list...)
		add(expr.Apply(expr.Square, squared), columnBits+2*powerBits)
		if slices.Min(c.Values) > 0 {
			add(expr.Apply(expr.Log, x), columnBits+functionBits)
			add(expr.Apply(expr.Sqrt, x), columnBits+functionBits)
		}
		if pure {
			factors = append(factors, factor{expr.Apply(expr.Cos, angle), columnBits + functionBits, i}, factor{expr.Apply(expr.Sin, angle), columnBits + functionBits, i})
			if size(c.Values) < 20 {
				add(expr.Apply(expr.Exp, x), columnBits+functionBits+1)
				add(expr.Apply(expr.Exp, expr.Apply(expr.Mul, expr.Num(-1), x)), columnBits+functionBits+1)
			}
		}
	}
	for i, a := range factors {
		add(a.tree, a.bits)
		for _, b := range factors[:i] {
			if a.of != b.of {
				add(expr.Apply(expr.Mul, b.tree, a.tree), a.bits+b.bits+productBits)
			}
		}
	}
	if d := len(columns); d >= 2 {
		for _, f := range inverseDistances(d) {
			add(f, distanceBits)
		}
	}
	slices.SortStableFunc(terms, func(a, b *term) int { return cmp.Compare(a.bits, b.bits) })
	return terms[:min(len(terms), mostTerms)]
}

// inverseDistances returns 1/√(x² + y²) for each pair of columns, as in potentials.
func inverseDistances(columns int) (out []expr.Tree) {
	for i := range columns {
		for j := range i {
			sum := expr.Apply(expr.Add, expr.Apply(expr.Square, expr.X(j)), expr.Apply(expr.Square, expr.X(i)))
			out = append(out, expr.Apply(expr.Inv, expr.Apply(expr.Sqrt, sum)))
		}
	}
	return out
}

// radians returns a column as the argument of a sine, converted to radians. pure reports whether
// the column can be such an argument. This is so if it is dimensionless, an angle, or has small
// values and an unknown unit.
func radians(x expr.Tree, c dataset.Column) (angle expr.Tree, pure bool) {
	if !c.HasUnit {
		return x, size(c.Values) < 13 // up to about two turns
	}
	if !c.Unit.Dim.IsZero() {
		return x, false
	}
	if c.Unit.IsDegree() {
		return expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.Leaf(expr.Pi), x), expr.Num(180)), true
	}
	return x, true
}

// evaluated returns a term with its values and its gradient. ok is false if these are not finite,
// or if the term is constant.
func evaluated(t expr.Tree, bits float64, columns []dataset.Column) (*term, bool) {
	n := len(columns[0].Values)
	x := &term{tree: t, bits: bits, vars: t.Vars(), value: make([]float64, n), gradient: make([][]float64, len(columns))}
	cols := make([][]float64, len(columns))
	for i, c := range columns {
		cols[i] = c.Values
	}
	expr.Compile(t).Eval(x.value, cols, nil)
	if !finite(x.value) || slices.Min(x.value) == slices.Max(x.value) {
		return nil, false
	}
	for _, v := range x.vars {
		d := make([]float64, n)
		expr.Compile(t.Diff(v)).Eval(d, cols, nil)
		if !finite(d) {
			return nil, false
		}
		x.gradient[v] = d
	}
	return x, true
}

// finite reports whether all values are numbers with an absolute value of at most 1e100.
func finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.Abs(x) > 1e100 {
			return false
		}
	}
	return true
}

// size returns the largest absolute value.
func size(v []float64) float64 { return max(math.Abs(slices.Min(v)), math.Abs(slices.Max(v))) }
