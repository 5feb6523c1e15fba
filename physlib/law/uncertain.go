package law

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// FormatUncertain returns v with its standard error in the last digits, as in tables of physical
// constants: 365.034(12), 4.3(3)e2, 6.6743(15)e-11. The error has two digits if it begins with 1 or
// 2, otherwise one. This is a simple form of the rule of the Particle Data Group. Without a valid
// error, v has 6 digits.
func FormatUncertain(v, err float64) string {
	if !(err > 0) || math.IsInf(err, 0) || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	last := lastDigit(err) // power of ten of the last digit that is kept
	lead := last
	if v != 0 {
		lead = max(last, exponent(v))
	}
	if math.Abs(v) < math.Pow10(last)/2 {
		v = 0 // avoids -0
	}
	units := strconv.FormatFloat(shift(err, -last), 'f', 0, 64)
	if last <= 0 && lead >= -4 && lead < 6 {
		if last < 0 && err >= 1 {
			units = strconv.FormatFloat(err, 'f', -last, 64)
		}
		return strconv.FormatFloat(v, 'f', -last, 64) + "(" + units + ")"
	}
	mantissa := strconv.FormatFloat(shift(v, -lead), 'f', lead-last, 64)
	if strings.HasPrefix(strings.TrimPrefix(mantissa, "-"), "10") { // 9.99 was rounded up to 10
		lead++
		mantissa = strconv.FormatFloat(shift(v, -lead), 'f', lead-last, 64)
	}
	return mantissa + "(" + units + ")e" + strconv.Itoa(lead)
}

// lastDigit returns the power of ten of the last digit of err that is kept.
func lastDigit(err float64) int {
	e := exponent(err)
	lead := shift(err, -e)
	if lead < 2.95 {
		return e - 1
	}
	return e // 9.6 is rounded to 10, which has two digits
}

// exponent returns ⌊log₁₀|v|⌋.
func exponent(v float64) int {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	e, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	return e
}

// shift returns v·10ᵏ, correctly rounded unless it overflows or underflows.
func shift(v float64, k int) float64 {
	text := strconv.FormatFloat(v, 'e', -1, 64)
	at := strings.IndexByte(text, 'e')
	e, _ := strconv.Atoi(text[at+1:])
	out, _ := strconv.ParseFloat(text[:at]+"e"+strconv.Itoa(e+k), 64)
	return out
}

// Interval returns the confidence interval value ± t·stderr of a fitted constant, for a level such
// as 0.95. t is the quantile of Student's distribution with dof degrees of freedom (rows minus
// constants). If dof is below 1, t is the quantile of the normal distribution. The interval is
// infinite if stderr is unknown.
func Interval(value, stderr, level float64, dof int) (low, high float64) {
	if !(stderr >= 0) || !(level >= 0 && level < 1) {
		return math.Inf(-1), math.Inf(1)
	}
	t := distuv.UnitNormal.Quantile((1 + level) / 2)
	if dof >= 1 {
		t = distuv.StudentsT{Sigma: 1, Nu: float64(dof)}.Quantile((1 + level) / 2)
	}
	return value - t*stderr, value + t*stderr
}
