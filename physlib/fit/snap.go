package fit

import (
	"math"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// ClosedForm is a number such as 4*pi**2 that may be the true value of a fitted constant.
type ClosedForm struct {
	Tree  expr.Tree // without variables or free constants
	Text  string    // the form as text that expr.Parse reads
	Value float64
	Bits  float64 // description length in bits, without the bit for a minus sign; see closed.Number
}

// Odds returns the logarithm of the odds, in bits, that a measured value with the given standard
// error is this form rather than another number. With z = (value - form)/stderr, the result is
//
//	log₂|value/stderr| - bits - z²/(2 ln 2).
//
// The result is the logarithm of a Bayes factor. The factor compares the form, whose prior
// probability is 2^-bits, with any other number of the same magnitude. [Snap] requires at least 3
// bits. If stderr is below 4·10⁻¹² of value, 4·10⁻¹² of value is used instead.
func (c ClosedForm) Odds(value, stderr float64) float64 {
	size := math.Abs(value)
	sigma := max(stderr, exactError*size)
	z := (value - c.Value) / sigma
	return math.Log2(size/sigma) - c.Bits - z*z/(2*math.Ln2)
}

// Of the closed forms within tol of value, Closed returns the n forms with the shortest
// description, the shortest first. Closed forms are rational numbers p/q with p, q ≤ 1000, alone or
// multiplied by a power of √π, a square root, e or a power of ten; see package closed.
func Closed(value, tol float64, n int) []ClosedForm {
	forms := closed.All(value, tol, n)
	out := make([]ClosedForm, len(forms))
	for i, f := range forms {
		out[i] = newClosedForm(f)
	}
	return out
}

func newClosedForm(f closed.Number) ClosedForm {
	return ClosedForm{f.Tree(), f.String(), f.Value(), f.Bits()}
}

// Relative errors of fitted constants due to rounding in the fit.
const (
	exactError = 4e-12 // least standard error that is assumed
	exactLimit = 1e-10 // with a smaller standard error, the data count as free of noise
	exactReach = 1e-9  // largest error of an ill-conditioned fit to data free of noise
)

// Least odds in bits for a closed form of a measured value, and of a value from data without noise.
const (
	snapOdds  = 3.0
	exactOdds = 10.0
)

// Snap returns the closed form of a fitted constant, as a tree and as text, and its description
// length. ok is false if no form is accepted. A form is accepted if it differs from value by at
// most 2.5 standard errors or by at most 10⁻¹¹ of value, and if its [ClosedForm.Odds] are at least
// 3 bits. So 0.50(1) is 1/2, but 3.1416(1) is not 355/113. In data without noise, stderr is below
// 10⁻¹⁰ of value. A form that differs by at most 10⁻⁹ of value is then accepted as well, if it has
// odds of at least 10 bits.
//
// No form is accepted if stderr is not finite. The form 0 is accepted only for the value 0, since
// whether a term is needed is a question about the law.
func Snap(value, stderr float64) (exact expr.Tree, text string, bits float64, ok bool) {
	size := math.Abs(value)
	if !(stderr >= 0) || math.IsInf(stderr, 0) || math.IsNaN(value) || math.IsInf(value, 0) {
		return expr.Tree{}, "", 0, false
	}
	sigma := max(stderr, exactError*size)
	form, ok := likeliest(value, sigma, 2.5*sigma, snapOdds)
	if !ok && stderr < exactLimit*size {
		form, ok = likeliest(value, exactReach*size, exactReach*size, exactOdds)
	}
	return form.Tree, form.Text, form.Bits, ok
}

// likeliest returns the form within tol of value that has the best odds. ok is false if there is no
// form, or if the best odds are below the argument odds.
func likeliest(value, sigma, tol, odds float64) (best ClosedForm, ok bool) {
	if value == 0 {
		return Closed(0, 0, 1)[0], true
	}
	for _, c := range Closed(value, tol, 3) {
		if o := c.Odds(value, sigma); o >= odds {
			best, odds, ok = c, o, true
		}
	}
	return best, ok
}

// leastDigits is the least number of significant digits in a rounded number.
const leastDigits = 4

// ClosedOrRounded returns a number as a short closed form if its relative error is at most within.
// Otherwise it returns the number rounded to its significant digits.
func ClosedOrRounded(v, stderr, within float64) expr.Tree {
	tol := max(3*stderr, 1e-9*math.Abs(v))
	forms := Closed(v, tol, 1)
	if len(forms) > 0 && forms[0].Bits < 12 && stderr <= within*math.Abs(v) && forms[0].Odds(v, tol) >= 0 {
		return forms[0].Tree
	}
	if stderr > 0 {
		digits := min(max(math.Ceil(math.Log10(math.Abs(v)/stderr))+1, leastDigits), 10)
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', int(digits), 64), 64)
	}
	return expr.Num(v)
}
