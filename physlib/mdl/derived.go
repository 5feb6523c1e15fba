package mdl

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

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
