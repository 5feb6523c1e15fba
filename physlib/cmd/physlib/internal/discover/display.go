package discover

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// capped returns l with its constants rounded to at most the given number of digits. So a constant
// with a standard error of 1e-15 is not printed with fifteen digits. Correlated constants get
// additional digits, so that rounding does not change the values of the law noticeably.
func capped(l law.Law, digits int) law.Law {
	l.Constants = slices.Clone(l.Constants)
	for i := range l.Constants {
		k := &l.Constants[i]
		more := 0
		if k.ConditionalErr > 0 && k.StdErr > k.ConditionalErr {
			more = int(math.Ceil(math.Log10(k.StdErr / k.ConditionalErr)))
		}
		k.Value = rounded(k.Value, min(digits+more, 15))
	}
	return l
}

// chosenDigits is the largest number of significant digits of constants in the chosen law. Its
// constants have as many digits wherever it is shown.
const chosenDigits = 8

// plain returns l on one line, such as T = 365.26*a**(3/2). Constants are in closed form if they
// agree with one, and rounded otherwise.
func plain(l law.Law, digits int) string { return l.Target + " = " + capped(l, digits).Display(digits) }

// filled returns the expression shown by plain.
func filled(l law.Law, digits int) expr.Tree {
	t, err := expr.Parse(capped(l, digits).Display(digits), l.Vars)
	if err != nil { // for example because a constant is not finite
		return l.Bound()
	}
	return t
}

// shownConstants returns the constants of l except those that are 0 in closed form, since they
// vanish from the law.
func shownConstants(l law.Law) []law.Constant {
	n := l.Tree.NumParams()
	var out []law.Constant
	for i, k := range l.Constants {
		if i < n || k.Exact != "0" {
			out = append(out, k)
		}
	}
	return out
}

// exponent returns the decimal exponent of v: 2 for 365.
func exponent(v float64) int { return int(math.Floor(math.Log10(v))) }

// rounded returns v rounded to the given number of significant digits.
func rounded(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', max(digits-1, 0), 64), 64)
	if err != nil {
		return v
	}
	return r
}

// estimate returns a constant as text such as 365.2559 ± 0.0021. The error has two digits, and the
// value ends at the same digit.
func estimate(k law.Constant) string {
	v, s := k.Value, k.StdErr
	if !(s > 0) || math.IsInf(s, 0) {
		return significant(v, 8)
	}
	if s < 1e-9*math.Abs(v) { // the error is only due to rounding
		return significant(v, 12) + " ± " + significant(s, 2)
	}
	s = rounded(s, 2)
	place := exponent(s) - 1 // power of ten of the last digit shown
	e := exponent(math.Max(math.Abs(v), s))
	if e >= -3 && e < 7 {
		decimals := max(-place, 0)
		if place > 0 {
			v = scalar.Round(v, -place)
		}
		return fixed(v, decimals) + " ± " + fixed(s, decimals)
	}
	scale := math.Pow(10, float64(e))
	decimals := max(e-place, 0)
	return "(" + fixed(v/scale, decimals) + " ± " + fixed(s/scale, decimals) + ")e" + strconv.Itoa(e)
}

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// significant formats v with at most the given number of significant digits, without trailing
// zeros.
func significant(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }

var (
	rootOf  = regexp.MustCompile(`sqrt\((\w+)\)`)
	symbols = strings.NewReplacer("*pi**2", "π²", "*pi**3", "π³", "pi**2", "π²", "pi**3", "π³", "*pi", "π", "pi", "π", "*√", "√", "**", "^", "*", "·")
)

// pretty returns a closed form in mathematical notation: 4*pi**2 becomes 4π².
func pretty(exact string) string { return symbols.Replace(rootOf.ReplaceAllString(exact, "√$1")) }

// inUnit appends a unit to a number. It omits the units "" and 1.
func inUnit(number, unit string) string {
	if unit == "" || unit == "1" {
		return number
	}
	return number + " " + unit
}

// shortDuration prints a time with two or three digits.
func shortDuration(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
