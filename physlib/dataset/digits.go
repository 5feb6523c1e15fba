package dataset

import (
	"math"
	"slices"
	"strconv"
)

// Rounding is the standard deviation of what rounding to the digits that a column is written with took from or added to each value,
// in the column's own unit: a unit in the last place over √12. It is nil where nothing tells of rounding: values with more than
// twelve significant digits or fewer than four, whole numbers, which may be counts, values at distances that are equal in these
// digits, which were set and not measured, and values that do not mostly end at the same place, be it so many decimals or so many
// significant digits.
func (c Column) Rounding() []float64 {
	const (
		fewest, most = 4, 12 // significant digits
		rows         = 20
		share        = 0.75 // of the values that end at the last place; one in ten ends with a zero
	)
	if len(c.Values) < rows {
		return nil
	}
	digits, exponent := make([]int, len(c.Values)), make([]int, len(c.Values))
	longest, deepest, nonzero := 0, math.MinInt, 0
	for i, v := range c.Values {
		if v == 0 {
			continue
		}
		digits[i], exponent[i] = Places(v)
		longest, deepest = max(longest, digits[i]), max(deepest, digits[i]-1-exponent[i])
		nonzero++
	}
	if longest < fewest || longest > most {
		return nil
	}
	distinct := slices.Clone(c.Values)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	significant, decimals := 0, 0
	for i, v := range c.Values {
		if v != 0 && digits[i] == longest {
			significant++
		}
		if v != 0 && digits[i]-1-exponent[i] == deepest {
			decimals++
		}
	}
	if float64(max(significant, decimals)) < share*float64(nonzero) || decimals >= significant && deepest <= 0 {
		return nil
	}
	out := make([]float64, len(c.Values))
	for i, v := range c.Values {
		last := -deepest
		if significant > decimals {
			last = exponent[i] - longest + 1
			if v == 0 {
				continue
			}
		}
		out[i] = math.Pow10(last) / math.Sqrt(12)
	}
	if Even(distinct) && spacedWithin(distinct, 0.03*slices.Max(out)) {
		return nil
	}
	return out
}

// spacedWithin tells whether rising values stand where equal distances from the first to the last have them, to within off.
func spacedWithin(v []float64, off float64) bool {
	step := (v[len(v)-1] - v[0]) / float64(len(v)-1)
	for i, x := range v {
		if math.Abs(x-v[0]-float64(i)*step) > off {
			return false
		}
	}
	return true
}

// Places are the significant digits of v as it is written shortest, and the power of ten of the first.
func Places(v float64) (digits, exponent int) {
	text := strconv.AppendFloat(nil, math.Abs(v), 'e', -1, 64)
	e := slices.Index(text, 'e')
	exponent, _ = strconv.Atoi(string(text[e+1:])) // as strconv wrote it
	return max(1, e-1), exponent
}

// Even tells whether rising values stand at equal distances, but for the rounding of a table.
func Even(v []float64) bool {
	return spacedWithin(v, 0.01*math.Abs(v[len(v)-1]-v[0])/float64(len(v)-1))
}
