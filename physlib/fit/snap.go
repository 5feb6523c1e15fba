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
	Bits  float64 // description length, see closed.Form
}

// Closed lists the n cheapest closed forms within tol of value, the cheapest first: rationals p/q with p, q ≤ 1000, by
// themselves or times a power of √π, √2, √3, √5 or e.
func Closed(value, tol float64, n int) []ClosedForm {
	forms := closed.All(value, tol, n)
	out := make([]ClosedForm, len(forms))
	for i, f := range forms {
		out[i] = newClosedForm(f)
	}
	return out
}

func newClosedForm(f closed.Form) ClosedForm {
	bits := f.Bits()
	if f.Num < 0 {
		bits++ // its sign
	}
	return ClosedForm{f.Tree(), f.String(), f.Value(), bits}
}

// Precision that the rounding of fits leaves in a constant, relative to it.
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

// Snap is the closed form that a fitted constant has if the data say so, with its description length in bits. A form is
// taken when it is within 2.5 standard errors (and never asked to be closer than 10⁻¹¹ of the value) and shorter than
// what it explains: with z = (value - form)/stderr,
//
//	bits + z²/(2 ln 2) + 3 ≤ log₂ |value/stderr|,
//
// which is the logarithm of a Bayes factor between the form, of prior 2^-bits, and any other number of that size. So 0.50(1)
// is 1/2 but 3.1416(1) is not 355/113. When stderr is below 10⁻¹⁰ of value, as it is in data without noise, a form
// that is only within 10⁻⁹ is taken too if it is short. stderr 0 means data without noise; ok is false when it is not
// finite. Zero is a form of zero only: whether a term is needed is a question about the law.
func Snap(value, stderr float64) (exact expr.Tree, text string, bits float64, ok bool) {
	a := math.Abs(value)
	if !(stderr >= 0) || math.IsInf(stderr, 0) || math.IsNaN(value) || math.IsInf(value, 0) {
		return expr.Tree{}, "", 0, false
	}
	sigma := max(stderr, exactError*a)
	best, found := snapWithin(value, sigma, 2.5*sigma, snapOdds)
	if !found && stderr < exactLimit*a {
		best, found = snapWithin(value, exactReach*a, exactReach*a, exactOdds)
	}
	if !found {
		return expr.Tree{}, "", 0, false
	}
	c := newClosedForm(best)
	return c.Tree, c.Text, c.Bits, true
}

// snapWithin is the form within tol of value that has the best odds, if they are enough.
func snapWithin(value, sigma, tol, odds float64) (best closed.Form, ok bool) {
	if value == 0 {
		return closed.Nearest(value, 0)
	}
	information := math.Log2(math.Abs(value) / sigma)
	left := odds
	for _, f := range closed.All(value, tol, 3) {
		z := (value - f.Value()) / sigma
		if o := information - f.Bits() - z*z/(2*math.Ln2); o >= left {
			best, left, ok = f, o, true
		}
	}
	return best, ok
}
