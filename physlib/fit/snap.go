package fit

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// ClosedForm is a number such as 4*pi**2 that a constant may be.
type ClosedForm struct {
	Tree  expr.Tree // without variables or free constants
	Text  string    // as expr.Parse reads it
	Value float64
	Bits  float64 // description length except for its sign, see closed.Form
}

// Odds returns by how many bits the form is a likelier cause than chance of a measurement value
// with the given standard error. With z = (value - form)/stderr,
//
//	log₂|value/stderr| - bits - z²/(2 ln 2),
//
// the logarithm of a Bayes factor between the form, of prior 2^-bits, and any other number of that
// size. [Snap] asks for 3. The standard error counts as at least 4·10⁻¹² of value.
func (c ClosedForm) Odds(value, stderr float64) float64 {
	size := math.Abs(value)
	sigma := max(stderr, exactError*size)
	z := (value - c.Value) / sigma
	return math.Log2(size/sigma) - c.Bits - z*z/(2*math.Ln2)
}

// Closed lists the n shortest closed forms within tol of value, the shortest description first.
// They are rationals p/q with p, q ≤ 1000, by themselves or times a power of √π, √2, √3, √5 or e.
func Closed(value, tol float64, n int) []ClosedForm {
	forms := closed.All(value, tol, n)
	out := make([]ClosedForm, len(forms))
	for i, f := range forms {
		out[i] = newClosedForm(f)
	}
	return out
}

func newClosedForm(f closed.Form) ClosedForm {
	return ClosedForm{f.Tree(), f.String(), f.Value(), f.Bits()}
}

// Relative precision of a constant after the rounding of fits.
const (
	exactError = 4e-12 // least standard error that is believed
	exactLimit = 1e-10 // standard errors below are those of data without noise …
	exactReach = 1e-9  // … whose constants may be off by this much in an ill-conditioned fit
)

// Odds in bits that a closed form must have against chance.
const (
	snapOdds  = 3.0
	exactOdds = 10.0
)

// Snap returns the closed form that a fitted constant has if the data say so, with its description
// length in bits. A form is accepted when it is within 2.5 standard errors, or within 10⁻¹¹ of the
// value, and its [ClosedForm.Odds] are 3 bits or more. So 0.50(1) is 1/2 but 3.1416(1) is not
// 355/113. When stderr is below 10⁻¹⁰ of value, as in data without noise, a short form that is only
// within 10⁻⁹ is accepted too. stderr 0 means data without noise; ok is false when it is not
// finite. Zero is a form of zero only: whether a term is needed is a question about the law.
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

// likeliest returns the form within tol of value that has the best odds, if they are enough.
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
