package synthetic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// accepted returns the form of l that counts as right for a table with the inputs cols and the
// values f. Numbers become free constants, and an overall factor is added, if the table can
// distinguish them from the other constants. Exponents and ±1 stay numbers. The constants are then
// merged as far as possible.
func (l law) accepted(cols [][]float64, f []float64) expr.Tree {
	tree := l.tree.Canonical()
	if basis := tangents(tree, cols, len(f)); !spans(basis, f) {
		tree = expr.Apply(expr.Mul, expr.C(tree.NumParams(), 1), tree).Canonical()
	}
	for i := 0; i < tree.Len(); i++ {
		free, ok := freed(tree, i)
		if !ok {
			continue
		}
		basis := tangents(tree, cols, len(f))
		all := tangentsOf(free, cols, len(f))
		if slices.ContainsFunc(all, func(v []float64) bool { return !spans(basis, v) }) {
			tree = free
		}
	}
	return tree.MergeParams()
}

// freed returns t with the number at node i replaced by a free constant. ok is false if the node is
// not a number, or is an exponent or ±1.
func freed(t expr.Tree, i int) (free expr.Tree, ok bool) {
	nodes := slices.Clone(t.Nodes())
	n := nodes[i]
	switch n.Op {
	case expr.Number:
	case expr.Pi:
		n.Value = math.Pi
	case expr.Euler:
		n.Value = math.E
	default:
		return t, false
	}
	if math.Abs(n.Value) == 1 || i+1 < len(nodes) && nodes[i+1].Op == expr.Pow {
		return t, false
	}
	nodes[i] = expr.Node{Op: expr.Param, Index: int32(t.NumParams()), Value: n.Value}
	return expr.FromNodes(nodes)
}

// tangentsOf returns the derivatives of a law with respect to its constants.
func tangentsOf(t expr.Tree, cols [][]float64, rows int) [][]float64 {
	grad := make([][]float64, t.NumParams())
	for i := range grad {
		grad[i] = make([]float64, rows)
	}
	if len(grad) > 0 {
		expr.Compile(t).Grad(make([]float64, rows), grad, cols, t.Params())
	}
	return grad
}

// tangents returns an orthonormal basis of the derivatives of a law with respect to its constants.
func tangents(t expr.Tree, cols [][]float64, rows int) (basis [][]float64) {
	for _, g := range tangentsOf(t, cols, rows) {
		if v, ok := orthogonalPart(basis, g); ok {
			basis = append(basis, v)
		}
	}
	return basis
}

// independentShare is the least share of a derivative's norm that must be orthogonal to the
// derivatives with respect to other constants. With a smaller share, the derivative counts as
// dependent on the others.
const independentShare = 1e-6

// orthogonalPart returns the normalized component of v that is orthogonal to the basis. ok is
// false if v is in the span of the basis.
func orthogonalPart(basis [][]float64, v []float64) (rest []float64, ok bool) {
	size := floats.Norm(v, 2)
	if !(size > 0) || math.IsInf(size, 0) {
		return nil, false
	}
	rest = slices.Clone(v)
	for range 2 {
		for _, b := range basis {
			floats.AddScaled(rest, -floats.Dot(b, rest), b)
		}
	}
	left := floats.Norm(rest, 2)
	if !(left > independentShare*size) {
		return nil, false
	}
	floats.Scale(1/left, rest)
	return rest, true
}

// spans reports whether v is in the span of the basis.
func spans(basis [][]float64, v []float64) bool {
	_, more := orthogonalPart(basis, v)
	return !more
}
