package synthetic

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Shares of tables with certain properties.
const (
	unitShare   = 0.6
	handyShare  = 0.7 // share of tables whose units are changed to handy ones
	offsetShare = 0.08
	extraShare  = 0.15
	sigmaShare  = 0.06 // share with known standard errors
)

// Limits of the number of rows.
const (
	fewestRows = 6
	mostRows   = 60
	spareRows  = 3 // least difference between the numbers of rows and of free constants
)

// table draws a table of l. ok is false if the drawn values do not determine the law.
func (d drawer) table(l law) (t Table, ok bool) {
	if d.chance(handyShare) {
		l = l.inHandyUnits()
	}
	kind := []string{EqualErrors, ProportionalErrors, CountingErrors, HeavyErrors, RoundingErrors}[d.pick(8, 6, 2, 2, 2)]
	constants := l.tree.NumParams()
	cols, design := d.inputs(l.vars, max(d.rows(fewestRows, mostRows), constants+spareRows))
	rows := len(cols[0])
	f, ok := l.at(cols, rows)
	if !ok || rows < max(fewestRows, constants+spareRows) || rows > mostRows {
		return t, false
	}
	t = Table{Law: l.name, Field: l.field, Design: design, Errors: kind}
	if kind == CountingErrors {
		if f, ok = d.counts(&l, f); !ok {
			return t, false
		}
	} else if t.Offset = d.chance(offsetShare); t.Offset {
		d.offset(&l, f)
	}
	m := d.measure(f, kind)
	if !l.visible(cols, f, m, constants) {
		return t, false
	}
	form := l.accepted(cols, f)
	if form.NumParams()+spareRows > rows {
		return t, false
	}
	t.Sigma, t.Level, t.Start = m.sigma, m.level, form.Params()
	t.Data = l.columns(cols, m.y)
	t.Form = form.Infix(l.names())
	t.Truth = l.tree.Bind(l.tree.Params()).Format(l.names(), 6)
	if t.Extra = d.chance(extraShare); t.Extra {
		d.irrelevant(t.Data)
	}
	if !d.chance(unitShare) {
		withoutUnits(t.Data)
	}
	if d.chance(sigmaShare) {
		t.Data.Sigma = make([]float64, rows)
		for i, s := range m.sigma {
			t.Data.Sigma[i] = significant(s, 2)
		}
	}
	return t, true
}

// counts scales l and its values f so that the values are typical counts. ok is false if f has
// negative values.
func (d drawer) counts(l *law, f []float64) ([]float64, bool) {
	if floats.Min(f) < 0 {
		return f, false
	}
	factor := d.between(30, 1e4, true) / floats.Max(f)
	f = slices.Clone(f)
	floats.Scale(factor, f)
	l.tree = expr.Apply(expr.Mul, expr.C(l.tree.NumParams(), factor), l.tree)
	l.target = column{name: l.target.name}
	return f, true
}

// offset adds a constant to l and to its values f, as if the zero of the instrument were off.
func (d drawer) offset(l *law, f []float64) {
	size := d.between(0.05, 0.5, true) * (floats.Max(f) - floats.Min(f))
	if d.chance(0.5) {
		size = -size
	}
	size = significant(size, 2)
	floats.AddConst(size, f)
	l.tree = expr.Apply(expr.Add, l.tree, expr.C(l.tree.NumParams(), size))
}

// columns returns the table of the inputs cols and the target y.
func (l law) columns(cols [][]float64, y []float64) *dataset.Table {
	t := &dataset.Table{Target: l.target.with(y)}
	for i, v := range l.vars {
		t.Vars = append(t.Vars, v.with(cols[i]))
	}
	for slices.Contains(l.names(), t.Target.Name) {
		t.Target.Name += "_out"
	}
	return t
}

// with returns the column with the given values.
func (c column) with(values []float64) dataset.Column {
	if c.unit.Name == "" { // counts have no unit
		c.unit = unit.SI(unit.Dim{})
	}
	return dataset.Column{Name: c.name, Unit: c.unit, HasUnit: true, Values: values}
}

// withoutUnits removes the units of t.
func withoutUnits(t *dataset.Table) {
	t.Target.Unit, t.Target.HasUnit = unit.Unit{}, false
	for i := range t.Vars {
		t.Vars[i].Unit, t.Vars[i].HasUnit = unit.Unit{}, false
	}
}

// extras are columns without effect on the target: the order of measurement, and other quantities
// that people record.
var extras = []struct {
	name, unit string
	low, high  float64
}{
	{"run", "1", 1, 0}, {"T_room", "K", 291, 298}, {"humidity", "1", 0.3, 0.6}, {"p_air", "Pa", 98e3, 103e3},
	{"batch", "1", 1, 5}, {"weight", "kg", 0.2, 3},
}

// irrelevant inserts a column without effect at a random position.
func (d drawer) irrelevant(t *dataset.Table) {
	e := extras[d.IntN(len(extras))]
	u, _ := unit.Parse(e.unit) // the units are valid
	c := column{e.name, u}.with(make([]float64, t.Rows()))
	for i := range c.Values {
		switch {
		case e.high < e.low:
			c.Values[i] = float64(i + 1)
		case e.name == "batch":
			c.Values[i] = float64(1 + d.IntN(5))
		default:
			c.Values[i] = significant(d.between(e.low, e.high, false), 3)
		}
	}
	if t.Target.Name != c.Name && !slices.ContainsFunc(t.Vars, func(o dataset.Column) bool { return o.Name == c.Name }) {
		t.Vars = slices.Insert(t.Vars, d.IntN(len(t.Vars)+1), c)
	}
}
