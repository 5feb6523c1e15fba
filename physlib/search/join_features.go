package search

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The terms that a join chooses from, and their values at the points.

// row writes the feature's weighted row, not projected, to dst.
func (j *join) row(dst []float64, f feature) {
	switch {
	case f.atom < 0:
		j.s.value(dst, f.m)
	default:
		copy(dst, j.p.val(f.atom))
		power(dst, int(f.pow))
		j.s.raise(dst, f.m)
	}
	switch f.role {
	case asFactor:
		for i, x := range dst {
			dst[i] = math.Log(math.Abs(x))
		}
	case asShare:
		floats.Mul(dst, j.share)
	}
	if j.omega != nil {
		for i, w := range j.omega {
			dst[i] *= w
		}
	}
}
