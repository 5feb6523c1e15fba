package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/unit"
)

// Column is one measured quantity.
type Column struct {
	Name string
	Unit unit.Unit // unit of Values; meaningless unless HasUnit
	// Whether the unit is known. It is unknown in a header without [unit]; [1] means known and
	// dimensionless.
	HasUnit bool
	Values  []float64 // values as in the file, in the column's own unit
	// Moment of the value 0 if the cells were dates or times of day, otherwise zero. A time of day
	// is on 1 January of the year 0.
	Since time.Time
}

// CountedFrom returns c with its dates counted from since, or its times of day if since is one too.
// It returns c itself if c holds neither, or if since is zero.
func (c Column) CountedFrom(since time.Time) Column {
	if c.Since.IsZero() || since.IsZero() || (c.Since.Year() == 0) != (since.Year() == 0) {
		return c
	}
	c.Values = slices.Clone(c.Values)
	floats.AddConst(seconds(since, c.Since)/c.Unit.Factor(), c.Values)
	c.Since = since
	return c
}

// seconds returns the time from one moment to another. Unlike time.Time.Sub, it has no limit of 292
// years.
func seconds(from, to time.Time) float64 {
	return float64(to.Unix()-from.Unix()) + float64(to.Nanosecond()-from.Nanosecond())/1e9
}

// ParseMoment reads a date such as 2025-01-31, with or without a time of day, or a time of day such
// as 12:30:05 alone. Without a date, it returns a time in the year 0 (see Column.Since).
func ParseMoment(text string) (at time.Time, ok bool) {
	text = strings.TrimSpace(text)
	for _, form := range []string{"15:04:05", "15:04"} {
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
	}
	at, _, ok = parseMoment([]byte(text))
	return at, ok
}

// FormatMoment returns the text of a moment that ParseMoment reads.
func FormatMoment(at time.Time) string {
	switch h, m, s := at.Clock(); {
	case at.Year() == 0:
		return at.Format("15:04:05.999999999")
	case h == 0 && m == 0 && s == 0 && at.Nanosecond() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format(time.RFC3339Nano)
}

// UnitName returns the name of the unit as in the table, or "" if the unit is unknown or 1.
func (c Column) UnitName() string {
	if u := c.Unit.String(); c.HasUnit && u != "1" {
		return u
	}
	return ""
}

// Label returns the name with the unit, as shown on axes and in headers: T [d].
func (c Column) Label() string {
	if u := c.UnitName(); u != "" {
		return c.Name + " [" + u + "]"
	}
	return c.Name
}

// SI returns a copy of the values in SI units, or unchanged if the unit is unknown.
func (c Column) SI() []float64 {
	v := slices.Clone(c.Values)
	if c.HasUnit {
		for i := range v {
			v[i] = c.Unit.ToSI(v[i])
		}
	}
	return v
}

// Table is a target and the columns that may explain it. All have the same length. A program may
// also make one: Target and Vars with Name and Values suffice.
type Table struct {
	Name   string // file or example, for messages
	Target Column
	Vars   []Column
	// Standard error of each target value, in the target's unit; nil when unknown. Weights that are
	// known only up to a factor cannot be given.
	Sigma []float64
	// Above 0: each standard error is this share of the true value, as in y ± 5 %. Sigma then holds
	// this share of the measured values, and fits replace them by the values of the law (see
	// ShareErrors).
	Share   float64
	Consts  []Constant
	Dropped int // number of rows left out because of missing values

	Categories []Category // columns of text, which are not variables

	FileRows []int // number in the file of each row, as in error messages; nil: not from a file
}

// Rows returns the number of measurements.
func (t *Table) Rows() int { return len(t.Target.Values) }

// InputNames returns the names of the columns and known constants that may explain the target.
func (t *Table) InputNames() []string {
	var names []string
	for _, c := range t.Vars {
		names = append(names, c.Name)
	}
	for _, k := range t.Consts {
		names = append(names, k.Name)
	}
	return names
}

// ValuesOf returns the values of the column, the target or the known constant with the given name.
// It returns nil if t has nothing with this name.
func (t *Table) ValuesOf(name string) []float64 {
	for _, c := range append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target) {
		if c.Name == name {
			return c.Values
		}
	}
	for _, k := range t.Consts {
		if k.Name == name {
			return slices.Repeat([]float64{k.Value}, t.Rows())
		}
	}
	return nil
}

// HasUnits reports whether the target or a variable has a unit other than 1.
func (t *Table) HasUnits() bool {
	has := func(c Column) bool { return c.HasUnit && !c.Unit.Dim.IsZero() }
	return has(t.Target) || slices.ContainsFunc(t.Vars, has)
}

// Subset returns the table with the given rows in the given order. A row may occur more than once.
// Changes to its values do not affect t.
func (t *Table) Subset(rows []int) *Table {
	s := *t
	s.Target.Values = Pick(t.Target.Values, rows)
	s.Vars = slices.Clone(t.Vars)
	for i := range s.Vars {
		s.Vars[i].Values = Pick(t.Vars[i].Values, rows)
	}
	if t.Sigma != nil {
		s.Sigma = Pick(t.Sigma, rows)
	}
	if t.FileRows != nil {
		s.FileRows = Pick(t.FileRows, rows)
	}
	s.Categories = slices.Clone(t.Categories)
	for i := range s.Categories {
		s.Categories[i].Codes = Pick(t.Categories[i].Codes, rows)
	}
	return &s
}

// Pick returns the values of v in the given rows, in the given order.
func Pick[T any](v []T, rows []int) []T {
	p := make([]T, len(rows))
	for i, r := range rows {
		p[i] = v[r]
	}
	return p
}

// Split divides the rows at random into two parts. The first part has the given fraction of the
// rows, rounded. Both parts keep the order of t. If 0 < frac < 1 and there are at least two rows,
// neither part is empty.
func (t *Table) Split(frac float64, rng *rand.Rand) (part, rest *Table) {
	n := t.Rows()
	k := 0
	if frac > 0 {
		k = int(math.Round(min(frac, 1) * float64(n)))
	}
	if frac > 0 && frac < 1 && n > 1 {
		k = min(max(k, 1), n-1)
	}
	order := rng.Perm(n)
	slices.Sort(order[:k])
	slices.Sort(order[k:])
	return t.Subset(order[:k]), t.Subset(order[k:])
}

// AddNoise adds Gaussian noise to the target, in place. Its standard deviation is
// sigmaRel·RMS(target), as in the Feynman benchmark (Udrescu and Tegmark 2020).
func AddNoise(t *Table, sigmaRel float64, rng *rand.Rand) {
	if sigmaRel == 0 {
		return
	}
	sigma := sigmaRel * RMS(t.Target.Values)
	for i := range t.Target.Values {
		t.Target.Values[i] += sigma * rng.NormFloat64()
	}
}

// RMS returns √(mean v²), the root mean square, without overflow. It is 0 without values.
func RMS(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, x := range v {
		sum += (x / largest) * (x / largest)
	}
	return largest * math.Sqrt(sum/float64(len(v)))
}
