package fit

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// linked fits an inner part of the tree to a transformed target and returns the constants. For
// example, 1/(a + b·log x) becomes linear in a and b with the target 1/y. A fit to a transformed
// target weights the errors only approximately, but gives good starting values. linked returns nil
// if the transformation does not lead to a simpler fit.
func (f *Fitter) linked(s Settings) []float64 {
	end := len(f.nodes) - 1
	y := append([]float64(nil), f.y...)
	slope := make([]float64, len(y)) // derivative of y with respect to the inner part
	for i := range slope {
		slope[i] = 1
	}
	for end > 0 {
		inside, ok := f.through(end, y, slope)
		if !ok {
			break
		}
		end = inside
	}
	if end == len(f.nodes)-1 {
		return nil
	}
	first := expr.SubtreeStart(f.nodes, end)
	inside, ok := expr.FromNodes(f.nodes[first : end+1])
	if !ok || inside.NumParams() != len(f.params) {
		return nil
	}
	return f.within(inside, y, slope, s)
}

// within fits t, which has the constants of f, to the transformed target y, and returns the
// constants. slope is the derivative of f's target with respect to y in each row. It scales the
// errors of y. within returns nil if a value is not finite, or if t does not have fewer nonlinear
// constants than f.
func (f *Fitter) within(t expr.Tree, y, slope []float64, s Settings) []float64 {
	w := make([]float64, len(y))
	for i, d := range slope {
		w[i] = d * d
		if f.w != nil {
			w[i] *= f.w[i]
		}
		if math.IsNaN(y[i]) || math.IsInf(y[i], 0) || math.IsNaN(w[i]) || math.IsInf(w[i], 0) {
			return nil
		}
	}
	f.loadInner(t, y, w)
	if len(f.inner.curved) >= len(f.curved) {
		return nil
	}
	if len(f.inner.curved) == 0 {
		if !f.inner.project() {
			return nil
		}
	} else {
		f.inner.search(Settings{Starts: 2, MaxIter: s.MaxIter, Tol: s.Tol, Seed: s.Seed})
	}
	f.evaluations += f.inner.evaluations
	return f.inner.params
}

// loadInner loads f.inner with t, which has the constants of f, and with the target y and the
// weights w. The constants begin with the values of f.
func (f *Fitter) loadInner(t expr.Tree, y, w []float64) {
	if f.inner == nil {
		f.inner = new(Fitter)
	}
	f.inner.done = f.done
	f.inner.load(t, f.cols, y, w)
	copy(f.inner.params, f.params)
}

// through replaces y, the values of the operation at node i, by the values that its operand must
// have. It multiplies slope by the derivative of the operation, and returns the node of the
// operand. ok is false if the operation cannot be inverted.
func (f *Fitter) through(i int, y, slope []float64) (inside int, ok bool) {
	each := func(inverse, derivative func(v float64) float64) {
		for k, v := range y {
			u := inverse(v)
			slope[k] *= derivative(u)
			y[k] = u
		}
	}
	power := func(e float64) {
		each(func(v float64) float64 { return math.Pow(v, 1/e) }, func(u float64) float64 { return e * math.Pow(u, e-1) })
	}
	switch n := f.nodes[i]; n.Op {
	case expr.Inv:
		each(func(v float64) float64 { return 1 / v }, func(u float64) float64 { return -1 / (u * u) })
	case expr.Exp:
		each(math.Log, math.Exp)
	case expr.Log:
		each(math.Exp, func(u float64) float64 { return 1 / u })
	case expr.Neg:
		each(func(v float64) float64 { return -v }, func(float64) float64 { return -1 })
	case expr.Sqrt:
		power(0.5)
	case expr.Square:
		power(2)
	case expr.Cube:
		power(3)
	case expr.Pow:
		e := f.nodes[i-1]
		if e.Op != expr.Number || e.Value == 0 {
			return 0, false
		}
		power(e.Value)
		return i - 2, true
	case expr.Div:
		a := expr.SubtreeStart(f.nodes, i-1) - 1
		if f.nodes[a].Op != expr.Number {
			return 0, false
		}
		c := f.nodes[a].Value
		each(func(v float64) float64 { return c / v }, func(u float64) float64 { return -c / (u * u) })
	default:
		return 0, false
	}
	return i - 1, true
}
