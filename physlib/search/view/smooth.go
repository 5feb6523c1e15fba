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
	if rows := neighbours(x); len(rows) > 5 && !onCubics(x, y, rows) {
		return false
	}
	return onCubics(x, y, column.Order(len(x), func(a, b int) int { return cmp.Compare(x[a], x[b]) }))
}

// neighbours returns a small part of many rows, all whose x lie in a range, in the order of x. It is
// nil for few rows.
func neighbours(x []float64) (rows []int) {
	const sampled, wanted = 1024, 2048 // rows
	if len(x) < 8*wanted {
		return nil
	}
	some := make([]float64, sampled)
	for i := range some {
		some[i] = x[i*(len(x)/sampled)]
	}
	slices.Sort(some)
	low, high := some[sampled/2], some[sampled/2+max(1, sampled*wanted/len(x))]
	for i, v := range x {
		if low <= v && v <= high {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	return rows
}

// onCubics reports whether the y of the rows of order, sorted by x, lie on the cubics through their
// neighbours.
func onCubics(x, y []float64, order []int) bool {
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
