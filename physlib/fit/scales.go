package fit

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit/qr"
	"gonum.org/v1/gonum/floats"
)

// scales holds the magnitudes that the data suggest for the starting values of the free constants.
type scales struct {
	start []float64
	// For each slot, the magnitude that follows from the constant's position in the tree; NaN:
	// unknown.
	size      []float64
	power     []bool      // for each slot, whether the constant is an exponent
	suggested [][]float64 // for each slot, starting values that the columns suggest; nil: none
	// Slots of the frequencies of oscillations.
	frequencies []int
}

// newScales calculates scales for a tree. First, the magnitudes of nodes are calculated from the
// leaves up, beginning with the RMS of each column. Then the expected magnitude of each node is
// calculated from the root down, beginning with the RMS of the target. The argument of exp or sin
// is of order 1, and a term has the magnitude of the term to which it is added.
func newScales(m *model, start []float64) *scales {
	k := len(m.params)
	s := &scales{start: start, size: make([]float64, k), power: make([]bool, k), suggested: make([][]float64, k)}
	for i := range s.size {
		s.size[i] = math.NaN()
	}
	n := len(m.nodes)
	up, down, first := make([]float64, n), make([]float64, n), make([]int, n)
	for i, node := range m.nodes {
		first[i] = i
		switch node.Op.Arity() {
		case 0:
			up[i] = leafSize(m, node)
		case 1:
			first[i] = first[i-1]
			up[i] = sizeUnary(node.Op, up[i-1])
		case 2:
			a := first[i-1] - 1
			first[i] = first[a]
			up[i] = sizeBinary(node.Op, up[a], up[i-1])
			if x, m0 := m.nodes[a], m.nodes[i-1]; node.Op == expr.Sub && x.Op == expr.Var && m0.Op == expr.Number {
				// The magnitude of x - m for a centred column x.
				up[i] = distance(m.cols[x.Index][:len(m.y)], m0.Value)
			}
		}
	}
	s.addOscillations(m)
	down[n-1] = math.Sqrt(m.yy / float64(max(m.rows, 1)))
	for i := n - 1; i >= 0; i-- {
		node := m.nodes[i]
		switch node.Op.Arity() {
		case 0:
			if node.Op == expr.Param && math.IsNaN(s.size[node.Index]) {
				s.size[node.Index] = down[i]
			}
		case 1:
			down[i-1] = operandSize(node.Op, down[i])
		case 2:
			a, b := first[i-1]-1, i-1
			down[a], down[b] = operandSizes(node.Op, down[i], up[a], up[b])
			if node.Op == expr.Pow && m.nodes[b].Op == expr.Param {
				s.power[m.nodes[b].Index] = true
			}
			// The operands of min and max are comparable quantities, like those of a sum.
			if additive(node.Op) {
				s.addOffset(m, node.Op, a, b)
			}
		}
	}
	return s
}

// addOffset stores starting values for a constant that is added to a column x or subtracted from
// it. For x - c, these are values of x, and values outside of the range of x. For x + c, the signs
// are reversed. Only a value outside of the range gives x - c the same sign in all rows. This is
// necessary if x - c is the argument of a logarithm or the base of a power.
func (s *scales) addOffset(m *model, op expr.Op, a, b int) {
	c, x := m.nodes[a], m.nodes[b]
	if c.Op != expr.Param {
		c, x = x, c
	}
	if c.Op != expr.Param || x.Op != expr.Var || s.suggested[c.Index] != nil {
		return
	}
	at := beyond(m.cols[x.Index][:len(m.y)])
	if op == expr.Add {
		floats.Scale(-1, at)
	}
	s.suggested[c.Index] = at
}

