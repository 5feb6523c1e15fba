package fit

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// logarithm returns constants of a product c·f·g… from a fit of its logarithm,
//
//	ln c + ln f + ln g + … = ln y.
//
// The logarithm is linear in rates and exponents. In c0·exp(c1·(x − c2)²), for example, only c2
// remains nonlinear. The fit of the logarithm weights the errors only approximately, but gives good
// starting values. logarithm returns nil if the transformation does not lead to a simpler fit.
func (f *Fitter) logarithm(s Settings) []float64 {
	l := logarithms{slot: -1}
	if !l.factor(f.nodes, false) || l.slot < 0 {
		return nil
	}
	t, ok := expr.FromNodes(l.sum)
	if !ok || t.NumParams() != len(f.params) {
		return nil
	}
	sign := math.Signbit(f.y[0])
	y := make([]float64, len(f.y))
	for i, v := range f.y {
		if v == 0 || math.Signbit(v) != sign {
			return nil
		}
		y[i] = math.Log(math.Abs(v))
	}
	c := f.within(t, y, f.y, s) // the derivative of exp equals its value
	if c == nil {
		return nil
	}
	c[l.slot] = math.Copysign(math.Exp(c[l.slot]), f.y[0])
	return c
}

// logarithms is a sum of logarithms of factors, as postfix nodes.
type logarithms struct {
	sum []expr.Node
	// Slot of the constant factor; -1: there is none. In the nodes of the sum, this constant stands
	// for the logarithm of the factor.
	slot int32
}

// factor adds the logarithms of the factors in nodes to the sum, or subtracts them if below is
// true. ok is false if there are two constant factors, or if one is in a denominator.
func (l *logarithms) factor(nodes []expr.Node, below bool) (ok bool) {
	end := len(nodes) - 1
	switch op := nodes[end].Op; op {
	case expr.Mul, expr.Div:
		first := expr.SubtreeStart(nodes, end-1)
		return l.factor(nodes[:first], below) && l.factor(nodes[first:end], below != (op == expr.Div))
	case expr.Inv:
		return l.factor(nodes[:end], !below)
	case expr.Param:
		if l.slot >= 0 || below {
			return false
		}
		l.slot = nodes[end].Index
		l.add(nodes, false)
	case expr.Exp:
		l.add(nodes[:end], below)
	case expr.Sqrt, expr.Square, expr.Cube:
		power := map[expr.Op]float64{expr.Sqrt: 0.5, expr.Square: 2, expr.Cube: 3}[op]
		l.add(powerOf(nodes[:end], []expr.Node{{Op: expr.Number, Value: power}}), below)
	case expr.Pow:
		first := expr.SubtreeStart(nodes, end-1)
		l.add(powerOf(nodes[:first], nodes[first:end]), below)
	default:
		l.add(logOf(nodes), below)
	}
	return true
}

// add adds a term to the sum, or subtracts it if below is true.
func (l *logarithms) add(term []expr.Node, below bool) {
	op := expr.Node{Op: expr.Add}
	if below {
		op.Op = expr.Sub
	}
	l.sum = joined(l.sum, term, op)
}

// logOf returns ln |x|.
func logOf(x []expr.Node) []expr.Node {
	return append(append([]expr.Node{}, x...), expr.Node{Op: expr.Abs}, expr.Node{Op: expr.Log})
}

// powerOf returns ln |x|ᵖ.
func powerOf(x, p []expr.Node) []expr.Node {
	return append(append(logOf(x), p...), expr.Node{Op: expr.Mul})
}
