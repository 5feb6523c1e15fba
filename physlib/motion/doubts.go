package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Trajectories often visit a small part of the states, where different laws have the same rates.
const (
	alignedShare = 0.02 // least share of a column's variance that does not follow from the others
	poleShare    = 0.2  // smallest over largest value of a denominator from which a pole is far
)

// aligned reports whether one of cols is nearly a linear function of the others, as near a slow
// manifold. Laws can then exchange that column for the others.
func aligned(cols [][]float64) bool {
	var varying [][]float64
	for _, c := range cols {
		mean := 0.0
		for _, v := range c {
			mean += v / float64(len(c))
		}
		centred := make([]float64, len(c))
		for i, v := range c {
			centred[i] = v - mean
		}
		if dot(centred, centred) > 0 {
			varying = append(varying, centred)
		}
	}
	for i, c := range varying {
		rest := slices.Clone(c)
		var base [][]float64
		for j, o := range varying {
			if j == i {
				continue
			}
			if u := orthogonal(base, slices.Clone(o), 1e-9); u != nil {
				base = append(base, u)
			}
		}
		for _, u := range base {
			subtract(rest, u, dot(u, rest))
		}
		if dot(rest, rest) < alignedShare*dot(c, c) {
			return true
		}
	}
	return false
}

// farFromPole reports whether t has a quotient of different columns whose denominator stays away
// from zero. There y/x may be the limit of y/(x + c), or of another law that saturates.
func farFromPole(t expr.Tree, cols [][]float64) bool {
	args := t.Args()
	if t.Root() == expr.Div {
		below := args[1].Vars()
		above := slices.ContainsFunc(args[0].Vars(), func(j int) bool { return !slices.Contains(below, j) })
		if len(below) == 1 && above && plain(args[1], false) && !summed(args[1]) {
			low, high := math.Inf(1), 0.0
			for _, v := range cols[below[0]] {
				low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
			}
			if low > poleShare*high {
				return true
			}
		}
	}
	return slices.ContainsFunc(args, func(a expr.Tree) bool { return farFromPole(a, cols) })
}

// summed reports whether t contains a sum.
func summed(t expr.Tree) bool {
	return slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool { return n.Op == expr.Add || n.Op == expr.Sub })
}
