package dataset

import (
	"math"
	"slices"
)

// axis reports whether the first row holds, after a name, the values of a variable, as at the top
// of a matrix. Each column then holds the measurements for one value of the variable. These values
// must rise or fall from cell to cell, and lie outside the range of the numbers in the other rows.
func (t *reader) axis(rows []record, cells [][]byte) bool {
	if _, _, quantity := splitUnit(string(cells[0])); quantity || len(cells) < 4 || len(rows) < 4 || kindOf(cells[0]) != textKind {
		return false
	}
	values := make([]float64, len(cells))
	for i, c := range cells[1:] {
		v, _, ok := parseNumber(c, '.')
		values[i+1] = v
		if !ok || i > 1 && (v > values[i]) != (values[i] > values[i-1]) || i > 0 && v == values[i] {
			return false
		}
	}
	low, high := slices.Min(values[1:]), slices.Max(values[1:])
	for _, r := range rows[1:] {
		below := splitRow(nil, r.text, t.layout.sep)
		for _, c := range below[min(1, len(below)):] {
			if v, _, ok := parseNumber(c, '.'); ok && v >= low && v <= high {
				return false
			}
		}
	}
	return true
}

// scaled reports whether the first row is a scale, as at the top of a matrix or of a microplate.
// Its cell above the names of rows is empty, and its other cells are rising whole numbers.
func (t *reader) scaled(rows []record, cells [][]byte) bool {
	if len(cells) < 3 || len(cells[0]) > 0 {
		return false
	}
	last := math.Inf(-1)
	for _, c := range cells[1:] {
		v, _, ok := parseNumber(c, '.')
		if !ok || v != math.Trunc(v) || v <= last {
			return false
		}
		last = v
	}
	return !slices.ContainsFunc(rows[1:], func(r record) bool {
		below := splitRow(nil, r.text, t.layout.sep)
		return len(below) == len(cells) && len(below[0]) == 0
	})
}
