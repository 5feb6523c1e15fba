package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/search/column"
)

// smoothMiss is the largest error of an interpolation, relative to the standard deviation of the
// target, that rounding to single precision explains.
const smoothMiss = 1e-6

// Smooth reports whether the target has no noise. Then in the order of one variable, such as time
// along a trajectory, each value follows from its neighbors by cubic interpolation. False means
// that this is not known. Weights stand for errors that the user knows of.
func Smooth(p *dataset.Problem) bool {
	if column.Constant(p.Target.Values) || p.Weights != nil {
		return false
	}
	y := column.Standardize(p.Target.Values)
	for _, v := range p.Vars {
		if !v.Const && interpolates(v.Values, y) {
			return true
		}
	}
	return false
}

// interpolates reports whether each y but the outermost lies on the cubic through two points on
// either side, in the order of x, within smoothMiss.
func interpolates(x, y []float64) bool {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	for k := 2; k+2 < len(order); k++ {
		at, rest, size := x[order[k]], y[order[k]], 1.0
		near := [...]int{order[k-2], order[k-1], order[k+1], order[k+2]}
		for _, i := range near {
			weight := 1.0
			for _, j := range near {
				if j != i {
					weight *= (at - x[j]) / (x[i] - x[j])
				}
			}
			rest, size = rest-weight*y[i], size+math.Abs(weight)
		}
		if !(math.Abs(rest) < smoothMiss*size) {
			return false
		}
	}
	return len(order) > 5
}
