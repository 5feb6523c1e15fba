package expr

import (
	"math"
	"slices"
)

// Oscillation is a function of a phase that repeats after a period.
type Oscillation struct {
	Phase  Tree    // operand of the sine, cosine or tangent
	Period float64 // in radians: 2π, or π for a tangent and for an even function of a sine or cosine
}

// Oscillations returns the sines, cosines and tangents in t, one for each different phase. If
// several have the same phase, it returns the one with the longest period.
func (t Tree) Oscillations() (all []Oscillation) {
	for i, n := range t.nodes {
		if n.Op != Sin && n.Op != Cos && n.Op != Tan {
			continue
		}
		o := Oscillation{t.Subtree(i - 1), 2 * math.Pi}
		if n.Op == Tan || evenOf(t.nodes[i+1:]) {
			o.Period = math.Pi
		}
		same := func(b Oscillation) bool { return slices.Equal(b.Phase.nodes, o.Phase.nodes) }
		if k := slices.IndexFunc(all, same); k >= 0 {
			all[k].Period = max(all[k].Period, o.Period)
			continue
		}
		all = append(all, o)
	}
	return all
}

// evenOf reports whether nodes begin with an even function of the operand before them: an operator
// such as a square, or an even power.
func evenOf(nodes []Node) bool {
	if len(nodes) >= 2 && nodes[0].Op == Number && nodes[1].Op == Pow {
		return math.Mod(nodes[0].Value, 2) == 0
	}
	return len(nodes) >= 1 && nodes[0].Op.Operator().Parity == Even
}
