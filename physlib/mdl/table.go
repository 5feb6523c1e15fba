package mdl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Prior prices the form of a law.
type Prior interface {
	// Bits is −log₂ of the probability of t among all laws in the given number of variables. Free
	// constants count as one symbol: their values are paid for elsewhere.
	Bits(t expr.Tree, vars int) float64
}

// Table is a table of measurements made ready for scoring.
//
// Its variables are the table's columns, then its named constants, then the derived columns:
// temperatures above the absolute zero and angles in radians.
type Table struct {
	Prior  Prior
	Models []Errors // error models that are tried; nil: all that the target allows

	Cols  [][]float64 // values of each variable
	Y     []float64
	Sigma []float64 // standard error of each row; nil: unknown

	points   int // rows that differ in some column
	raw      int // variables that the table itself has
	derived  []derived
	dims     []unit.Dim
	known    []bool
	target   unit.Dim
	knows    bool        // the target's dimension is known
	anyUnit  bool        // some dimension is known and not zero
	rounding [][]float64 // half-width of the rounding interval over √3 of each variable's values; nil: none known
	yRound   float64     // the same of the target
	degrees  bool        // the target is an angle in degrees
	guessed  bool        // that it is follows from its name alone
	count    bool        // the target holds counts
	positive int         // 1: all targets are positive, -1: all are negative, 0: neither
}

// derived is a column that follows from another one by its unit alone.
type derived struct {
	of    int
	scale float64 // the derived value is scale·x + offset
	shift float64
	dim   unit.Dim

	guessed bool // by the column's name, which has no unit
}

// degree is the SI value of one degree.
const degree = math.Pi / 180

// Columns without a unit that are temperatures by their name are taken for degrees Celsius where
// the lowest is between the absolute zero and coldest, in which no table in kelvin begins often,
// and angles for degrees where one is above twoTurns.
const (
	zeroCelsius = 273.15
	coldest     = 150
	twoTurns    = 13
)

// likely returns the dimension that a quantity of this name has in most laws that a prior knows, ""
// where it knows none.
func likely(p Prior, name string) string {
	if q, ok := p.(interface{ Likely(name string) string }); ok {
		return q.Likely(name)
	}
	return ""
}

// New makes t ready. Without units, all dimensions count as unknown.
func New(t *dataset.Table, prior Prior, units bool) *Table {
	m := &Table{Prior: prior, Y: t.Target.Values, Sigma: t.Sigma}
	rows := t.Rows()
	add := func(c dataset.Column, values []float64) {
		m.Cols = append(m.Cols, values)
		m.rounding = append(m.rounding, roundings(values))
		m.dims = append(m.dims, c.Unit.Dim)
		m.known = append(m.known, units && c.HasUnit)
	}
	for _, c := range t.Vars {
		add(c, c.Values)
	}
	for _, k := range t.Consts {
		c := dataset.Column{Name: k.Name, Unit: k.Unit, HasUnit: k.HasUnit}
		add(c, slices.Repeat([]float64{k.Value}, rows))
		m.rounding[len(m.rounding)-1] = nil
	}
	m.raw = len(m.Cols)
	m.points = dataset.Distinct(m.Cols, rows)
	for i, c := range t.Vars {
		d := derived{of: i, scale: 1, dim: c.Unit.Dim}
		switch {
		case !c.HasUnit || !units:
			switch likely(prior, c.Name) {
			case "K":
				if lo := slices.Min(c.Values); lo < -zeroCelsius || lo > coldest {
					continue
				}
				d.shift = zeroCelsius
			case "angle":
				if floats.Norm(c.Values, math.Inf(1)) < twoTurns {
					continue
				}
				d.scale = degree
			default:
				continue
			}
			d.guessed = true
		case c.Unit.Offset != 0:
			d.shift = math.Round(c.Unit.Offset/c.Unit.Factor()*1e9) / 1e9
		case c.Unit.Dim.IsZero() && math.Abs(c.Unit.Factor()-degree) < 1e-9*degree:
			d.scale = degree
		default:
			continue
		}
		values := make([]float64, rows)
		for k, v := range c.Values {
			values[k] = d.scale*v + d.shift
		}
		add(c, values)
		if r := m.rounding[i]; r != nil {
			scaled := slices.Clone(r)
			for k := range scaled {
				scaled[k] *= d.scale
			}
			m.rounding[len(m.rounding)-1] = scaled
		}
		m.derived = append(m.derived, d)
	}
	m.target, m.knows = t.Target.Unit.Dim, units && t.Target.HasUnit
	for i := range m.dims {
		m.anyUnit = m.anyUnit || m.known[i] && !m.dims[i].IsZero()
	}
	m.anyUnit = m.anyUnit || m.knows && !m.target.IsZero()
	m.degrees = m.knows && m.target.IsZero() && math.Abs(t.Target.Unit.Factor()-degree) < 1e-9*degree
	if !m.knows && likely(prior, t.Target.Name) == "angle" && floats.Norm(m.Y, math.Inf(1)) > twoTurns {
		m.degrees, m.guessed = true, true
	}
	m.yRound = step(m.Y) / math.Sqrt(12)
	m.signs()
	return m
}

