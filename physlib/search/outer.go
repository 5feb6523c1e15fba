package search

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/unit"
)

// transform is an outer function h. The methods of the search look for laws that give h(y), where y
// is the target.
type transform struct {
	name        string
	inverseTree expr.Tree // h⁻¹, a function of column 0; a quantity M, if any, is column 1
	// h(y) has the dimension of y^(twicePower/2). If twicePower is 0 and h has no quantity M, y
	// must be dimensionless.
	twicePower int
	uses       use                    // the methods that use h
	of         func(float64) float64  // h; nil if values is set
	slope      func(float64) float64  // derivative of h, up to its sign
	inverts    func(y []float64) bool // reports whether h⁻¹(h(y)) = y; nil: always
	m          expr.Tree              // the quantity M; empty if h has none
	values     []float64              // values of h(y) at the points, if h depends on M
}

// use is a set of methods that use an outer function h. Each constant names the form of h(y) in the
// laws of the method.
type use uint8

const (
	asProduct    use = 1 << iota // joins: h(y) is a product
	asSum                        // joins: h(y) is a sum
	asRatio                      // joins: h(y) is a ratio of sums
	asPowers                     // relations: h(y) is a sum of products of whole powers
	asPolynomial                 // relations: h(y) is a polynomial
	asFraction                   // relations: h(y) is a ratio of polynomials
	asRoot                       // relations: h(y) is a root of a quadratic equation
	// Relations with one expression of the pool as a coordinate: h(y) is a ratio of polynomials.
	asExpression
)

// outers lists the outer functions in the order in which methods use them.
var outers = []transform{
	{name: "y", inverseTree: lawOf("p"), twicePower: 2, of: func(y float64) float64 { return y }, slope: one,
		uses: asProduct | asSum | asRatio | asPowers | asPolynomial | asFraction | asRoot | asExpression},
	{name: "1/y", inverseTree: lawOf("inv(p)"), twicePower: -2, uses: asSum | asPowers,
		of: func(y float64) float64 { return 1 / y }, slope: func(y float64) float64 { return 1 / (y * y) }},
	{name: "y²", inverseTree: lawOf("sqrt(p)"), twicePower: 4, uses: asSum | asPowers | asFraction | asRoot | asExpression, inverts: column.OneSign,
		of: func(y float64) float64 { return y * y }, slope: func(y float64) float64 { return 2 * y }},
	{name: "1/y²", inverseTree: lawOf("inv(sqrt(p))"), twicePower: -4, uses: asSum, inverts: column.OneSign,
		of: func(y float64) float64 { return 1 / (y * y) }, slope: func(y float64) float64 { return 2 / (y * y * y) }},
	{name: "y-1", inverseTree: lawOf("1 + p"), uses: asProduct, of: func(y float64) float64 { return y - 1 }, slope: one},
	{name: "y+1", inverseTree: lawOf("p - 1"), uses: asProduct, of: func(y float64) float64 { return y + 1 }, slope: one},
	{name: "sin y", inverseTree: lawOf("asin(p)"), uses: asProduct | asSum, inverts: within(-math.Pi/2, math.Pi/2), of: math.Sin, slope: math.Cos},
	{name: "cos y", inverseTree: lawOf("acos(p)"), uses: asProduct | asSum, inverts: within(0, math.Pi), of: math.Cos, slope: math.Sin},
	{name: "tan y", inverseTree: lawOf("atan(p)"), uses: asProduct | asSum, inverts: within(-math.Pi/2, math.Pi/2),
		of: math.Tan, slope: func(y float64) float64 { return 1 + math.Tan(y)*math.Tan(y) }},
	{name: "log y", inverseTree: lawOf("exp(p)"), uses: asProduct | asSum | asRatio | asFraction, of: math.Log, slope: func(y float64) float64 { return 1 / y }},
	{name: "exp y", inverseTree: lawOf("log(p)"), uses: asSum, inverts: within(-50, 50), of: math.Exp, slope: math.Exp},
}

var identity = outers[0]

func one(float64) float64 { return 1 }

// within returns a function that reports whether all values lie in [low, high].
func within(low, high float64) func([]float64) bool {
	return func(y []float64) bool { return column.Within(y, low, high) }
}

// inverse returns h⁻¹(p).
func (h transform) inverse(p expr.Tree) expr.Tree {
	t := h.inverseTree.ReplaceLeaves(func(n expr.Node) (by expr.Tree) {
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

// lawOf parses the inverse of an outer function, written with p for h(y) and m for M.
func lawOf(text string) expr.Tree {
	t, err := expr.Parse(text, []string{"p", "m"})
	if err != nil {
		panic(err) // all texts are tested
	}
	return t
}

// writes reports whether all functions in law are allowed. law is the inverse of an outer function.
func (w *work) writes(law expr.Tree) bool {
	return !slices.ContainsFunc(law.Nodes(), func(n expr.Node) bool {
		always := n.Op == expr.Inv || n.Op == expr.Square || n.Op == expr.Neg
		return n.Op.Arity() == 1 && !always && !w.allowed(n.Op)
	})
}

// admits reports whether h can be applied to the target. This is so if the functions in h are
// allowed, h is defined and invertible at all points, and the dimensions permit h.
func (w *work) admits(h transform) bool {
	return w.writes(h.inverseTree) && (h.twicePower != 0 || !w.space.Units || w.space.TargetDim.IsZero()) &&
		column.Finite(column.Map(w.space.Y, h.of)) && (h.inverts == nil || h.inverts(w.space.Y))
}

// dim returns the dimension of h(y) if y has the dimension d.
func (h transform) dim(d unit.Dim) unit.Dim { return d.Pow(unit.Rat(h.twicePower, 2)) }
