package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// transform is an outer function of the target, h(y), under which a law may be a sum or a product.
type transform struct {
	name    string
	needs   expr.Op                   // operator that the inverse uses; a Number: none
	of      func(float64) float64     // h
	slope   func(float64) float64     // h'
	inverse func(expr.Tree) expr.Tree // h⁻¹
	half    int                       // dimension of h(y) is that of y to half/2; 0: y must be dimensionless
	shifted bool                      // h(y) is dimensionless whatever y is: it must be dimensionless too
	at      []float64                 // h(y) at the points, where it depends on more than y; of is not used then
	origin  view.Monomial             // of the dimension of h(y), where half does not say it
}

// value returns h at point i.
func (h transform) value(i int, y float64) float64 {
	if h.at != nil {
		return h.at[i]
	}
	return h.of(y)
}

func un(op expr.Op) func(expr.Tree) expr.Tree {
	return func(t expr.Tree) expr.Tree { return expr.Apply(op, t) }
}

var (
	identity = transform{name: "y", of: func(y float64) float64 { return y }, slope: func(float64) float64 { return 1 },
		inverse: func(t expr.Tree) expr.Tree { return t }, half: 2}
	reciprocal = transform{name: "1/y", of: func(y float64) float64 { return 1 / y }, slope: func(y float64) float64 { return 1 / (y * y) },
		inverse: un(expr.Inv), half: -2}
	squared = transform{name: "y²", needs: expr.Sqrt, of: func(y float64) float64 { return y * y }, slope: func(y float64) float64 { return 2 * y },
		inverse: un(expr.Sqrt), half: 4}
	root = transform{name: "√y", of: math.Sqrt, slope: func(y float64) float64 { return 0.5 / math.Sqrt(y) },
		inverse: un(expr.Square), half: 1}
	inverseSquare = transform{name: "1/y²", needs: expr.Sqrt, of: func(y float64) float64 { return 1 / (y * y) }, slope: func(y float64) float64 { return 2 / (y * y * y) },
		inverse: func(t expr.Tree) expr.Tree { return expr.Apply(expr.Inv, expr.Apply(expr.Sqrt, t)) }, half: -4}
	logarithm = transform{name: "log y", needs: expr.Exp, of: math.Log, slope: func(y float64) float64 { return 1 / y },
		inverse: un(expr.Exp), shifted: true}
	exponential = transform{name: "exp y", needs: expr.Log, of: math.Exp, slope: math.Exp, inverse: un(expr.Log), shifted: true}
	sine        = transform{name: "sin y", needs: expr.Asin, of: math.Sin, slope: math.Cos, inverse: un(expr.Asin), shifted: true}
	cosine      = transform{name: "cos y", needs: expr.Acos, of: math.Cos, slope: math.Sin, inverse: un(expr.Acos), shifted: true}
	tangent     = transform{name: "tan y", needs: expr.Atan, of: math.Tan, slope: func(y float64) float64 { return 1 + math.Tan(y)*math.Tan(y) },
		inverse: un(expr.Atan), shifted: true}
	minusOne = transform{name: "y-1", of: func(y float64) float64 { return y - 1 }, slope: func(float64) float64 { return 1 },
		inverse: func(t expr.Tree) expr.Tree { return expr.Apply(expr.Add, expr.Num(1), t) }, shifted: true}
	plusOne = transform{name: "y+1", of: func(y float64) float64 { return y + 1 }, slope: func(float64) float64 { return 1 },
		inverse: func(t expr.Tree) expr.Tree { return expr.Apply(expr.Sub, t, expr.Num(1)) }, shifted: true}
)

// admits reports whether h may be applied to the target at all.
func (w *work) admits(h transform) bool {
	if h.needs != expr.Number && !w.allowed(h.needs) {
		return false
	}
	if h.shifted && w.s.Units && !w.s.TargetDim.IsZero() {
		return false
	}
	bad := 0
	for _, y := range w.s.Y {
		v := h.of(y)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			bad++
		}
	}
	switch h.name {
	case "sin y":
		return column.Within(w.s.Y, -math.Pi/2, math.Pi/2) && bad == 0
	case "tan y":
		return column.Within(w.s.Y, -math.Pi/2, math.Pi/2) && bad == 0
	case "cos y":
		return column.Within(w.s.Y, 0, math.Pi) && bad == 0
	case "y²", "1/y²":
		return bad == 0 && column.OneSign(w.s.Y)
	case "exp y":
		return bad == 0 && column.Within(w.s.Y, -50, 50)
	}
	return bad == 0
}

// dim returns the dimension of h(y).
func (h transform) dim(d unit.Dim) unit.Dim {
	if h.shifted {
		return unit.Dim{}
	}
	return d.Pow(unit.Rat(h.half, 2))
}
