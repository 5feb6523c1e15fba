package law

import "github.com/physlib/lab/physlib/expr/closed"

// ClosedForm returns the closed form with the fewest bits within tol of v, see [closed.Nearest].
// NumberBits measures numbers by their closed forms.
func ClosedForm(v, tol float64) (form closed.Number, ok bool) { return closed.Nearest(v, tol) }
