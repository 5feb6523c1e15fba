package synthetic

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// handy are units that people use for values which are large or small in SI.
var handy = [][]string{
	{"m", "km", "cm", "mm", "µm", "nm"}, {"s", "ms", "µs", "min", "h", "d"}, {"kg", "g", "mg", "t"},
	{"Pa", "kPa", "MPa", "GPa", "bar"}, {"V", "mV", "kV"}, {"A", "mA", "µA"}, {"Hz", "kHz", "MHz"},
	{"J", "kJ", "MJ"}, {"W", "mW", "kW", "MW"}, {"mol/m^3", "mol/L"}, {"J/mol", "kJ/mol"},
	{"m^3", "L", "mL"}, {"m^2", "cm^2", "mm^2"}, {"N", "kN", "mN", "nN", "pN"}, {"F", "µF", "nF"}, {"ohm", "kohm"},
	{"m/s", "cm/s", "mm/s"},
}

// handyUnit returns the unit with the dimension of u in which a value is most readable. size is the
// value in u. It returns u if that is readable enough, or if no unit is better.
func handyUnit(u unit.Unit, size float64) unit.Unit {
	far := func(u unit.Unit) float64 { return math.Abs(math.Log10(size/u.Factor()) - 1) }
	best := u
	if size = math.Abs(u.ToSI(size)); !(size > 0) || u.Offset != 0 || far(u) < farUnit {
		return u
	}
	for _, family := range handy {
		for _, name := range family {
			o, err := unit.Parse(name)
			if err != nil || o.Dim != u.Dim {
				break
			}
			if far(o) < far(best) {
				best = o
			}
		}
	}
	if far(best) > farUnit {
		return u
	}
	return best
}

// farUnit is the largest distance of a readable value from 10, in powers of ten: from 0.1 to 1000.
const farUnit = 2

// inHandyUnits returns l in units in which its values are readable. All columns of one dimension
// have the same unit.
func (l law) inHandyUnits() law {
	chosen := map[unit.Dim]unit.Unit{}
	choose := func(c *column, size float64) (factor float64) {
		was := c.unit
		if was.Dim.IsZero() {
			return 1
		}
		u, ok := chosen[was.Dim]
		if !ok {
			u = handyUnit(was, size)
			chosen[was.Dim] = u
		}
		c.unit = u
		return u.Factor() / was.Factor()
	}
	l.vars = slices.Clone(l.vars)
	factors := make([]float64, len(l.vars))
	middle := make([][]float64, len(l.vars))
	for i := range l.vars {
		v := &l.vars[i]
		size := (v.low + v.high) / 2
		middle[i] = []float64{size}
		factors[i] = choose(&v.column, size)
		v.low, v.high = v.low/factors[i], v.high/factors[i]
	}
	size := 0.0
	if y, ok := l.at(middle, 1); ok {
		size = y[0]
	}
	factor := choose(&l.target, size)
	var parts []expr.Node
	for _, n := range l.tree.Nodes() {
		parts = append(parts, n)
		if n.Op == expr.Var && factors[n.Index] != 1 {
			parts = append(parts, expr.Node{Op: expr.Number, Value: factors[n.Index]}, expr.Node{Op: expr.Mul})
		}
	}
	if factor != 1 {
		parts = append(parts, expr.Node{Op: expr.Number, Value: factor}, expr.Node{Op: expr.Div})
	}
	if t, ok := expr.FromNodes(parts); ok {
		l.tree = t.Canonical()
	}
	return l
}
