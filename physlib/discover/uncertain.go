package discover

import (
	"math"

	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// uncertain sets the covariance of l's constants and the size of the errors, from the fit of l to
// m.
func uncertain(l *law.Law, fitted mdl.Score, m *mdl.Table) {
	if k := len(fitted.Params); len(fitted.Cov) == k*k {
		l.Cov = fitted.Cov
	}
	l.Errors, l.Noise, l.Dof = fitted.Model.String(), fitted.Size, max(m.Rows()-len(fitted.Params), 0)
	if fitted.Model == mdl.Given {
		squares := 0.0
		for _, s := range m.Sigma {
			squares += s * s / float64(len(m.Sigma))
		}
		l.Noise, l.Dof = math.Sqrt(squares), 0
	}
}
