package require

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// number parses a number or an infinity.
func number(text string) (float64, error) {
	switch strings.TrimPrefix(strings.ToLower(text), "+") {
	case "inf", "infinity", "∞":
		return math.Inf(1), nil
	case "-inf", "-infinity", "-∞":
		return math.Inf(-1), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// Tolerances of numerical checks, as a fraction of the largest absolute value of the law.
const (
	same   = 1e-6 // for two values that must be equal
	nearly = 1e-3 // for the difference from a limit, at the point nearest to the limit
)

// Table holds values of the variables, by column and row. A law is checked at these values.
type Table struct {
	Names []string
	Cols  [][]float64
	Rows  int
}

// mostRows is the largest number of rows that are checked.
const mostRows = 60

// NewTable returns a Table with up to 60 evenly spaced rows of the columns.
func NewTable(names []string, cols [][]float64) Table {
	t := Table{Names: names}
	n := 0
	if len(cols) > 0 {
		n = len(cols[0])
	}
	t.Rows = min(n, mostRows)
	for _, c := range cols {
		var some []float64
		for i := range t.Rows {
			some = append(some, c[i*max(n-1, 0)/max(t.Rows-1, 1)])
		}
		t.Cols = append(t.Cols, some)
	}
	return t
}

// with returns t with all values of one column replaced by the number `at`.
func (t Table) with(name string, at float64) Table {
	return t.by(name, func(float64) float64 { return at })
}

// by returns t with the function f applied to all values of one column.
func (t Table) by(name string, f func(float64) float64) Table {
	i := slices.Index(t.Names, name)
	u := t
	u.Cols = slices.Clone(t.Cols)
	u.Cols[i] = slices.Clone(t.Cols[i])
	for k, v := range u.Cols[i] {
		u.Cols[i][k] = f(v)
	}
	return u
}

// eval returns the values of a tree in the rows of t. The constants have their starting values.
func (t Table) eval(tree expr.Tree) []float64 {
	return tree.Values(t.Rows, t.Cols, tree.Params())
}

// size returns the largest finite absolute value.
func size(v []float64) (most float64) {
	for _, x := range v {
		if a := math.Abs(x); a > most && !math.IsInf(a, 0) {
			most = a
		}
	}
	return most
}

// alike reports whether all values are finite and agree within tol·scale.
func alike(a, b []float64, tol, scale float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tol*scale) {
			return false
		}
	}
	return true
}

// Holds reports whether the law, or the function that the statement is about, satisfies the
// statement. tree is that law or function. Its variables are those of t, and its constants have
// their starting values.
func (s Statement) Holds(tree expr.Tree, t Table) bool {
	v := t.eval(tree)
	scale := size(v)
	switch s.kind {
	case positive, negative:
		return s.signHolds(tree, t)
	case even, odd:
		w := t.by(s.over, func(x float64) float64 { return -x }).eval(tree)
		if s.kind == odd {
			for i := range w {
				w[i] = -w[i]
			}
		}
		return alike(v, w, same, scale)
	case increasing, decreasing, monotone:
		return s.monotone(tree, t, scale)
	case value:
		u := s.placed(t)
		got, want := u.eval(tree), u.eval(s.by)
		// The value is indeterminate, as that of sin(x)/x at 0.
		if slices.ContainsFunc(got, math.IsNaN) {
			got = s.nudged(t).eval(tree)
			return alike(got, want, nearly, max(scale, size(want)))
		}
		return alike(got, want, same, max(scale, size(want)))
	case limit:
		return s.tends(tree, t, scale)
	}
	return true
}

// placed returns t with all rows moved to the point of a statement about a value.
func (s Statement) placed(t Table) Table {
	for i, a := range s.point {
		name := a.name
		if name == "" {
			name = t.Names[min(i, len(t.Names)-1)]
		}
		t = t.with(name, a.at)
	}
	return t
}

// nudged returns t with all rows moved to a point close to that of s.
func (s Statement) nudged(t Table) Table {
	for i, a := range s.point {
		name := a.name
		if name == "" {
			name = t.Names[min(i, len(t.Names)-1)]
		}
		t = t.with(name, a.at+1e-5*size(t.Cols[slices.Index(t.Names, name)]))
	}
	return t
}

// signHolds checks the sign of the law in the rows. It also checks it for combinations of column
// values from different rows.
func (s Statement) signHolds(tree expr.Tree, t Table) bool {
	for shift := range min(t.Rows, 7) {
		u := t
		u.Cols = slices.Clone(t.Cols)
		for k, c := range u.Cols {
			by := shift * (k + 1) % t.Rows
			u.Cols[k] = slices.Concat(c[by:], c[:by])
		}
		for _, v := range u.eval(tree) {
			if s.kind == negative {
				v = -v
			}
			if !(v > 0) {
				return false
			}
		}
	}
	return true
}

// gridPoints is the number of steps in which monotone goes across the range of a column.
const gridPoints = 24

// monotone reports whether the law rises or falls along a column, as required. It checks this for
// each row, with the values of the other columns in that row.
func (s Statement) monotone(tree expr.Tree, t Table, scale float64) bool {
	c := t.Cols[slices.Index(t.Names, s.over)]
	lo, hi := slices.Min(c), slices.Max(c)
	up, down := true, true
	last := t.with(s.over, lo).eval(tree)
	for k := 1; k <= gridPoints; k++ {
		v := t.with(s.over, lo+(hi-lo)*float64(k)/gridPoints).eval(tree)
		for i := range v {
			up = up && v[i] >= last[i]-1e-9*scale
			down = down && v[i] <= last[i]+1e-9*scale
		}
		last = v
	}
	switch s.kind {
	case increasing:
		return up
	case decreasing:
		return down
	}
	return up || down
}

// far lists how far from the rows a limit is checked, relative to width, the column's largest
// absolute value. For a limit at ±∞, the column is set to ±width·far. For a limit at a finite value
// a, it is set to a + width/far.
var far = []float64{1e3, 1e5, 1e7}

// tends reports whether the law behaves as required when a column approaches a value. If s.by does
// not depend on the column, the law must approach s.by. Otherwise the law must become proportional
// to s.by.
func (s Statement) tends(tree expr.Tree, t Table, scale float64) bool {
	i := slices.Index(t.Names, s.over)
	width := size(t.Cols[i])
	shape := slices.Contains(s.by.Vars(), i)
	var last []float64
	for _, by := range far {
		at := width * by
		switch {
		case math.IsInf(s.at, -1):
			at = -at
		case !math.IsInf(s.at, 0):
			at = s.at + width/by
		}
		u := t.with(s.over, at)
		got, want := u.eval(tree), u.eval(s.by)
		now := make([]float64, len(got))
		for k := range got {
			now[k] = got[k] - want[k]
			if shape {
				now[k] = got[k] / want[k]
			}
		}
		if by == far[len(far)-1] {
			return s.settled(now, last, shape, max(scale, size(want)))
		}
		last = now
	}
	return true
}

// settled reports whether the law has reached its limit at the last point. If shape is false, now
// holds the differences from the limit at this point. If shape is true, now and last hold the
// ratios to the limit at the last two points.
func (s Statement) settled(now, last []float64, shape bool, scale float64) bool {
	for k := range now {
		switch {
		case math.IsNaN(now[k]) || math.IsInf(now[k], 0):
			return false
		case shape && (now[k] == 0 || math.Abs(now[k]/last[k]-1) > 1e-2):
			return false
		case !shape && !(math.Abs(now[k]) <= nearly*scale):
			return false
		}
	}
	return true
}
