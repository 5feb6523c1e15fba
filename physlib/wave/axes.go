package wave

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"github.com/physlib/lab/physlib/periodogram"
)

// The coordinates along which waves are searched for. A wave may depend on one, two or three of
// them.

// axis is a coordinate of the waves, with its expression.
type axis struct {
	periodogram.Axis
	tree expr.Tree
}

// newFinder returns a finder for p. It returns nil if p has fewer than leastWave rows, allows
// neither sine nor cosine, or has only constant variables. If the parameter smooth is true, it also
// returns nil if the target is not smooth or if more than mostSmooth variables vary. If smooth is
// false, it also returns nil if the target is smooth.
func newFinder(p Problem, smooth bool) *finder {
	if !p.Allowed(expr.Sin) && !p.Allowed(expr.Cos) || len(p.Y) < leastWave {
		return nil
	}
	s := &finder{Problem: p}
	weighted := s.Y
	if s.Weights != nil {
		weighted = floats.MulTo(make([]float64, len(s.Y)), s.Weights, s.Y)
	}
	s.power = floats.Dot(weighted, s.Y)
	vary := s.variables()
	if len(vary) == 0 {
		return nil
	}
	if len(vary) <= mostAlone {
		s.base = vary
	}
	if s.smooth(vary) != smooth || smooth && len(vary) > mostSmooth {
		return nil
	}
	s.group(vary)
	return s
}

// variables makes an axis of each variable that is not constant. It returns the indices of these
// variables.
func (s *finder) variables() (vary []int) {
	for v := range s.X {
		if a, ok := periodogram.NewAxis(s.X[v], lineSteps); ok {
			s.axes = append(s.axes, axis{a, expr.X(v)})
			vary = append(vary, v)
		}
	}
	return vary
}

// smooth reports whether a quadratic function of the variables explains most of the target. It
// returns false if there are too few rows for a fit of that function.
func (s *finder) smooth(vary []int) bool {
	cols := [][]float64{column.Ones(len(s.Y))}
	for i, v := range vary {
		cols = append(cols, s.X[v])
		for _, u := range vary[:i+1] {
			cols = append(cols, column.Product(s.X[v], s.X[u]))
		}
	}
	if 2*len(cols) > len(s.Y) {
		return false
	}
	coef, _, ok := qr.LeastSquares(cols, s.Y)
	if !ok {
		return true
	}
	left := slices.Clone(s.Y)
	for i, c := range coef {
		floats.AddScaled(left, -c, cols[i])
	}
	return 2*column.SumSquares(left) < column.SumSquares(s.Y)
}

// group chooses which axes are tried together, and with how many frequencies. If there are few
// variables, it first adds axes along functions of the variables (see others).
func (s *finder) group(vary []int) {
	n := len(vary)
	if n <= mostPaired {
		for i := range n {
			for j := range i {
				s.groups = append(s.groups, []int{j, i})
			}
		}
	}
	if n <= mostAlone {
		s.others(vary)
	}
	if n == 1 && s.axes[1].Steps > 0 {
		s.groups = append(s.groups, []int{0, 1}) // x and x² together: a frequency that rises with x
	}
	s.steps = min(planeSteps, periodogram.Affordable(planeWork, len(s.Y), len(s.groups), 2))
	if n == 3 {
		s.groups = append(s.groups, []int{0, 1, 2})
		s.volume = periodogram.Affordable(volumeWork, len(s.Y), 1, 3)
	}
	for _, a := range s.axes {
		s.tested += a.Steps
	}
	for _, g := range s.groups {
		_, all := s.short(g)
		s.tested += all
	}
}

// others adds axes along simple functions of the variables vary. The first is the square of the
// first variable.
func (s *finder) others(vary []int) {
	add := func(tree expr.Tree) {
		for _, n := range tree.Nodes() {
			if n.Op > expr.Euler && !s.Allowed(n.Op) {
				// A constant gives an axis without frequencies. It takes the place of the axis that
				// is not allowed, so that later axes keep their indices.
				tree = expr.Num(1)
			}
		}
		v := tree.Values(len(s.Y), s.X, nil)
		a, _ := periodogram.NewAxis(v, otherSteps)
		for _, x := range tree.Vars() {
			if r := stat.Correlation(v, s.X[x], nil); math.Abs(r) > mostAlike {
				a.Steps = 0 // nearly proportional to a variable that already has an axis
			}
		}
		s.axes = append(s.axes, axis{a, tree})
	}
	for _, v := range vary {
		x := expr.X(v)
		for _, op := range []expr.Op{expr.Square, expr.Sqrt, expr.Inv, expr.Log} {
			add(expr.Apply(op, x))
		}
		// A variable with values between -2π and 2π may be an angle.
		if low, high := slices.Min(s.X[v]), slices.Max(s.X[v]); low >= -2*math.Pi && high <= 2*math.Pi {
			add(expr.Apply(expr.Sin, x))
			add(expr.Apply(expr.Cos, x))
		}
	}
	for i, v := range vary {
		for _, u := range vary[:i] {
			add(expr.Apply(expr.Mul, expr.X(u), expr.X(v)))
			add(expr.Apply(expr.Div, expr.X(u), expr.X(v)))
			add(expr.Apply(expr.Div, expr.X(v), expr.X(u)))
		}
	}
}

// short limits the axes of a group to their lowest frequencies. It also returns the number of
// combinations of these frequencies.
func (s *finder) short(group []int) (short []periodogram.Axis, all int) {
	most := s.steps
	if len(group) > 2 {
		most = s.volume
	}
	axes := make([]periodogram.Axis, len(group))
	for i, k := range group {
		axes[i] = s.axes[k].Axis
	}
	return periodogram.Short(most, axes...)
}
