package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// orthogonal returns the normalized component of v orthogonal to an orthonormal base, overwriting
// v. It returns nil if that component is shorter than the fraction share of the length of v.
func orthogonal(base [][]float64, v []float64, share float64) []float64 {
	size := math.Sqrt(dot(v, v))
	for range 2 {
		for _, u := range base {
			subtract(v, u, dot(v, u))
		}
	}
	left := math.Sqrt(dot(v, v))
	if !(left > share*size) || math.IsInf(left, 0) {
		return nil
	}
	for i := range v {
		v[i] /= left
	}
	return v
}

// reduce removes from v its components along the responses to the starting values and the
// constants.
func (g *tangent) reduce(v []float64) {
	g.free(v)
	for range 2 {
		for _, u := range g.consts {
			subtract(v, u, dot(v, u))
		}
	}
}

// unexplained returns the squared norm that v has after reduce. size is the squared norm of the
// given v. unexplained overwrites v.
func (g *tangent) unexplained(v []float64, size float64) float64 {
	g.free(v)
	left := floats.Dot(v, v)
	for _, u := range g.consts {
		along := floats.Dot(v, u)
		left -= along * along
	}
	if left > resolvedShare*size {
		return left
	}
	g.reduce(v) // a difference of nearly equal squares would be mostly rounding error
	return floats.Dot(v, v)
}

// resolvedShare is the smallest fraction of a squared norm that a difference of squares gives
// accurately.
const resolvedShare = 1e-6

// free removes from v its components along the responses to the starting values.
func (g *tangent) free(v []float64) {
	for w, base := range g.starts {
		part := g.part(v, w)
		for range 2 {
			for _, u := range base {
				subtract(part, u, dot(part, u))
			}
		}
	}
}

// part returns the elements of v that belong to the rows of window w.
func (g *tangent) part(v []float64, w int) []float64 {
	a := g.first[w] * len(g.seen)
	return v[a : a+(g.wins[w].n+1)*len(g.seen)]
}

func subtract(v, u []float64, by float64) {
	floats.AddScaled(v, -by, u)
}
