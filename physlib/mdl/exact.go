package mdl

import (
	"math"
	"slices"
)

// Exact reports whether the residuals of a law are no larger than the rounding of calculations.
// They may also be as large as the rounding of the table's digits, if this rounding is small enough
// (see exactSpread).
func (m *Data) Exact(c Score) bool {
	_, spread := m.squares()
	return c.Rounding && c.RSS <= exactSpread*exactSpread*spread || m.Calculated(c)
}

// Calculated reports whether the residuals of a law are no larger than the rounding of
// calculations.
func (m *Data) Calculated(c Score) bool {
	square, spread := m.squares()
	if c.RSS > exactSize*exactSize*min(square, 1e4*spread) {
		return false
	}
	res := m.Values(c.Tree, c.Params)
	for i, y := range m.Y {
		res[i] = y - res[i]
	}
	return SmallInRows(res, m.Y)
}

// SmallInRows reports whether residuals are small in at least three quarters of the rows, compared
// with the values y in the same rows. If y spans many decades, residuals that are small compared
// with the largest values may exceed all other values.
func SmallInRows(res, y []float64) bool {
	const (
		small       = 1e-4  // largest relative residual
		calculation = 1e-13 // largest residual relative to the median value, for values near 0
	)
	size := make([]float64, len(y))
	for i, v := range y {
		size[i] = math.Abs(v)
	}
	median := slices.Sorted(slices.Values(size))[len(size)/2]
	large := 0
	for i, r := range res {
		if !(math.Abs(r) <= max(small*size[i], calculation*median)) {
			large++
		}
	}
	return 4*large <= len(res)
}

// exactSize is the largest relative residual with which data count as exact.
const exactSize = 1e-7

// exactSpread is the largest residual of an exact law, relative to the target's standard deviation.
// If residuals are larger, the table's digits are too coarse to call a law exact.
const exactSpread = 1e-3

// squares returns the sum of squares of the target and that of its deviations from the mean.
func (m *Data) squares() (square, spread float64) {
	sum := 0.0
	for _, v := range m.Y {
		sum += v
		square += v * v
	}
	return square, square - sum*sum/float64(m.Rows())
}
