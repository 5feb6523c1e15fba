// Package law holds fitted laws, how they are priced, and the Pareto front of the best.
package law

import "github.com/physlib/lab/physlib/expr"

// Constant is a fitted constant of a law.
type Constant struct {
	Name   string  `json:"name"`   // c0, c1, …
	Value  float64 `json:"value"`  // in Unit
	StdErr float64 `json:"stderr"` // one standard error; 0 when it is exact or unknown
	Exact  string  `json:"exact"`  // a closed form that fits within the error, such as 4*pi**2 or 1/2; "" when none does
	Unit   string  `json:"unit,omitempty"`
}

// Law is an expression with its constants fitted to a table, in the units in which the table's columns are written.
type Law struct {
	Tree       expr.Tree  // over the table's columns, then its named constants; fitted constants are Params
	Vars       []string   // names of what Tree's variables mean: columns, then named constants
	Target     string     // name of the explained column
	Constants  []Constant // by slot of Tree's Params
	Complexity float64    // description length of the expression in bits-like units, see Complexity
	R2, RMSE   float64    // on all rows
	UnitsOK    bool       // dimensions balance, fitted constants carrying whatever unit they need
	Score      float64    // description length of law and residuals together in bits: less is better
}
