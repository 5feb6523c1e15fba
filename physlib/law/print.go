package law

import (
	"math"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Infix returns the law as text that expr.Parse reads. Constants are in closed form or at full
// precision.
func (l Law) Infix() string { return l.Bound().Infix(l.Vars) }

// SymPy returns the law as text that SymPy's sympify reads. Constants are in closed form or at full
// precision.
func (l Law) SymPy() string { return written(l.Bound(), expr.Tree.SymPy, l.Vars) }

// Go returns the law as a Go expression. Constants are in closed form or at full precision.
func (l Law) Go() string { return written(l.Bound(), expr.Tree.Go, l.Vars) }

// LaTeX returns the law in LaTeX. Constants are rounded as in Display(0).
func (l Law) LaTeX() string { return written(l.displayed(0), expr.Tree.LaTeX, l.Vars) }

// Display returns Infix with rounded constants, for people to read. Constants with a closed form
// are printed as such. Others are rounded to the second digit of ConditionalErr, or of StdErr if
// ConditionalErr is not set. So the printed law still has the values of the fit. Constants without
// an error get the given number of significant digits (0: 6).
func (l Law) Display(digits int) string { return l.displayed(digits).Infix(l.Vars) }

// written returns as(t, vars). For the empty tree it returns "".
func written(t expr.Tree, as func(expr.Tree, []string) string, vars []string) string {
	if t.Len() == 0 {
		return ""
	}
	return as(t, vars)
}

// displayed returns Tree with its constants replaced by closed forms and rounded numbers.
func (l Law) displayed(digits int) expr.Tree {
	if digits <= 0 {
		digits = 6
	}
	return rewrite.Tidy(folded(l.insert(func(c Constant) float64 {
		if c.ConditionalErr > 0 {
			return roundTo(c.Value, c.ConditionalErr, digits)
		}
		return roundTo(c.Value, c.StdErr, digits)
	})))
}

// folded returns t with one number for a sum or difference of two, such as 121.7 for 122.7 - 1.
func folded(t expr.Tree) expr.Tree {
	if t.Len() < 3 { // no sum
		return t
	}
	args := t.Args()
	for i := range args {
		args[i] = folded(args[i])
	}
	if op := t.Root(); (op == expr.Add || op == expr.Sub) && args[0].Root() == expr.Number && args[1].Root() == expr.Number {
		a, b := args[0].Nodes()[0].Value, args[1].Nodes()[0].Value
		if op == expr.Sub {
			b = -b
		}
		if places := max(decimals(a), decimals(b)); places <= mostDecimals {
			v, _ := strconv.ParseFloat(strconv.FormatFloat(a+b, 'f', places, 64), 64)
			return expr.Num(v)
		}
	}
	return expr.Apply(t.Root(), args...)
}

// mostDecimals is the largest number of decimals of numbers that are folded. Fractions such as 1/3
// have more.
const mostDecimals = 9

// decimals returns the number of decimals of v.
func decimals(v float64) int {
	_, after, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return len(after)
}

// roundTo returns v rounded to the second digit of its standard error err. If err is not positive,
// v is rounded to the given number of significant digits. There are up to fractionDigits digits if
// the result would be printed as a fraction, which looks exact: 1.7504 ± 0.03 is 1.7504 rather than
// 7/4.
func roundTo(v, err float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	if err > 0 && !math.IsInf(err, 0) {
		digits = min(17, max(1, column.Exponent(v)-column.Exponent(err)+2))
	}
	for ; ; digits++ {
		out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if out == v || digits >= fractionDigits || !strings.Contains(expr.Num(out).Infix(nil), "/") {
			return out
		}
	}
}

// fractionDigits is the number of significant digits from which a constant may be printed as a
// fraction that it agrees with.
const fractionDigits = 6
