package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Prior returns the price of the form of a law.
type Prior interface {
	// Bits is −log₂ of the probability of t among all laws in the given number of variables. All
	// free constants count as the same symbol, since their values have a separate price.
	Bits(t expr.Tree, vars int) float64
}

// columnPrior is an optional interface of a Prior for one table.
type columnPrior interface {
	// BitsIn is like Prior.Bits, for a law that contains the given columns of the table.
	BitsIn(t expr.Tree, vars int, columns []int) float64
}

// NoForm is a prior that gives every form 0 bits, for laws whose form is known or is priced apart.
type NoForm struct{}

// Bits returns 0.
func (NoForm) Bits(expr.Tree, int) float64 { return 0 }

// Data is a table of measurements prepared for scoring.
//
// Its variables are the table's columns, then its known constants, then derived columns:
// temperatures above absolute zero, angles in radians, and dates counted from the earliest one.
type Data struct {
	Prior  Prior
	Models []Errors // error models that are fitted; nil: all that the target allows

	Cols  [][]float64 // values of each variable
	Y     []float64
	Sigma []float64 // standard error of each row; nil: unknown
	Share float64   // above 0: the errors are this share of the values of a law (dataset.Table.Share)

	points      int // number of different rows
	columns     int // number of variables that are not derived; they come first
	derived     []derived
	dims        []unit.Dim
	known       []bool
	target      unit.Dim
	targetKnown bool // the target's dimension is known
	anyUnit     bool // some known dimension is not zero
	// Standard deviation of the rounding of each variable's values; nil: no rounding known.
	rounding   [][]float64
	yRound     []float64 // standard deviation of the rounding of the target's values
	single     bool      // the target's values are numbers of single precision
	degrees    bool      // the target is an angle in degrees
	guessPrice float64   // price in bits of taking the target for degrees, if it has no unit
	zero       float64   // added to a target in °C, gives the absolute temperature; 0: not in °C
	zeroPrice  float64   // price in bits of a law for the absolute temperature
	isCount    bool      // the target holds counts
	sign       int       // 1: all targets are positive, -1: all are negative, 0: neither

	// Price in bits of taking each variable without a unit for a plain number.
	numberPrices      []float64
	targetNumberPrice float64 // price in bits of taking the target for a plain number
}

// New returns t prepared for scoring. If units is false, all dimensions count as unknown.
func New(t *dataset.Table, prior Prior, units bool) *Data {
	m := &Data{Prior: prior, Y: t.Target.Values, Sigma: t.Sigma, Share: t.Share}
	m.prepare(t, units)
	for i, c := range t.Vars {
		if d, ok := m.derive(c, units); ok {
			d.of = i
			m.addDerived(c, d, units)
		}
	}
	m.target, m.targetKnown = t.Target.Unit.Dim, units && t.Target.HasUnit
	for i := range m.dims {
		m.anyUnit = m.anyUnit || m.known[i] && !m.dims[i].IsZero()
	}
	m.anyUnit = m.anyUnit || m.targetKnown && !m.target.IsZero()
	m.degrees = m.targetKnown && t.Target.Unit.IsDegree()
	if !m.targetKnown {
		m.guessPrice, m.degrees = guessDegrees(prior, t.Target, m.hasAngle())
	}
	if d, ok := m.derive(t.Target, units); ok && d.shift > 0 {
		m.zero, m.zeroPrice = d.shift, max(d.guess, absoluteBits)
	}
	m.signs()
	m.numberPrices = make([]float64, len(m.Cols))
	for i, c := range t.Vars {
		if !m.known[i] {
			m.numberPrices[i] = numberPrice(prior, c.Name)
		}
	}
	for k, d := range m.derived {
		if d.shift < 0 {
			m.numberPrices[m.columns+k] = m.numberPrices[d.of]
		}
	}
	if !m.targetKnown {
		m.targetNumberPrice = numberPrice(prior, t.Target.Name)
	}
	return m
}

