package fit

import (
	"math/bits"

	"github.com/physlib/lab/physlib/expr"
)

// maxSplit is the largest number of constants in a set of slots, which is one 64-bit word. If a law
// has more constants, all of them are treated as nonlinear.
const maxSplit = 64

// Linear returns the slots of free constants in which t is jointly linear. Fit solves for these
// constants exactly.
func Linear(t expr.Tree) []int {
	var slots []int
	for set := linearSlots(t); set != 0; set &= set - 1 {
		slots = append(slots, bits.TrailingZeros64(set))
	}
	return slots
}

// linearSlots returns free constants of t, as a bit set of slots, in which t is jointly linear:
//
//	t = f₀(θ) + Σ cₖ·fₖ(θ).
//
// It only considers the structure of t. It excludes constants inside functions, denominators and
// exponents, and constants that are multiplied by themselves. If two constants are multiplied by
// each other, as in (c0 + x)*(c1 + c2*x), it keeps the constant that is multiplied by fewer
// constants.
func linearSlots(t expr.Tree) uint64 {
	n := t.NumParams()
	if n == 0 || n > maxSplit {
		return 0
	}
	nodes := t.Nodes()
	stack := make([]uint64, 0, 32) // set of the constants in each operand
	var curved, all uint64
	var partners [maxSplit]uint64
	for i, node := range nodes {
		switch node.Op.Arity() {
		case 0:
			var s uint64
			if node.Op == expr.Param {
				s = 1 << node.Index
			}
			stack = append(stack, s)
			all |= s
		case 1:
			if node.Op != expr.Neg {
				curved |= stack[len(stack)-1]
			}
		case 2:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			stack[len(stack)-1] = a | b
			switch node.Op {
			case expr.Add, expr.Sub:
			case expr.Mul:
				curved |= a & b
				for s := a; s != 0; s &= s - 1 {
					partners[bits.TrailingZeros64(s)] |= b
				}
				for s := b; s != 0; s &= s - 1 {
					partners[bits.TrailingZeros64(s)] |= a
				}
			case expr.Div:
				curved |= b
			default:
				if !(node.Op == expr.Pow && nodes[i-1].Op == expr.Number && nodes[i-1].Value == 1) {
					curved |= a | b
				}
			}
		}
	}
	return independent(all&^curved, &partners)
}

// independent returns a large subset of set in which no two constants are multiplied by each other.
// partners holds, for each constant, the set of constants by which it is multiplied. Constants with
// few partners are chosen first.
func independent(set uint64, partners *[maxSplit]uint64) uint64 {
	var chosen uint64
	for set != 0 {
		best, fewest := -1, maxSplit+1
		for s := set; s != 0; s &= s - 1 {
			k := bits.TrailingZeros64(s)
			if c := bits.OnesCount64(partners[k] & set); c < fewest {
				best, fewest = k, c
			}
		}
		chosen |= 1 << best
		set &^= 1<<best | partners[best]
	}
	return chosen
}
