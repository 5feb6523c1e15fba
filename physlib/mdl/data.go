package mdl

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

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

// derived is a variable that is a linear function of a column: an absolute temperature, an angle in
// radians, or a calendar date counted from the earliest one. If the column has no unit, the unit is
// guessed from its name and its values.
type derived struct {
	of    int     // index of the variable from which it is derived
	scale float64 // the derived value is scale·x + shift, where x is the value of that variable
	shift float64
	dim   unit.Dim

	guess float64 // price in bits of a guessed unit; 0: the unit is known
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

// derive returns the variable that follows from column c by its unit. If c has no unit, the unit is
// guessed from the name of c. ok is false if there is no such variable.
func (m *Data) derive(c dataset.Column, units bool) (d derived, ok bool) {
	d = derived{scale: 1, dim: c.Unit.Dim}
	switch {
	case calendar(c):
		d.shift = -CalendarOrigin(c)
		return d, true
	case !c.HasUnit || !units:
		if likelyDimension(m.Prior, c.Name) == "K" {
			d.shift, d.guess = zeroCelsius, guessBits
			lo := slices.Min(c.Values)
			return d, !(lo < -zeroCelsius || lo > coldest)
		}
		d.scale = degree
		d.guess, ok = guessDegrees(m.Prior, c, false)
		return d, ok
	case c.Unit.Offset != 0:
		d.shift = c.Unit.Zero()
		return d, true
	case c.Unit.IsDegree():
		d.scale = degree
		return d, true
	}
	return d, false
}

// values returns the values of d, which is derived from column c.
func (d derived) values(c dataset.Column) []float64 {
	values := make([]float64, len(c.Values))
	for k, v := range c.Values {
		values[k] = d.scale*v + d.shift
	}
	return values
}

// addDerived appends the variable d of column c.
func (m *Data) addDerived(c dataset.Column, d derived, units bool) {
	m.add(c, d.values(c), units)
	if r := m.rounding[d.of]; r != nil {
		scaled := slices.Clone(r)
		floats.Scale(d.scale, scaled)
		m.rounding[len(m.rounding)-1] = scaled
	}
	m.derived = append(m.derived, d)
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

// likelyDimension returns the most likely dimension of a quantity with this name, according to the
// laws of a prior. It returns "" if the prior knows no dimensions.
func likelyDimension(p Prior, name string) string {
	if q, ok := p.(interface{ LikelyDimension(name string) string }); ok {
		return q.LikelyDimension(name)
	}
	return ""
}

// hasAngle reports whether some column holds angles in degrees.
func (m *Data) hasAngle() bool {
	return slices.ContainsFunc(m.derived, func(d derived) bool { return d.scale == degree })
}

// guessDegrees returns the price of taking a column without a unit for an angle in degrees. ok is
// false if its name or values do not suggest degrees. If degreesElsewhere is true, another column
// contains angles in degrees, and any name is accepted.
func guessDegrees(p Prior, c dataset.Column, degreesElsewhere bool) (bits float64, ok bool) {
	if most := floats.Norm(c.Values, math.Inf(1)); !(most > twoTurns && most <= fullTurn) {
		return 0, false
	}
	if degreesElsewhere {
		return besideBits, true
	}
	share := 0.0
	if q, known := p.(interface {
		DimensionProbability(name, dimension string) float64
	}); known {
		share = q.DimensionProbability(c.Name, "angle")
	}
	if share < leastShare {
		return 0, false
	}
	return guessBits + math.Log2(max(0.5/share, 1)), true
}

// degree is the SI value of one degree.
const degree = math.Pi / 180

// Bounds for columns without a unit, which is guessed from their name:
//
//   - Temperatures count as degrees Celsius if the lowest is between absolute zero and
//     coldest. Few tables in kelvin begin that low.
//   - Angles count as degrees if the largest is above twoTurns but not above fullTurn, and if
//     at least leastShare of the quantities with that name in the laws of the catalogue are
//     angles.
const (
	zeroCelsius = 273.15 // absolute zero is at minus this temperature, in °C
	coldest     = 150    // °C
	twoTurns    = 13     // two turns in radians, rounded up
	fullTurn    = 720    // two turns in degrees
	leastShare  = 0.08   // least share of quantities that are angles
)

// absoluteBits is the price of a law for the absolute temperature if the target is in °C: one
// choice of two.
const absoluteBits = 1

// besideBits is the price of reading the target as degrees if a column contains angles in degrees.
const besideBits = 1

// calendar reports whether c contains calendar years, such as 1790 to 1990. Days or seconds since a
// distant date also count, as used by Excel, Unix and astronomers. The zero of such a column has no
// meaning for the law, and exp(k*year) would overflow.
func calendar(c dataset.Column) bool {
	lo, hi := slices.Min(c.Values), slices.Max(c.Values)
	if lo < firstYear || hi-lo > lo/5 {
		return false
	}
	switch strings.ToLower(c.Name) {
	case "year", "years", "yr", "date", "time", "t", "jahr", "annee", "année", "año",
		"day", "datetime", "timestamp", "epoch", "unix", "jd", "mjd", "bjd", "hjd", "julian_date", "julian_day":
		return !c.HasUnit || c.Unit.Dim == unit.Powers(0, 0, 1) && (hi > lastYear || isYears(c.Unit.Name))
	}
	return false
}

// CalendarOrigin returns the value from which a calendar column is counted: its smallest value,
// rounded down. It is 0 for other columns.
func CalendarOrigin(c dataset.Column) float64 {
	if !calendar(c) {
		return 0
	}
	return math.Floor(slices.Min(c.Values))
}

// isYears reports whether a unit of this name is the year.
func isYears(name string) bool { return name == "yr" || name == "a" || name == "year" }

// Bounds for columns of years and dates.
const (
	firstYear = 1000 // least value of a column of calendar years
	// A column with another unit of time counts as dates only if it has a value above lastYear.
	lastYear = 2200
)

// Values returns the values of t, over the Data's variables, in each row.
func (m *Data) Values(t expr.Tree, params []float64) []float64 {
	return valuesOn(m.Cols, m.Rows(), t, params)
}

// valuesOn returns the values of t on the first rows of cols.
func valuesOn(cols [][]float64, rows int, t expr.Tree, params []float64) []float64 {
	v := make([]float64, rows)
	expr.Compile(t).Eval(v, cols, params)
	return v
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
