package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Many states cannot be negative: populations, concentrations, levels. Errors of measurement make
// some of their values negative, where roots and logarithms have no value. A law with a root would
// be rejected for these errors alone. So such values are replaced by the smallest possible one.
const (
	mostBelow  = 5    // largest distance of a nonnegative state below 0, in standard deviations
	leastRange = 20   // least range of such a state, in standard deviations
	almostZero = 1e-9 // smallest value of such a state, relative to its size; not 0 for logarithms
)

// leastValue returns the smallest possible value of a state with the measured values x, errors of
// the standard deviation sigma and the given size. It is about 0 if the state has negative values
// only because of its errors, and otherwise −Inf.
func leastValue(x []float64, sigma, size float64) float64 {
	least, most := slices.Min(x), slices.Max(x)
	if least < 0 && least >= -mostBelow*sigma && most >= leastRange*sigma {
		return almostZero * size
	}
	return math.Inf(-1)
}

// limited returns the columns of the states followed by others, with the states at least at their
// smallest values least, which may be nil.
func limited(cols [][]float64, least []float64) [][]float64 {
	out := slices.Clone(cols)
	for k, limit := range least {
		out[k] = slices.Clone(cols[k])
		for i, v := range out[k] {
			out[k][i] = max(v, limit)
		}
	}
	return out
}

// partial reports whether t may have no value for some states: it has a root, a logarithm or a
// power with an exponent that is not whole.
func partial(t expr.Tree) bool {
	for i, n := range t.Nodes() {
		switch n.Op {
		case expr.Sqrt, expr.Log:
			return true
		case expr.Pow:
			if e := t.Nodes()[i-1]; e.Op != expr.Number || e.Value != math.Trunc(e.Value) {
				return true
			}
		}
	}
	return false
}
