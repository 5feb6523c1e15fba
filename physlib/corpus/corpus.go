// Package corpus holds known laws, so that a search can be tested on data whose law is known. It
// has the benchmarks of the literature and development sets of our own, and reads any table of laws
// in the same form.
//
// A [Problem] is a law with its variables, their ranges and their units; [Problem.Sample] draws a
// table of measurements from it. [Suite] reads a whole set of them. Package corpus/stream makes
// laws without end, and never one of these.
//
// # Table of laws
//
// A suite is a CSV file with a header line and these columns; the rest are ignored:
//
//	id                  name of the law; the row's number when the column or the cell is missing
//	set                 set it belongs to (feynman.csv holds two); the file's name when missing
//	law                 infix: + - * / ** ^, functions, pi, numbers
//	output, output_si   name and unit of the result
//	v1_name             name of the first variable; then v2_name …
//	v1_low, v1_high     its range: numbers, or constant expressions such as 2*pi
//	v1_si               its unit, such as m/s^2, kg m^2 s^-2, Pa s or 1; empty: unknown
//	v1_sampling         uniform (when empty), loguniform or integer
//	given               law of a variable without a range, such as F = m*a, which gives its values
//	output_low, output_high  range of the result, where a variable is given by it
//	path                curve along which the variables were measured, such as t=0..40; x=1; v=0
//
// A variable hides a constant of the same name: in a table with a variable e, the e of a law is
// that variable.
//
// # Sources
//
// README.md alongside the tables names where each comes from and its licence.
package corpus

import (
	"fmt"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Var is a variable of a law and how its values are drawn.
type Var struct {
	Name      string
	Low, High float64 // both included
	Unit      string  // as written in the table, such as "kg m/s^2"; "1" is dimensionless, "" unknown
	Sampling  string  // Uniform when empty, LogUniform or Integer
}

// Ways to draw the values of a variable.
const (
	Uniform    = "uniform"
	LogUniform = "loguniform" // uniform in the logarithm; the range must not touch zero
	Integer    = "integer"    // uniform over the whole numbers of the range
)

// Problem is a known law with the ranges in which it is sampled.
type Problem struct {
	ID, Set    string
	Law        string // infix
	Output     string // name of the result
	OutputUnit string // as Var.Unit
	Vars       []Var
	Title      string // name of the law; may be empty
	Given      Given  // a variable that is not drawn; empty in most
	Path       string // along which the variables were measured, see Measure; empty: they are independent
	Hidden     string // constant whose unit hides in a number of the law, such as "g"; empty in most
}

// Given is a variable that is not drawn: a law gives it. The result of the problem is drawn
// instead, so that a law can be solved for one of its variables.
type Given struct {
	Name   string // of the variable
	Law    string // infix, over the other variables and the result
	Result Var    // of the problem
}

// Names returns the names of the variables, in order.
func (p Problem) Names() []string {
	names := make([]string, len(p.Vars))
	for i, v := range p.Vars {
		names[i] = v.Name
	}
	return names
}

// Tree returns the law over the columns Vars. An error names the problem.
func (p Problem) Tree() (expr.Tree, error) {
	t, err := expr.Parse(p.Law, p.Names())
	if err != nil {
		return expr.Tree{}, fmt.Errorf("%s: law %q: %w", p.ID, p.Law, err)
	}
	if n := t.NumParams(); n > 0 {
		return expr.Tree{}, fmt.Errorf("%s: law %q: c%d is no variable of this row: give it a vN_name column or a number", p.ID, p.Law, n-1)
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

// parseUnit returns the unit written as s, and whether there is one.
func parseUnit(s string) (u unit.Unit, known bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return u, false, nil
	}
	u, err = unit.Parse(s)
	return u, err == nil, err
}
