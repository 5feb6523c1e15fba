package mdl

// Exact reports whether a law leaves no more than the rounding of the table's digits, in fine
// enough tables, or of calculations.
func (m *Table) Exact(c Score) bool {
	_, spread := m.squares()
	return c.Rounding && c.RSS <= exactSpread*exactSpread*spread || m.Calculated(c)
}

// Calculated reports whether a law leaves no more than the rounding of calculations.
func (m *Table) Calculated(c Score) bool {
	square, spread := m.squares()
	return c.RSS <= exactSize*exactSize*min(square, 1e4*spread)
}

// exactSize is the relative size of residuals at or below which data are exact.
const exactSize = 1e-7

// exactSpread is the size of residuals relative to the target's standard deviation above which the
// rounding of a table's digits is too coarse to make a law exact.
const exactSpread = 1e-3

// squares returns the sum of squares of the target and that of its distances from the mean.
func (m *Table) squares() (square, spread float64) {
	sum := 0.0
	for _, v := range m.Y {
		sum += v
		square += v * v
	}
	return square, square - sum*sum/float64(m.Rows())
}
