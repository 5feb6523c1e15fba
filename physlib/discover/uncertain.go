package discover

import (
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// uncertain sets the covariance of l's constants and the size of the errors, from the fit of l to
// m.
func uncertain(l *law.Law, fitted mdl.Score, m *mdl.Table) {
	if k := len(fitted.Params); len(fitted.Cov) == k*k {
		l.Cov = fitted.Cov
	}
	l.Errors, l.Noise, l.Dof = m.Noise(fitted)
}
