package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// zeroBits is the price of a law that treats the arbitrary zero of a column, such as 0 °C, as a
// natural one. Such a column may hold differences of temperatures. Of 25 input columns in °C in the
// tables of package corpus/tables, two do.
const zeroBits = 3.6

// zeros returns the price of the arbitrary zeros on which t depends. Three operations on a
// temperature in °C depend on the zero of the scale: its logarithm, a division by it, and any power
// of it except a whole positive one. They do not depend on it if a number is added, as in log(T +
// c). The same is true of calendar years.
func (m *Data) zeros(t expr.Tree) float64 {
	if slices.ContainsFunc(m.derived, derived.arbitraryZero) && m.dependsOnZero(t) {
		return zeroBits
	}
	return 0
}

// arbitraryZero reports whether the column from which d is derived counts from an arbitrary zero.
func (d derived) arbitraryZero() bool { return d.shift != 0 && d.guess == 0 }

// arbitraryZero reports whether variable v counts from an arbitrary zero.
func (m *Data) arbitraryZero(v int32) bool {
	return slices.ContainsFunc(m.derived, func(d derived) bool { return d.of == int(v) && d.arbitraryZero() })
}

// dependsOnZero reports whether t contains the logarithm of a product that has a variable with an
// arbitrary zero as a factor. A power of such a product also counts, except a whole positive one.
func (m *Data) dependsOnZero(t expr.Tree) bool {
	nodes := t.Nodes()
	bare := make([]bool, 0, len(nodes)) // for each operand on the stack: whether it is such a product
	for i, n := range nodes {
		switch n.Op.Arity() {
		case 0:
			bare = append(bare, n.Op == expr.Var && m.arbitraryZero(n.Index))
		case 1:
			top := len(bare) - 1
			switch n.Op {
			case expr.Log, expr.Sqrt, expr.Inv:
				if bare[top] {
					return true
				}
			case expr.Neg, expr.Abs, expr.Square, expr.Cube:
			default:
				bare[top] = false
			}
		case 2:
			a, b := bare[len(bare)-2], bare[len(bare)-1]
			bare = bare[:len(bare)-1]
			top := len(bare) - 1
			switch n.Op {
			case expr.Mul:
				bare[top] = a || b
			case expr.Div:
				if b {
					return true
				}
				bare[top] = a
			case expr.Pow:
				e := nodes[i-1]
				if whole := e.Op == expr.Number && e.Value > 0 && e.Value == math.Trunc(e.Value); a && !whole {
					return true
				}
				bare[top] = a
			default:
				bare[top] = false
			}
		}
	}
	return false
}
