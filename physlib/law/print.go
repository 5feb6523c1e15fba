package law

import (
	"math"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
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
	return l.insert(func(c Constant) float64 {
		if c.ConditionalErr > 0 {
			return roundTo(c.Value, c.ConditionalErr, digits)
		}
		return roundTo(c.Value, c.StdErr, digits)
	})
}

// roundTo returns v rounded to the second digit of its standard error err. If err is not positive,
// v is rounded to the given number of significant digits.
func roundTo(v, err float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	if err > 0 && !math.IsInf(err, 0) {
		digits = min(17, max(1, exponent(v)-exponent(err)+2))
	}
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return out
}
