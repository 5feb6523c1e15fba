package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Bits that the score adds for each occurrence of a feature that is rare in laws.
const (
	unitBits      = 6.0 // a free constant with a unit
	bareAngleBits = 6.0 // an angle outside a sine, cosine or tangent
	ratioBits     = 6.0 // a ratio of like quantities in place of an angle
	powerBits     = 6.0 // a sum to the power of a fitted exponent
	// A quantity whose unit is ignored, as if the quantity were divided by a constant with that
	// unit.
	droppedBits = 12.0
)

// angles returns the price of two forms that are rare in physics. One is a trigonometric or
// hyperbolic function of a ratio of two quantities with the same dimension, such as v/c; usual
// arguments are angles, ωt and kx. The other is a column in degrees or radians outside such a
// function.
func (j *judge) angles(t expr.Tree) (bits float64) {
	nodes := t.Nodes()
	var inside []bool // whether each node is in the operand of such a function; nil: none is
	for i, n := range nodes {
		switch n.Op {
		case expr.Sin, expr.Cos, expr.Tan, expr.Sinh, expr.Cosh:
		default:
			continue
		}
		operand := t.Subtree(i - 1).Nodes()
		if inside == nil {
			inside = make([]bool, len(nodes))
		}
		for k := i - len(operand); k < i; k++ {
			inside[k] = true
		}
		if j.hasRatio(operand) {
			bits += ratioBits
		}
		if slices.ContainsFunc(operand, j.isAngle) && slices.ContainsFunc(operand, isPower) {
			bits += bareAngleBits // for example, the cosine of the square of an angle
		}
	}
	for i, n := range nodes {
		if j.isAngle(n) && (inside == nil || !inside[i]) {
			bits += bareAngleBits
		}
	}
	return bits
}

// isAngle reports whether n is a column in a unit of angle.
func (j *judge) isAngle(n expr.Node) bool { return n.Op == expr.Var && j.angle[n.Index] }

// isPower reports whether n is a power, a root, an exponential or a logarithm.
func isPower(n expr.Node) bool {
	switch n.Op {
	case expr.Square, expr.Cube, expr.Pow, expr.Sqrt, expr.Inv, expr.Exp, expr.Log:
		return true
	}
	return false
}

// hasRatio reports whether two variables among the nodes have the same dimension.
func (j *judge) hasRatio(nodes []expr.Node) bool {
	var seen []unit.Dim
	for _, n := range nodes {
		if n.Op != expr.Var || int(n.Index) >= len(j.dims) || j.dims[n.Index].IsZero() {
			continue
		}
		if slices.Contains(seen, j.dims[n.Index]) {
			return true
		}
		seen = append(seen, j.dims[n.Index])
	}
	return false
}

// powers returns the price of fitted exponents of sums. A column to a fitted power is common in
// empirical laws, but a sum to a fitted power can fit almost any curve.
func powers(t expr.Tree) (bits float64) {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && i >= 2 && nodes[i-1].Op == expr.Param && (nodes[i-2].Op == expr.Add || nodes[i-2].Op == expr.Sub) {
			bits += powerBits
		}
	}
	return bits
}

// dropped returns the number of quantities with a dimension, including the target. t is a law whose
// dimensions do not balance.
func (j *judge) dropped(t expr.Tree) (n int) {
	if j.p.Target.Known && !j.p.Target.Dim.IsZero() {
		n++
	}
	seen := make([]bool, len(j.dims))
	for _, v := range t.Nodes() {
		if v.Op == expr.Var && !seen[v.Index] && j.known[v.Index] && !j.dims[v.Index].IsZero() {
			seen[v.Index] = true
			n++
		}
	}
	return n
}

// withRoundedExponents returns t with its fitted exponents rounded to hundredths. The dimensions of
// a law such as c0·T**3.86 can then balance: the unit of c0 contains a power of the unit of T.
func withRoundedExponents(t expr.Tree) expr.Tree {
	var nodes []expr.Node
	src := t.Nodes()
	for i, n := range src {
		if n.Op == expr.Param && i+1 < len(src) && src[i+1].Op == expr.Pow {
			n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*100) / 100}
		}
		if nodes == nil && n != src[i] {
			nodes = append([]expr.Node(nil), src...)
		}
		if nodes != nil {
			nodes[i] = n
		}
	}
	if nodes == nil {
		return t
	}
	r, _ := expr.FromNodes(nodes)
	return r
}