// Whole returns t prepared in the same way as m, with the same derived columns and guessed units,
// for fits of chosen laws. m must hold some of the rows of t. If t has no standard errors but m
// has, the error of m's first row holds for all rows. The rounding of the target is as in m, except
// for single precision. The rounding of columns counts as unknown, since only comparisons of laws
// need it, and it takes long to determine in many rows.
func (m *Data) Whole(t *dataset.Table) *Data {
	w := *m
	w.Y, w.Sigma, w.Share = t.Target.Values, t.Sigma, t.Share
	if w.Sigma == nil && m.Sigma != nil {
		w.Sigma = slices.Repeat(m.Sigma[:1], t.Rows())
	}
	w.yRound = slices.Repeat(m.yRound[:1], t.Rows())
	if m.single {
		if r := dataset.SinglePrecision(w.Y); r != nil {
			w.yRound = r
		}
	}
	w.Cols, w.rounding = nil, make([][]float64, len(m.Cols))
	for _, c := range t.Vars {
		w.Cols = append(w.Cols, c.Values)
	}
	for _, k := range t.Consts {
		w.Cols = append(w.Cols, slices.Repeat([]float64{k.Value}, t.Rows()))
	}
	for _, d := range m.derived {
		w.Cols = append(w.Cols, d.values(t.Vars[d.of]))
	}
	w.points = dataset.Distinct(w.Cols[:w.columns], t.Rows())
	w.sign = 0
	w.signs()
	return &w
}

// prepare adds the columns and constants of t, and determines their rounding and that of the
// target.
func (m *Data) prepare(t *dataset.Table, units bool) {
	rows := t.Rows()
	if m.yRound = dataset.SinglePrecision(m.Y); m.yRound != nil {
		m.single = true
	} else {
		m.yRound = slices.Repeat([]float64{step(m.Y) / math.Sqrt(12)}, rows)
	}
	for _, c := range t.Vars {
		m.add(c, c.Values, units)
	}
	for _, k := range t.Consts {
		c := dataset.Column{Name: k.Name, Unit: k.Unit, HasUnit: k.HasUnit}
		m.add(c, slices.Repeat([]float64{k.Value}, rows), units)
		m.rounding[len(m.rounding)-1] = nil
	}
	m.columns = len(m.Cols)
	m.points = dataset.Distinct(m.Cols, rows)
}

// add appends a variable with the unit of column c.
func (m *Data) add(c dataset.Column, values []float64, units bool) {
	m.Cols = append(m.Cols, values)
	m.rounding = append(m.rounding, m.roundings(values))
	m.dims = append(m.dims, c.Unit.Dim)
	m.known = append(m.known, units && c.HasUnit)
}

// signs sets the common sign of the target's values, and whether they are counts.
func (m *Data) signs() {
	lo, hi := slices.Min(m.Y), slices.Max(m.Y)
	switch {
	case lo > 0:
		m.sign = 1
	case hi < 0:
		m.sign = -1
	}
	m.isCount = lo >= 0 && hi >= 20 && !slices.ContainsFunc(m.Y, func(v float64) bool { return v != math.Trunc(v) })
}

// numberPrice returns the price of taking a quantity with this name for a plain number.
func numberPrice(p Prior, name string) float64 {
	if q, ok := p.(numbered); ok {
		return q.NumberBits(name)
	}
	return 0
}

// Values returns the values of t, over the Data's variables, in each row.
func (m *Data) Values(t expr.Tree, params []float64) []float64 {
	return t.Values(m.Rows(), m.Cols, params)
}

// Rows returns the number of measurements.
func (m *Data) Rows() int { return len(m.Y) }

// Vars returns the number of variables that the table itself has.
func (m *Data) Vars() int { return m.columns }

// step returns one unit in the last decimal place of the values. It returns 0 if they have more
// than eight significant digits, since they are then results of calculations.
func step(values []float64) float64 {
	digits, decimals := dataset.Written(values, 8)
	if digits == 0 {
		return 0
	}
	return math.Pow10(-max(decimals, 0))
}

// roundings returns the standard deviation of the rounding of each of a variable's values. It
// returns nil for whole numbers, which may be counts, and for settings. Variables in single
// precision count as rounded if the target is in single precision.
func (m *Data) roundings(values []float64) []float64 {
	if m.single {
		if r := dataset.SinglePrecision(values); r != nil {
			return r
		}
	}
	s := step(values)
	if s == 0 || s >= 1 || len(values) < 3 {
		return nil
	}
	if levels := dataset.Levels(values); len(levels) < 3 || dataset.AreSettings(levels) {
		return nil
	}
	return slices.Repeat([]float64{s / math.Sqrt(12)}, len(values))
}

// Rounded reports whether a variable of t is rounded to the table's digits.
func (m *Data) Rounded(t expr.Tree) bool {
	return slices.ContainsFunc(t.Vars(), func(v int) bool { return m.rounding[v] != nil })
}

// Dependent reports whether variables a and b are the same column in two units.
func (m *Data) Dependent(a, b int) bool {
	of := func(v int) int {
		if v < m.columns {
			return v
		}
		return m.derived[v-m.columns].of
	}
	return of(a) == of(b)
}

// HasUnits reports whether some column has a known dimension and is not dimensionless.
func (m *Data) HasUnits() bool { return m.anyUnit }
