package dataset

import (
	"math"
	"slices"
	"strconv"
)

// Rounding returns the standard deviation of the rounding error of each value, in the column's own
// unit. This is one unit in the last place of the value, divided by √12. The last place is a
// decimal place that most values share, or the last of the significant digits if most values have
// equally many. Rounding returns nil if the rounding cannot be determined, which is the case for
//
//	fewer than 20 values
//	columns with a value of more than twelve significant digits, or none with four
//	whole numbers, which may be counts
//	evenly spaced values, which were set and not measured
//	values most of which do not end at the same decimal place or significant digit
func (c Column) Rounding() []float64 {
	const rows = 20
	if len(c.Values) < rows {
		return nil
	}
	sizes, largest := roundingOf(c.Values)
	if sizes == nil {
		return nil
	}
	if distinct := Levels(c.Values); Even(distinct, 0) && spacedWithin(distinct, 0.03*largest) {
		return nil
	}
	return sizes
}

// roundingOf returns the standard deviation of the rounding error of each value, and the largest of
// them, without regard to the spacing of the values.
func roundingOf(values []float64) (sizes []float64, largest float64) {
	const (
		fewest, most = 4, 12 // significant digits
		// Least share of values that have as many decimals as the column. On average one value in
		// ten has fewer, since it ends with a zero.
		share = 0.75
	)
	digits, exponent := make([]int16, len(values)), make([]int16, len(values))
	longest, deepest, nonzero, hint := 0, math.MinInt, 0, 0
	for i, v := range values {
		if v == 0 {
			continue
		}
		var d, e int
		if d, e, hint = places(v, hint); d > most {
			return nil, 0
		}
		digits[i], exponent[i] = int16(d), int16(e)
		longest, deepest = max(longest, d), max(deepest, d-1-e)
		nonzero++
	}
	if longest < fewest {
		return nil, 0
	}
	significant, decimals := 0, 0
	for i, v := range values {
		d, e := int(digits[i]), int(exponent[i])
		if v != 0 && d == longest {
			significant++
		}
		if v != 0 && d-1-e == deepest {
			decimals++
		}
	}
	if float64(max(significant, decimals)) < share*float64(nonzero) || decimals >= significant && deepest <= 0 {
		return nil, 0
	}
	sizes = make([]float64, len(values))
	power, size := math.MinInt, 0.0
	for i, v := range values {
		last := -deepest
		if significant > decimals {
			last = int(exponent[i]) - longest + 1
			if v == 0 {
				continue
			}
		}
		if last != power {
			power, size = last, math.Pow10(last)/math.Sqrt(12)
		}
		sizes[i] = size
		largest = max(largest, size)
	}
	return sizes, largest
}

// Levels returns the distinct values in rising order. For more than 16384 unsorted values, the
// result may be incomplete, since Levels first tests only the first 4096 values. If these are not
// on a grid, the result contains only the distinct values among them. If they are on a grid that is
// too fine for counting, the result also contains the smallest and the largest value of v.
func Levels(v []float64) []float64 {
	const part = 4096
	if slices.IsSorted(v) {
		return slices.Compact(slices.Clone(v))
	}
	if len(v) > 4*part {
		step, ok := gridStep(v[:part])
		low, high := slices.Min(v), slices.Max(v)
		if !ok {
			v = v[:part]
		} else if (high-low)/step >= cellsPerValue*float64(len(v)) { // the grid is too fine for counting
			v = append(slices.Clone(v[:part]), low, high)
		} else if levels := counted(v, step); levels != nil {
			return levels
		}
	}
	v = slices.Clone(v)
	slices.Sort(v)
	return slices.Compact(v)
}

// cellsPerValue is the largest number of grid cells per value for which counted is used.
const cellsPerValue = 4

// counted returns the distinct values in rising order, by counting sort on a grid with the given
// step. It returns nil if two different values share a cell.
func counted(v []float64, step float64) []float64 {
	low, high := slices.Min(v), slices.Max(v)
	if !(high-low < math.Inf(1)) {
		return nil
	}
	cells := make([]float64, int((high-low)/step)+2)
	used := make([]bool, len(cells))
	perStep := 1 / step
	for _, x := range v {
		i := int((x-low)*perStep + 0.5)
		if used[i] && cells[i] != x {
			return nil
		}
		cells[i], used[i] = x, true
	}
	out := cells[:0]
	for i, is := range used {
		if is {
			out = append(out, cells[i])
		}
	}
	return out
}

// gridStep returns the smallest distance between values. ok reports whether all values are on a
// grid with this step. Values that an experimenter has chosen are usually on such a grid, and
// measured values hardly ever.
func gridStep(v []float64) (step float64, ok bool) {
	some := slices.Clone(v)
	slices.Sort(some)
	some = slices.Compact(some)
	step = math.Inf(1)
	for i := range some[1:] {
		step = min(step, some[i+1]-some[i])
	}
	if len(some) < 3 {
		return step, true
	}
	off := 0
	for i := range some[1:] {
		if n := (some[i+1] - some[i]) / step; math.Abs(n-math.Round(n)) > 0.1 {
			off++
		}
	}
	return step, 4*off < len(some)
}

