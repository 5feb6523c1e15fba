package corpus

import (
	"fmt"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Var is a variable of a law, and how its values are drawn.
type Var struct {
	Name      string
	Low, High float64 // limits of the range, both included
	Unit      string  // unit as in the table, such as "kg m/s^2"; "1": dimensionless; "": unknown
	Sampling  string  // Uniform or "", LogUniform or Integer
}

// Ways to draw the values of a variable.
const (
	Uniform    = "uniform"
	LogUniform = "loguniform" // uniform in the logarithm; the range must not contain zero
	Integer    = "integer"    // uniform over the whole numbers in the range
)

// Problem is a known law with the ranges from which its variables are drawn.
type Problem struct {
	ID, Set    string
	Law        string // right side of the law, in infix notation
	Output     string // name of the result
	OutputUnit string // unit of the result, as in Var.Unit
	Vars       []Var
	Title      string // name of the law; may be empty
	Given      Given  // variable that is calculated instead of drawn; most problems have none
	// Curve along which the variables were measured, see Measure; empty: they are independent.
	Path string
	// Constant whose value and unit are part of a number of the law, such as "g"; usually "".
	Hidden string
}

// Given is a variable that is not drawn but calculated by a law. The result of the problem is drawn
// instead. In this way, the law of a problem can be solved for one of its variables.
type Given struct {
	Name   string // name of the variable
	Law    string // law in infix notation, in terms of the other variables and the result
	Result Var    // the result of the problem, with its range
}

// Names returns the names of the variables in order.
func (p Problem) Names() []string {
	names := make([]string, len(p.Vars))
	for i, v := range p.Vars {
		names[i] = v.Name
	}
	return names
}

// Tree returns the law, with variable i as column i. The error names the problem.
func (p Problem) Tree() (expr.Tree, error) {
	t, err := expr.Parse(p.Law, p.Names())
	if err != nil {
		return expr.Tree{}, fmt.Errorf("%s: law %q: %w", p.ID, p.Law, err)
	}
	if n := t.NumParams(); n > 0 {
		return expr.Tree{}, fmt.Errorf("%s: law %q: c%d is not a variable of this row: give it a vN_name column or a number", p.ID, p.Law, n-1)
	}
	return t, nil
}

// HasUnits reports whether the units of the result and of all variables are known.
func (p Problem) HasUnits() bool {
	for _, v := range p.Vars {
		if strings.TrimSpace(v.Unit) == "" {
			return false
		}
	}
	return strings.TrimSpace(p.OutputUnit) != ""
}

// Dims returns the dimensions of the variables and of the result; unknown units count as
// dimensionless.
func (p Problem) Dims() (vars []unit.Dim, output unit.Dim, err error) {
	vars = make([]unit.Dim, len(p.Vars))
	for i, v := range p.Vars {
		u, _, err := parseUnit(v.Unit)
		if err != nil {
			return nil, output, fmt.Errorf("%s: unit of %s: %w", p.ID, v.Name, err)
		}
		vars[i] = u.Dim
	}
	u, _, err := parseUnit(p.OutputUnit)
	if err != nil {
		return nil, output, fmt.Errorf("%s: unit of %s: %w", p.ID, p.Output, err)
	}
	return vars, u.Dim, nil
}

// parseUnit parses the unit s. known is false if s is empty.
func parseUnit(s string) (u unit.Unit, known bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return u, false, nil
	}
	u, err = unit.Parse(s)
	return u, err == nil, err
}