// beyond returns at most 24 of the values v, followed by values outside of the range of v.
func beyond(v []float64) []float64 {
	const inside = 24
	var at []float64
	for i := range min(len(v), inside) {
		at = append(at, v[i*len(v)/min(len(v), inside)])
	}
	low, high := slices.Min(v), slices.Max(v)
	for _, share := range [...]float64{0.01, 0.03, 0.1, 0.3, 1, 3} {
		at = append(at, low-share*(high-low), high+share*(high-low))
	}
	return at
}

// draw returns a random starting value for the constant in a slot.
func (s *scales) draw(slot int, rng *rand.Rand) float64 {
	start := s.start[slot]
	switch u := rng.Float64(); {
	case s.power[slot]:
		if start != 0 && u < 0.3 {
			return start + 0.5*rng.NormFloat64()
		}
		return math.Round(8*rng.NormFloat64())/4 + 0.05*rng.NormFloat64()
	case u < 0.2 && start != 0:
		return start * math.Exp(rng.NormFloat64())
	case u < 0.7 && s.suggested[slot] != nil:
		return s.suggested[slot][rng.IntN(len(s.suggested[slot]))]
	}
	size := s.size[slot]
	if math.IsNaN(size) || size == 0 || math.IsInf(size, 0) {
		if size = math.Abs(start); size == 0 {
			size = 1
		}
	}
	size *= math.Pow(10, 1.2*rng.NormFloat64()-0.3)
	if rng.Float64() < 0.35 {
		size = -size
	}
	if start < 0 {
		size = -size
	}
	return size
}

// leafSize returns the RMS of a column, the magnitude of a number, and NaN for a free constant.
func leafSize(m *model, n expr.Node) float64 {
	switch n.Op {
	case expr.Number:
		return math.Abs(n.Value)
	case expr.Pi:
		return math.Pi
	case expr.Euler:
		return math.E
	case expr.Var:
		c := m.cols[n.Index][:len(m.y)]
		return qr.Norm(c) / math.Sqrt(float64(len(c)))
	}
	return math.NaN()
}

// additive reports whether the operands of op must be comparable quantities, as in a sum or in min.
func additive(op expr.Op) bool { return op.Operator().Unit == expr.SumUnit }

// distance returns the root mean square of x - from.
func distance(x []float64, from float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += (v - from) * (v - from)
	}
	return math.Sqrt(sum / float64(len(x)))
}

func sizeUnary(op expr.Op, a float64) float64 {
	switch op {
	case expr.Neg, expr.Abs:
		return a
	case expr.Inv:
		return 1 / a
	case expr.Sqrt:
		return math.Sqrt(a)
	case expr.Square:
		return a * a
	case expr.Cube:
		return a * a * a
	}
	return 1
}

func sizeBinary(op expr.Op, a, b float64) float64 {
	switch {
	case additive(op):
		if math.IsNaN(a) || b > a {
			return b
		}
		return a
	case op == expr.Mul:
		return a * b
	case op == expr.Div:
		return a / b
	}
	return math.NaN()
}

// operandSize returns the magnitude that the operand of op should have for the result to have the
// magnitude want.
func operandSize(op expr.Op, want float64) float64 {
	switch op {
	case expr.Neg, expr.Abs:
		return want
	case expr.Inv:
		return 1 / want
	case expr.Sqrt:
		return want * want
	case expr.Square:
		return math.Sqrt(want)
	case expr.Cube:
		return math.Cbrt(want)
	}
	return 1
}

// operandSizes returns the magnitudes that two operands should have so that the result of op has
// the magnitude want. a and b are the present magnitudes of the operands, or NaN if unknown.
func operandSizes(op expr.Op, want, a, b float64) (wantA, wantB float64) {
	switch {
	case additive(op):
		wantA, wantB = want, want
		if !math.IsNaN(b) {
			wantA = b
		}
		if !math.IsNaN(a) {
			wantB = a
		}
		return wantA, wantB
	case op == expr.Mul:
		return want / b, want / a
	case op == expr.Div:
		return want * b, a / want
	}
	return 1, 1
}
