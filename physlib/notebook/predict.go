package notebook

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

// Predict is the law's value in each row of t, in the target's unit; NaN where t lacks a column or constant that it names.
func Predict(l law.Law, t *dataset.Table) []float64 {
	columns := make(map[string][]float64, len(t.Vars))
	for _, c := range t.Vars {
		columns[c.Name] = c.Values
	}
	return evaluate(l, t, columns, t.Rows())
}

func evaluate(l law.Law, t *dataset.Table, columns map[string][]float64, n int) []float64 {
	for _, k := range t.Consts {
		columns[k.Name] = slices.Repeat([]float64{k.Value}, n)
	}
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		if cols[i] = columns[name]; cols[i] == nil {
			cols[i] = slices.Repeat([]float64{math.NaN()}, n)
		}
	}
	out := make([]float64, n)
	expr.Compile(l.Tree).Eval(out, cols, l.Params())
	return out
}

// Against draws a law against the measurements: as a curve where it depends on one column, else measured against predicted
// with the residuals below.
func Against(t *dataset.Table, l law.Law) figure.Picture {
	x, single := alone(l, t)
	if !single {
		return figure.FitResiduals(t.Target.Values, Predict(l, t), label(t.Target), unitOf(t.Target))
	}
	low, high := slices.Min(x.Values), slices.Max(x.Values)
	at := make([]float64, 300)
	for i := range at {
		p := float64(i) / float64(len(at)-1)
		if at[i] = low + p*(high-low); low > 0 && high > 10*low { // as a logarithmic axis shows them
			at[i] = low * math.Pow(high/low, p)
		}
	}
	line := evaluate(l, t, map[string][]float64{x.Name: at}, len(at))
	return figure.Curve(x.Values, t.Target.Values, at, line, label(x), label(t.Target))
}

// Residuals draws what a law leaves of the measurements.
func Residuals(t *dataset.Table, l law.Law) figure.Picture {
	return figure.Residuals(t.Target.Values, Predict(l, t), label(t.Target), unitOf(t.Target))
}

// Scatter draws the measurements alone, the target against one of the columns.
func Scatter(t *dataset.Table, column string) figure.Picture {
	for _, c := range t.Vars {
		if c.Name == column {
			return figure.Curve(c.Values, t.Target.Values, nil, nil, label(c), label(t.Target))
		}
	}
	Check(&dataset.Error{File: t.Name, Column: column, Problem: "there is no such column", Try: "give the name of a column"})
	return figure.Picture{}
}

// Front draws what a search found: how far each law misses against how complex it is.
func Front(laws []law.Law, chosen law.Law, t *dataset.Table) figure.Picture {
	return figure.Front(laws, chosen, label(t.Target))
}

// alone is the one column that l depends on, if it is one.
func alone(l law.Law, t *dataset.Table) (found dataset.Column, ok bool) {
	n := 0
	for _, i := range l.Tree.Vars() {
		for _, v := range t.Vars {
			if i < len(l.Vars) && v.Name == l.Vars[i] {
				found, n = v, n+1
			}
		}
	}
	return found, n == 1
}

// label is a column's name with its unit: T [d].
func label(c dataset.Column) string {
	if u := unitOf(c); u != "" {
		return c.Name + " [" + u + "]"
	}
	return c.Name
}

// unitOf is a column's unit as its table writes it; "" when there is none.
func unitOf(c dataset.Column) string {
	u := c.Unit.Name
	if u == "" {
		u = c.Unit.Dim.String()
	}
	if !c.HasUnit || u == "1" {
		return ""
	}
	return u
}