// signs fills in what the target's values tell of its errors.
func (m *Table) signs() {
	lo, hi := slices.Min(m.Y), slices.Max(m.Y)
	switch {
	case lo > 0:
		m.positive = 1
	case hi < 0:
		m.positive = -1
	}
	m.count = lo >= 0 && hi >= 20 && !slices.ContainsFunc(m.Y, func(v float64) bool { return v != math.Trunc(v) })
}

// Rows returns the number of measurements.
func (m *Table) Rows() int { return len(m.Y) }

// Vars returns the number of variables that the table itself has.
func (m *Table) Vars() int { return m.raw }

// step returns a unit in the last decimal place that any of the values has; 0 where they have more
// than eight significant digits, as results of calculations do.
func step(values []float64) float64 {
	deepest, longest := math.MinInt, 0
	for _, v := range values {
		if v == 0 {
			continue
		}
		digits, exponent := dataset.Places(v)
		if digits > 8 {
			return 0
		}
		deepest, longest = max(deepest, digits-1-exponent), max(longest, digits)
	}
	if longest == 0 {
		return 0
	}
	return math.Pow10(-max(deepest, 0))
}

// roundings returns the standard deviations of the rounding of a variable's values; nil for whole
// numbers, which may be counted, and for values at equal distances, which were set.
func roundings(values []float64) []float64 {
	s := step(values)
	if s == 0 || s >= 1 || len(values) < 3 {
		return nil
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	if sorted = slices.Compact(sorted); len(sorted) < 3 || dataset.Even(sorted) {
		return nil
	}
	return slices.Repeat([]float64{s / math.Sqrt(12)}, len(values))
}

// guesses returns the bits for guessed units that t makes use of.
func (m *Table) guesses(t expr.Tree) (bits float64) {
	for _, v := range t.Vars() {
		if v >= m.raw && m.derived[v-m.raw].guessed {
			bits += guessBits
		}
	}
	if m.guessed && m.inRadians(t).Len() < t.Len() {
		bits += guessBits
	}
	return bits
}

// AsWritten returns t over the columns as they stand in the table in place of temperatures above
// the absolute zero and angles in radians; the same tree where it has none.
func (m *Table) AsWritten(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	for i, n := range nodes {
		if n.Op == expr.Var && int(n.Index) >= m.raw {
			nodes[i].Index = int32(m.derived[int(n.Index)-m.raw].of)
		}
	}
	plain, _ := expr.FromNodes(nodes)
	return plain
}

// guessBits is the price of taking a column without a unit for degrees.
const guessBits = 3

// Lower writes a law over the table's own columns: T + 273.15 for a temperature above the absolute
// zero, π·x/180 for an angle in radians, 180·atan(x)/π for one in degrees.
func (m *Table) Lower(t expr.Tree) expr.Tree {
	if angle := m.inRadians(t); angle.Len() < t.Len() {
		scaled := expr.Apply(expr.Mul, expr.Num(180), m.Lower(angle))
		return expr.Apply(expr.Div, scaled, expr.Leaf(expr.Pi))
	}
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if n.Op != expr.Var || int(n.Index) < m.raw {
			nodes = append(nodes, n)
			continue
		}
		d := m.derived[int(n.Index)-m.raw]
		x := expr.X(d.of)
		if d.shift != 0 {
			x = expr.Apply(expr.Add, x, expr.Num(d.shift))
		} else {
			x = expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.Leaf(expr.Pi), x), expr.Num(180))
		}
		nodes = append(nodes, x.Nodes()...)
	}
	low, _ := expr.FromNodes(nodes)
	return withoutPi(low)
}

// Lift returns the inverse of Lower: it finds T + 273.15 and multiples of π·x/180 in a law over the
// table's own columns, and 180/π before an angle.
func (m *Table) Lift(t expr.Tree) expr.Tree {
	if m.degrees {
		if angle, by := factored(t); angle.Len() > 0 && math.Abs(by-inDegrees) < 1e-9*inDegrees {
			return expr.Apply(expr.Mul, expr.Num(inDegrees), m.liftColumns(angle))
		}
	}
	return m.liftColumns(t)
}

