package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/mdl"
)

// readable returns a law in its usual form: conversion factors are merged, sums have no quotients
// in denominators, constants do not occur in two terms of a sum, and signs are moved so that there
// are few minus signs. It returns t unchanged if the
// values would differ.
func readable(t expr.Tree, table *dataset.Table) expr.Tree {
	cols, rows := firstRows(table)
	for range 3 {
		before := t
		for _, next := range []expr.Tree{rewrite.ClearDenominators(t), t.AbsorbParams().Simplify()} {
			if next.Len() > 0 && next.Len() < t.Len() && equalInRows(t, next, cols, rows) {
				t = next
			}
		}
		if t.Len() == before.Len() {
			break
		}
	}
	t = rewrite.SharedConstants(decimals(t, cols, rows))
	if u := rewrite.Upright(t); equalInRows(t, u, cols, rows) {
		t = u
	}
	if t.NumParams() == 0 {
		if u := rewrite.ShortNumbers(t); equalInRows(t, u, cols, rows) {
			t = u
		}
	}
	if u := rewrite.FewerSigns(t); rewrite.Signs(u) < rewrite.Signs(t) && equalInRows(t, u, cols, rows) {
		t = u
	}
	return rewrite.CommonLogarithms(t)
}

// decimals returns t with x + b/a in place of a*x + b (rewrite.Decimal). It does so if a free
// constant can absorb the factor a.
func decimals(t expr.Tree, cols [][]float64, rows int) expr.Tree {
	d := rewrite.Decimal(t)
	if d.Len() == t.Len() {
		return t
	}
	x, y := make([]float64, rows), make([]float64, rows)
	expr.Compile(t).Eval(x, cols, t.Params())
	expr.Compile(d).Eval(y, cols, d.Params())
	for i := range d.NumParams() {
		p := d.Params()
		p[i] *= x[0] / y[0]
		if scaled := d.WithStarts(p); equalInRows(t, scaled, cols, rows) {
			return scaled
		}
	}
	return t
}

// equalInRows reports whether two laws with the same constants have the same values in the first
// rows. They must also be undefined in the same rows.
func equalInRows(a, b expr.Tree, cols [][]float64, rows int) bool {
	x, y := make([]float64, rows), make([]float64, rows)
	expr.Compile(a).Eval(x, cols, a.Params())
	expr.Compile(b).Eval(y, cols, b.Params())
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-9*(math.Abs(x[i])+1e-300) || math.IsNaN(x[i]) != math.IsNaN(y[i]) {
			return false
		}
	}
	return true
}

// withoutAbs returns t without the absolute values of operands that have one sign in all rows.
func withoutAbs(m *mdl.Data, t expr.Tree) expr.Tree {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op != expr.Abs {
			continue
		}
		v := m.Values(t.Subtree(i-1), t.Params())
		switch {
		case slices.Min(v) >= 0:
			return withoutAbs(m, t.Splice(i, i+1).CompactParams())
		case slices.Max(v) <= 0:
			return withoutAbs(m, t.Splice(i, i+1, expr.Node{Op: expr.Neg}).CompactParams())
		}
	}
	return t
}
