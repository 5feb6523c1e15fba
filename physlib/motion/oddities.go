package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Prices of two oddities that the complexity of a law does not include. Both are rare in laws of
// nature, but common in laws that imitate another law over a small range of the states.
const (
	poleBits  = 10 // price in bits of a rate that becomes infinite near the trajectories
	angleBits = 4  // price in bits of a column that is an angle in one term but not in another
)

// oddities returns the bits for poles and inconsistent angles in a system of laws. params holds the
// constants of all trees, one tree after the other.
func (sr *searcher) oddities(trees []expr.Tree, params []float64) (bits float64) {
	cols := sr.sampledColumns()
	m := len(sr.names)
	outside := make([]bool, m)
	for j := range outside { // velocities are not angles
		outside[j] = sr.d.order == 2 && j >= sr.d.numMeasured() && j < sr.d.numStates()
	}
	waves := make([][]bool, len(trees))
	for k, t := range trees {
		waves[k] = make([]bool, m)
		if t.Len() > 0 {
			markAngles(t, false, waves[k], outside)
		}
	}
	for k, t := range trees {
		n := t.NumParams()
		if t.Len() == 0 || n > len(params) {
			params = params[min(n, len(params)):]
			continue
		}
		for j, wave := range waves[k] {
			if wave && outside[j] {
				bits += angleBits
			}
		}
		if len(cols) > 0 && hasPole(t, cols, params[:n]) {
			bits += poleBits
		}
		params = params[n:]
	}
	return bits
}

// markAngles marks the columns of t that occur inside sines, cosines and tangents, and those that
// occur outside. in says whether t itself is inside.
func markAngles(t expr.Tree, in bool, inside, outside []bool) {
	switch t.Root() {
	case expr.Var:
		j := int(t.Nodes()[0].Index)
		if in {
			inside[j] = true
		} else {
			outside[j] = true
		}
	case expr.Sin, expr.Cos, expr.Tan:
		in = true
	}
	for _, a := range t.Args() {
		markAngles(a, in, inside, outside)
	}
}

// hasPole reports whether a denominator that is or contains a sum changes sign near the
// trajectories (see vanishes).
func hasPole(t expr.Tree, cols [][]float64, params []float64) bool {
	return slices.ContainsFunc(t.Denominators(), func(below expr.Tree) bool {
		return summed(below) && vanishes(below, cols, params)
	})
}

// vanishes reports whether t changes sign near the rows of cols. For this, one column at a time is
// shifted up or down by the width of its range. A column without negative values stays nonnegative.
func vanishes(t expr.Tree, cols [][]float64, params []float64) bool {
	moved := slices.Clone(cols)
	program := expr.Compile(t)
	value := make([]float64, len(cols[0]))
	low, high := math.Inf(1), math.Inf(-1)
	visit := func() {
		program.Eval(value, moved, params)
		for _, v := range value {
			low, high = min(low, v), max(high, v)
		}
	}
	for _, j := range t.Vars() {
		least, most := slices.Min(cols[j]), slices.Max(cols[j])
		for _, by := range []float64{least - most, 0, most - least} {
			v := slices.Clone(cols[j])
			for i := range v {
				v[i] += by
				if least >= 0 {
					v[i] = max(v[i], 0)
				}
			}
			moved[j] = v
			visit()
		}
		moved[j] = cols[j]
	}
	return low < 0 && high > 0
}