// liftColumns returns Lift except for the target.
func (m *Table) liftColumns(t expr.Tree) expr.Tree {
	if len(m.derived) == 0 {
		return t
	}
	var stack []expr.Tree
	for _, n := range t.Nodes() {
		var part expr.Tree
		switch n.Op.Arity() {
		case 0:
			part, _ = expr.FromNodes([]expr.Node{n})
		case 1:
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if n.Op == expr.Sin || n.Op == expr.Cos || n.Op == expr.Tan {
				a = m.radians(a)
			}
			part = expr.Apply(n.Op, a)
		case 2:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-2]
			part = m.liftPair(n.Op, a, b)
		}
		stack = append(stack, part)
	}
	return stack[0]
}

// liftPair returns op of a and b, lifted.
func (m *Table) liftPair(op expr.Op, a, b expr.Tree) expr.Tree {
	number := func(t expr.Tree) (float64, bool) {
		if t.Len() == 1 && t.Root() == expr.Number {
			return t.Nodes()[0].Value, true
		}
		return 0, false
	}
	for _, pair := range [][2]expr.Tree{{a, b}, {b, a}} {
		x, c := pair[0], pair[1]
		v, ok := number(c)
		if op != expr.Add || !ok || x.Len() != 1 || x.Root() != expr.Var {
			continue
		}
		for k, d := range m.derived {
			if d.of == int(x.Nodes()[0].Index) && d.shift != 0 && math.Abs(v-d.shift) < 1e-9*d.shift {
				return expr.X(m.raw + k)
			}
		}
	}
	return expr.Apply(op, a, b)
}

// radians replaces columns in degrees within t, the operand of a function of an angle, by the same
// in radians.
func (m *Table) radians(t expr.Tree) expr.Tree {
	var nodes []expr.Node
	found := false
	for _, n := range t.Nodes() {
		if n.Op == expr.Var && int(n.Index) < m.raw {
			if k, ok := m.angle(int(n.Index)); ok {
				x := expr.Apply(expr.Div, expr.Apply(expr.Mul, expr.X(k), expr.Num(180)), expr.Leaf(expr.Pi))
				nodes, found = append(nodes, x.Nodes()...), true
				continue
			}
		}
		nodes = append(nodes, n)
	}
	if !found {
		return t
	}
	r, _ := expr.FromNodes(nodes)
	return canonical(r, m.raw+len(m.derived))
}

// canonical returns the canonical form of a part of a law, whose constants keep their slots. Until
// then they stand as variables from number free on.
func canonical(t expr.Tree, free int) expr.Tree {
	constants := map[int32]expr.Node{}
	swap := func(t expr.Tree, by func(expr.Node) expr.Node) expr.Tree {
		nodes := slices.Clone(t.Nodes())
		for i, n := range nodes {
			nodes[i] = by(n)
		}
		out, _ := expr.FromNodes(nodes)
		return out
	}
	fixed := swap(t, func(n expr.Node) expr.Node {
		if n.Op != expr.Param {
			return n
		}
		at := int32(free) + n.Index
		constants[at] = n
		return expr.Node{Op: expr.Var, Index: at}
	})
	return swap(fixed.Canonical(), func(n expr.Node) expr.Node {
		if k, ok := constants[n.Index]; ok && n.Op == expr.Var {
			return k
		}
		return n
	})
}

// angle returns the variable that holds column i in radians, where that is in degrees.
func (m *Table) angle(i int) (variable int, ok bool) {
	for k, d := range m.derived {
		if d.of == i && d.scale != 1 {
			return m.raw + k, true
		}
	}
	return 0, false
}

// Dependent reports whether variables a and b are one column in two units.
func (m *Table) Dependent(a, b int) bool {
	of := func(v int) int {
		if v < m.raw {
			return v
		}
		return m.derived[v-m.raw].of
	}
	return of(a) == of(b)
}

// HasUnits reports whether the dimension of some column is known and not that of a number.
func (m *Table) HasUnits() bool { return m.anyUnit }

// inDegrees is 180/π, by which a target in degrees exceeds the same angle in radians.
const inDegrees = 180 / math.Pi

// InDegrees returns the angle t in degrees where the target is in degrees and t is in radians, as
// an inverse function of an angle is; ok is false elsewhere.
func (m *Table) InDegrees(t expr.Tree) (d expr.Tree, ok bool) {
	switch t.Root() {
	case expr.Asin, expr.Acos, expr.Atan:
		if m.degrees {
			return expr.Apply(expr.Mul, expr.Num(inDegrees), t), true
		}
	}
	return t, false
}

// inRadians returns t without a factor that converts an angle to degrees, where the target is in
// degrees.
func (m *Table) inRadians(t expr.Tree) expr.Tree {
	if !m.degrees || t.Root() != expr.Mul {
		return t
	}
	for i, a := range t.Args() {
		if a.Len() == 1 && a.Root() == expr.Number && math.Abs(a.Nodes()[0].Value-inDegrees) < 1e-9*inDegrees {
			return t.Args()[1-i]
		}
	}
	return t
}
