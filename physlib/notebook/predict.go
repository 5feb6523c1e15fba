package notebook

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

// Predict returns the value of the law in each row of t, in the unit of the target. It is NaN if t
// lacks a column or constant of the law.
func Predict(l law.Law, t *dataset.Table) []float64 { return discover.Predict(l, t) }

// Against draws a law against the measurements. A law of one column is drawn as a curve, any other
// as measured against predicted values with the residuals below.
func Against(t *dataset.Table, l law.Law) figure.Picture {
	if x, at, line, ok := discover.Curve(l, t); ok {
		return figure.Curve(x.Values, t.Target.Values, at, line, x.Label(), t.Target.Label())
	}
	return figure.FitResiduals(t.Target.Values, Predict(l, t), t.Target.Label(), t.Target.UnitName())
}

// Residuals draws the residuals of a law.
func Residuals(t *dataset.Table, l law.Law) figure.Picture {
	return figure.Residuals(t.Target.Values, Predict(l, t), t.Target.Label(), t.Target.UnitName())
}

// Scatter draws the target against one of the columns, without a law.
func Scatter(t *dataset.Table, column string) figure.Picture {
	for _, c := range t.Vars {
		if c.Name == column {
			return figure.Curve(c.Values, t.Target.Values, nil, nil, c.Label(), t.Target.Label())
		}
	}
	Check(&dataset.Error{File: t.Name, Column: column, Problem: "there is no such column", Try: "give the name of a column"})
	return figure.Picture{}
}

// Front draws the laws that a search found, the error of each against its complexity.
func Front(laws []law.Law, chosen law.Law, t *dataset.Table) figure.Picture {
	return figure.Front(laws, chosen, t.Target.Label())
}
