package law

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/physlib/lab/physlib/column"
)

// FormatUncertain returns v with its standard error in the last digits, as in tables of physical
// constants: 365.034(12), 6.67430(15)e-11. The error has two digits. Without a valid error, v has 6
// digits. [FormatPlusMinus] writes the error apart.
func FormatUncertain(v, err float64) string {
	if !uncertain(v, err) {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	v, last := ended(v, err)
	lead := last
	if v != 0 {
		lead = max(last, column.Exponent(v))
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

// FormatPlusMinus returns v and its standard error as text such as 365.2559 ± 0.0021 or
// (6.67430 ± 0.00015)e-11. The error has two digits, and v ends at the same digit. Without a valid
// error, v has up to 8 digits. If the error is only due to rounding, v has up to 12.
func FormatPlusMinus(v, err float64) string {
	if !uncertain(v, err) {
		return strconv.FormatFloat(v, 'g', 8, 64)
	}
	if err < 1e-9*math.Abs(v) {
		return strconv.FormatFloat(v, 'g', 12, 64) + " ± " + strconv.FormatFloat(err, 'g', 2, 64)
	}
	v, last := ended(v, err)
	lead := max(last+1, column.Exponent(v))
	if lead < -3 || lead >= 7 {
		digits := lead - last
		return "(" + strconv.FormatFloat(shift(v, -lead), 'f', digits, 64) + " ± " + strconv.FormatFloat(shift(err, -lead), 'f', digits, 64) + ")e" + strconv.Itoa(lead)
	}
	return fixed(v, last) + " ± " + fixed(err, last)
}

// fixed returns v without exponent, rounded to a multiple of 10ᵏ.
func fixed(v float64, k int) string {
	if k > 0 {
		v = shift(math.Round(shift(v, -k)), k)
	}
	return strconv.FormatFloat(v, 'f', max(-k, 0), 64)
}

// uncertain reports whether v is finite and has a valid error.
func uncertain(v, err float64) bool {
	return err > 0 && column.Finite([]float64{v, err})
}

// ended returns the power of ten of the second digit of err, the last digit that is kept. It also
// returns v, or 0 if v is rounded to 0, so that no -0 is printed.
func ended(v, err float64) (float64, int) {
	last := column.Exponent(err) - 1
	if shift(err, -last) >= 99.5 { // 9.96 is rounded to 10, which has two digits
		last++
	}
	if math.Abs(v) < math.Pow10(last)/2 {
		v = 0
	}
	return v, last
}

// shift returns v·10ᵏ, correctly rounded unless it overflows or underflows.
func shift(v float64, k int) float64 {
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	out, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(n+k), 64)
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