// spacedWithin reports whether rising values are evenly spaced between the first and the last. Each
// value may deviate by at most off.
func spacedWithin(v []float64, off float64) bool {
	step := (v[len(v)-1] - v[0]) / float64(len(v)-1)
	for i, x := range v {
		if math.Abs(x-v[0]-float64(i)*step) > off {
			return false
		}
	}
	return true
}

// Places returns the number of significant digits of v in its shortest form, and the power of ten
// of the first digit.
func Places(v float64) (digits, exponent int) {
	digits, exponent, _ = places(v, 0)
	return digits, exponent
}

// places is like Places, but also returns the number of decimals. guess is the number of decimals
// that it tries first. If v is a whole number of at most fifteen digits, divided by a power of ten,
// this quotient is the shortest form of v. The reason is that no two such numbers have the same
// float64.
func places(v float64, guess int) (digits, exponent, decimals int) {
	const (
		surest = 1e15
		tries  = 6
	)
	a := math.Abs(v)
	for k := range tries {
		d := guess + k
		if k == tries-1 {
			d = 0
		}
		scaled := math.Round(a * powersOfTen[d])
		if scaled >= surest || scaled == 0 || d > 15 {
			if d > 15 || scaled >= surest {
				break
			}
			continue
		}
		if scaled/powersOfTen[d] != a {
			continue
		}
		whole := uint64(scaled)
		length, zeros := 0, 0
		for whole%10 == 0 {
			whole /= 10
			zeros++
		}
		for ; whole > 0; whole /= 10 {
			length++
		}
		return max(1, length), length + zeros - 1 - d, d
	}
	text := strconv.AppendFloat(nil, a, 'e', -1, 64)
	e := slices.Index(text, 'e')
	exponent, _ = strconv.Atoi(string(text[e+1:])) // text is from strconv, so there is no error
	digits = max(1, e-1)
	return digits, exponent, min(max(0, digits-1-exponent), 15)
}

// Written returns the largest number of significant digits and the largest number of decimals in
// the shortest forms of the values. If all values end in zeros before the decimal point, the number
// of decimals is negative. Both are 0 if all values are 0, or if a value has more than `most`
// digits.
func Written(values []float64, most int) (digits, decimals int) {
	decimals = math.MinInt
	hint := 0
	for _, v := range values {
		if v == 0 {
			continue
		}
		var d, e int
		if d, e, hint = places(v, hint); d > most {
			return 0, 0
		}
		digits, decimals = max(digits, d), max(decimals, d-1-e)
	}
	if digits == 0 {
		return 0, 0
	}
	return digits, decimals
}

// Even reports whether rising values are evenly spaced, apart from an error of 1 % of the step. The
// error may also be one unit of rounding, but at most 40 % of the step, since the first and the
// last value are rounded as well. So 0.2, 0.5, 0.8 and 1.0 are evenly spaced if they are rounded to
// units of 0.1.
func Even(v []float64, unit float64) bool {
	step := math.Abs(v[len(v)-1]-v[0]) / float64(len(v)-1)
	return spacedWithin(v, max(0.01*step, min(unit, 0.4*step)))
}

// AreSettings reports whether rising values look like settings of an experiment, which are exact,
// and not like measured values. They are settings if one of these conditions holds:
//
//   - They are evenly spaced.
//   - None has more than one significant digit, such as 0.2, 0.3, 0.5. Measured values have more.
//   - They are at least six round numbers whose differences never fall or never rise, such as 0.1,
//     0.2, 0.5, 1, 1.2, 2. Numbers are round here if they have at most two significant digits, or
//     if no more than half of their differences are different. Differences of measured values would
//     be in random order.
func AreSettings(v []float64) bool {
	off := 1e-9 * max(math.Abs(v[0]), math.Abs(v[len(v)-1]))
	if spacedWithin(v, off) || !hasMoreDigits(v, 1) {
		return true
	}
	rising, falling, different := true, true, 1
	for i := 2; i < len(v); i++ {
		switch more := (v[i] - v[i-1]) - (v[i-1] - v[i-2]); {
		case more > off:
			falling = false
			different++
		case more < -off:
			rising = false
			different++
		}
	}
	if len(v) < 6 || !rising && !falling {
		return false
	}
	return 2*different <= len(v)-1 || !hasMoreDigits(v, 2)
}

// hasMoreDigits reports whether a value has more than the given number of significant digits.
func hasMoreDigits(v []float64, most int) bool {
	return slices.ContainsFunc(v, func(x float64) bool {
		digits, _ := Places(x)
		return digits > most
	})
}
