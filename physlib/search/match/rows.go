package match

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/dictionary"
)

// The terms that a join chooses from, and their values at the points.

// Row writes the feature's weighted row, not projected.
func (j *Join) Row(dst []float64, f dictionary.Feature) {
	switch {
	case f.Expr < 0:
		j.s.Value(dst, f.Monomial)
	default:
		copy(dst, j.p.Values(f.Expr))
		dictionary.RaiseHalf(dst, int(f.Half))
		j.s.Raise(dst, f.Monomial)
	}
	switch f.Role {
	case dictionary.Factor:
		for i, x := range dst {
			dst[i] = math.Log(math.Abs(x))
		}
	case dictionary.Share:
		floats.Mul(dst, j.Share)
	}
	if j.omega != nil {
		for i, w := range j.omega {
			dst[i] *= w
		}
	}
}
