package dataset

import (
	"math"
	"strconv"
)

// SinglePrecision returns the standard deviation of the rounding error of each value, if all values
// are single-precision numbers. Such numbers come from an array of float32, or are written with
// eight or nine digits. It returns nil for other values, and for fewer than twenty values.
func SinglePrecision(values []float64) []float64 {
	const (
		rows = 20
		// Least share of values that need the last bit of single precision. On average, half of the
		// results of calculations need it.
		share = 1.0 / 3
	)
	if len(values) < rows {
		return nil
	}
	out := make([]float64, len(values))
	nonzero, full := 0, 0
	for i, v := range values {
		if v == 0 {
			continue
		}
		nonzero++
		single := float32(v)
		digits, step := 0, 0.0
		if float64(single) != v {
			var exponent int
			if digits, exponent = Places(v); !writtenFrom(v, single, digits) {
				return nil
			}
			step = math.Pow10(exponent - digits + 1)
		}
		if math.Float32bits(single)&1 == 1 && (step == 0 || digits >= fullDigits) {
			full++
		}
		ulp := math.Abs(float64(math.Nextafter32(single, float32(math.Inf(1)))) - float64(single))
		out[i] = math.Hypot(ulp, min(step, ulp)) / math.Sqrt(12)
	}
	if float64(full) < share*float64(nonzero) || nonzero == 0 {
		return nil
	}
	return out
}

// fullDigits is the least number of significant digits with which a decimal number may need all
// bits of single precision.
const fullDigits = 8

// writtenFrom reports whether v is the single-precision number single, written with the given
// number of significant digits.
func writtenFrom(v float64, single float32, digits int) bool {
	const most = 9 // number of digits that distinguish any two single-precision numbers
	if digits > most || math.IsInf(float64(single), 0) || single == 0 {
		return false
	}
	text := strconv.FormatFloat(float64(single), 'e', digits-1, 64)
	back, err := strconv.ParseFloat(text, 64)
	return err == nil && back == v
}
