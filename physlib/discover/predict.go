package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// Predict returns the values of l in the rows of t, in the target's unit. They are NaN if t lacks a
// column or constant of l.
func Predict(l law.Law, t *dataset.Table) []float64 {
	columns := make(map[string][]float64, len(t.Vars))
	for _, c := range t.Vars {
		columns[c.Name] = c.Values
	}
	return predict(l, t, columns, t.Rows())
}

// predict evaluates l over t's constants and columns of n values, given by name.
func predict(l law.Law, t *dataset.Table, columns map[string][]float64, n int) []float64 {
	for _, k := range t.Consts {
		columns[k.Name] = slices.Repeat([]float64{k.Value}, n)
	}
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		if cols[i] = columns[name]; cols[i] == nil {
			cols[i] = slices.Repeat([]float64{math.NaN()}, n)
		}
	}
	return l.Tree.Values(n, cols, l.Params())
}

// curvePoints is the number of points in a result of Curve.
const curvePoints = 300

// Curve returns l as a curve over x, if x is the only column of t that l depends on. Its points
// have the x values in at, which are evenly spaced over the range of x. The spacing is logarithmic
// if x is positive and spans more than a decade. ok is false if l depends on no column or on
// several.
func Curve(l law.Law, t *dataset.Table) (x dataset.Column, at, value []float64, ok bool) {
	n := 0
	for _, i := range l.Tree.Vars() {
		for _, v := range t.Vars {
			if i < len(l.Vars) && v.Name == l.Vars[i] {
				x, n = v, n+1
			}
		}
	}
	if n != 1 || len(x.Values) == 0 {
		return dataset.Column{}, nil, nil, false
	}
	low, high := slices.Min(x.Values), slices.Max(x.Values)
	at = make([]float64, curvePoints)
	for i := range at {
		p := float64(i) / (curvePoints - 1)
		at[i] = low + p*(high-low)
		if low > 0 && high > 10*low {
			at[i] = low * math.Pow(high/low, p)
		}
	}
	return x, at, predict(l, t, map[string][]float64{x.Name: at}, curvePoints), true
}
