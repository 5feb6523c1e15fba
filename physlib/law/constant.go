package law

import "github.com/physlib/lab/physlib/expr/closed"

// ClosedForm returns the closed form by which ConstantBits prices v, if it has one within tol; see
// [closed.Nearest].
func ClosedForm(v, tol float64) (form closed.Form, ok bool) { return closed.Nearest(v, tol) }
