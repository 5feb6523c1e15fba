package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// transform is an outer function of the target, h(y), under which a law may be a sum or a product.
type transform struct {
	name    string
	law     expr.Tree             // h⁻¹ of column 0, with a quantity M in column 1
	of      func(float64) float64 // h
	slope   func(float64) float64 // h'
	half    int                   // dimension of h(y) is that of y to half/2; 0: y must be dimensionless
	shifted bool                  // h(y) is dimensionless whatever y is: it must be dimensionless too
	m       expr.Tree             // the quantity M, if law has it
	at      []float64             // h(y) at the points, where it depends on M; of is not used then
	origin  view.Monomial         // of the dimension of h(y), where half does not say it
}

// value returns h at point i.
func (h transform) value(i int, y float64) float64 {
	if h.at != nil {
		return h.at[i]
	}
	return h.of(y)
}

// inverse returns h⁻¹(p).
func (h transform) inverse(p expr.Tree) expr.Tree {
	t := h.law.ReplaceLeaves(func(n expr.Node) (by expr.Tree) {
		if n.Op == expr.Var {
			by = [...]expr.Tree{p, h.m}[n.Index]
		}
		return by
	})
	if h.m.Len() == 1 && h.m.Root() == expr.Number {
		return rewrite.Fold(t)
	}
	return t
}

// lawOf parses an inverse function of p and m.
func lawOf(text string) expr.Tree {
	t, err := expr.Parse(text, []string{"p", "m"})
	if err != nil {
		panic(err) // all texts are tested
	}
	return t
}

func constant(float64) float64 { return 1 }

var (
	identity = transform{name: "y", law: lawOf("p"), half: 2,
		slope: constant, of: func(y float64) float64 { return y }}
	reciprocal = transform{name: "1/y", law: lawOf("inv(p)"), half: -2,
		of: func(y float64) float64 { return 1 / y }, slope: func(y float64) float64 { return 1 / (y * y) }}
	squared = transform{name: "y²", law: lawOf("sqrt(p)"), half: 4,
		of: func(y float64) float64 { return y * y }, slope: func(y float64) float64 { return 2 * y }}
	inverseSquare = transform{name: "1/y²", law: lawOf("inv(sqrt(p))"), half: -4,
		of: func(y float64) float64 { return 1 / (y * y) }, slope: func(y float64) float64 { return 2 / (y * y * y) }}
	logarithm = transform{name: "log y", law: lawOf("exp(p)"), shifted: true,
		of: math.Log, slope: func(y float64) float64 { return 1 / y }}
	exponential = transform{name: "exp y", law: lawOf("log(p)"), shifted: true, of: math.Exp, slope: math.Exp}
	sine        = transform{name: "sin y", law: lawOf("asin(p)"), shifted: true, of: math.Sin, slope: math.Cos}
	cosine      = transform{name: "cos y", law: lawOf("acos(p)"), shifted: true, of: math.Cos, slope: math.Sin}
	tangent     = transform{name: "tan y", law: lawOf("atan(p)"), shifted: true,
		of: math.Tan, slope: func(y float64) float64 { return 1 + math.Tan(y)*math.Tan(y) }}
	minusOne = transform{name: "y-1", law: lawOf("1 + p"), shifted: true,
		slope: constant, of: func(y float64) float64 { return y - 1 }}
	plusOne = transform{name: "y+1", law: lawOf("p - 1"), shifted: true,
		slope: constant, of: func(y float64) float64 { return y + 1 }}
)

// writes reports whether the functions of a law are allowed.
func (w *work) writes(law expr.Tree) bool {
	for _, n := range law.Nodes() {
		switch n.Op {
		case expr.Inv, expr.Square, expr.Neg:
		default:
			if n.Op.Arity() == 1 && !w.allowed(n.Op) {
				return false
			}
		}
	}
	return true
}

// admits reports whether h may be applied to the target at all.
func (w *work) admits(h transform) bool {
	if !w.writes(h.law) {
		return false
	}
	if h.shifted && w.s.Units && !w.s.TargetDim.IsZero() {
		return false
	}
	for _, y := range w.s.Y {
		if v := h.of(y); math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	switch h.name {
	case "sin y", "tan y":
		return column.Within(w.s.Y, -math.Pi/2, math.Pi/2)
	case "cos y":
		return column.Within(w.s.Y, 0, math.Pi)
	case "y²", "1/y²":
		return column.OneSign(w.s.Y)
	case "exp y":
		return column.Within(w.s.Y, -50, 50)
	}
	return true
}

// dim returns the dimension of h(y).
func (h transform) dim(d unit.Dim) unit.Dim {
	if h.shifted {
		return unit.Dim{}
	}
	return d.Pow(unit.Rat(h.half, 2))
}
