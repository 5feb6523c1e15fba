package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// foldPhases returns c with smaller phases of its sines and cosines, but the same values. A phase
// is between -π/2 and π/2 if another constant can change its sign in return, otherwise between -π
// and π.
func foldPhases(m *mdl.Data, c mdl.Score) mdl.Score {
	for _, slot := range phases(c.Tree) {
		v := c.Params[slot]
		if half := math.Round(v / math.Pi); half != 0 {
			c = foldPhase(m, c, slot, half)
		}
	}
	return c
}

// foldPhase subtracts halfTurns·π from the phase in slot. If halfTurns is odd, the sign of another
// constant must change. If there is no such constant, foldPhase subtracts only a multiple of 2π.
func foldPhase(m *mdl.Data, c mdl.Score, slot int, halfTurns float64) mdl.Score {
	was := m.Values(c.Tree, c.Params)
	less := slices.Clone(c.Params)
	less[slot] -= halfTurns * math.Pi
	if math.Mod(halfTurns, 2) == 0 {
		return withParams(c, less)
	}
	for sign := range less {
		if sign == slot {
			continue
		}
		less[sign] *= -1
		if equalValues(was, m.Values(c.Tree, less)) {
			c = withParams(c, less)
			c.Cov = slices.Clone(c.Cov)
			if n := len(less); len(c.Cov) == n*n {
				for j := range n {
					c.Cov[sign*n+j] *= -1
					c.Cov[j*n+sign] *= -1
				}
			}
			return c
		}
		less[sign] *= -1
	}
	whole := slices.Clone(c.Params)
	whole[slot] -= 2 * math.Pi * math.Round(whole[slot]/(2*math.Pi))
	return withParams(c, whole)
}

// withParams returns c with other values of its constants.
func withParams(c mdl.Score, params []float64) mdl.Score {
	c.Params, c.Tree = params, c.Tree.WithStarts(params)
	return c
}

// equalValues reports whether a and b differ by no more than rounding.
func equalValues(a, b []float64) bool {
	return floats.Distance(a, b, math.Inf(1)) <= 1e-9*floats.Norm(a, math.Inf(1))
}

// phases returns the slots of constants that are terms in the operand of a sine or cosine.
// Constants that occur twice are left out.
func phases(t expr.Tree) (slots []int) {
	var visit func(t expr.Tree, term bool)
	visit = func(t expr.Tree, term bool) {
		args := t.Args()
		switch op := t.Root(); {
		case op == expr.Param && term:
			slots = append(slots, int(t.Nodes()[0].Index))
		case op == expr.Sin || op == expr.Cos:
			visit(args[0], true)
		case op == expr.Add || op == expr.Sub:
			visit(args[0], term)
			visit(args[1], term)
		default:
			for _, a := range args {
				visit(a, false)
			}
		}
	}
	visit(t, false)
	uses := map[int]int{}
	for _, n := range t.Nodes() {
		if n.Op == expr.Param {
			uses[int(n.Index)]++
		}
	}
	return slices.DeleteFunc(slots, func(s int) bool { return uses[s] != 1 })
}
