package discover

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

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

// rounded returns v rounded to the given number of significant digits.
func rounded(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', max(digits-1, 0), 64), 64)
	if err != nil {
		return v
	}
	return r
}

// estimate returns a constant as text such as 365.2559 ± 0.0021.
func estimate(k law.Constant) string { return law.FormatPlusMinus(k.Value, k.StdErr) }

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
