package dataset

import (
	"fmt"
	"math"
	"strings"

	"github.com/physlib/lab/physlib/unit"
)

// Constant is a known quantity given alongside the table: --const g=9.80665[m/s^2].
type Constant struct {
	Name    string
	Value   float64 // value in the unit of the constant
	Unit    unit.Unit
	HasUnit bool
	StdErr  float64 // standard error of Value; 0: exact or unknown
}

// SI returns the value in SI units, or unchanged when the unit is unknown.
func (c Constant) SI() float64 {
	if c.HasUnit {
		return c.Unit.ToSI(c.Value)
	}
	return c.Value
}

// ParseConstant reads "g=9.80665[m/s^2]" or, without a unit, "k=1.5".
func ParseConstant(s string) (Constant, error) {
	name, rest, ok := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	if !ok {
		return Constant{}, fmt.Errorf("constant %q has no =; write it as g=9.80665[m/s^2]", s)
	}
	if name == "" || identifier(name) != name {
		return Constant{}, fmt.Errorf("constant %q: %q is not a name; use letters, digits and _", s, name)
	}
	text, unitText, bracket := splitUnit(rest)
	v, _, ok := parseNumber(minus([]byte(text)), '.')
	if !ok || math.IsInf(v, 0) {
		return Constant{}, fmt.Errorf("constant %s: %q is not a number; write it as g=9.80665[m/s^2]", name, text)
	}
	c := Constant{Name: name, Value: v, HasUnit: bracket}
	if bracket {
		var err error
		if c.Unit, err = unit.Parse(unitText); err != nil {
			return Constant{}, fmt.Errorf("constant %s: %w", name, err)
		}
	}
	return c, nil
}
