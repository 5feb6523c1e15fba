package law

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Constant is a fitted constant of a law.
type Constant struct {
	Name   string  `json:"name"`   // c0, c1, …
	Value  float64 `json:"value"`  // in Unit
	StdErr float64 `json:"stderr"` // one standard error; 0 when it is exact or unknown
	Alone  float64 `json:"-"`      // the same were the other constants known: rounded to it the law still gives its values; 0: unknown
	Exact  string  `json:"exact"`  // a closed form that fits within the error, such as 4*pi**2 or 1/2; "" when none does
	Unit   string  `json:"unit,omitempty"`
	Hint   string  `json:"hint,omitempty"` // closed forms within one standard error of a fitted number, such as "pi/5"; not used in the law
}

// Law is an expression with its constants fitted to a table, in the units in which the table's
// columns are written.
type Law struct {
	Tree   expr.Tree // over the table's columns, then its named constants; fitted constants are Params
	Vars   []string  // names of what Tree's variables mean: columns, then named constants
	Target string    // name of the explained column

	// Constants are by slot of Tree's Params. Those beyond the last slot were fitted once and now
	// stand in Tree in their closed form.
	Constants []Constant

	Complexity float64 // description length of the expression in bits, see Complexity
	R2, RMSE   float64 // on all rows
	UnitsOK    bool    // dimensions balance, fitted constants carrying whatever unit they need
	Score      float64 // description length of law and residuals together in bits: less is better
	SI         string  // the law in SI units with the table's named constants, such as "P = 2*pi*a**(3/2)/sqrt(G*M)"; "": it has none
	Proposer   string  // who came with it first, such as "search"; "" unknown

	Cov    []float64 // covariance of the fitted constants, by rows; nil: not known
	Errors string    // how the target's errors depend on it: EqualErrors, …; "" not known
	Noise  float64   // size of these errors, see Errors; 0: not known
	Dof    int       // degrees of freedom from which Noise was found; 0: the errors were given
}

// Models of the target's errors, in Law.Errors; Noise says how large they are. They are the names
// of the models of package mdl.
const (
	EqualErrors        = "equal"                         // Noise is their standard deviation
	ProportionalErrors = "proportional"                  // Noise is their size relative to the target
	CountingErrors     = "counting"                      // Noise is their size in units of the target's root
	GivenErrors        = "given"                         // Noise is the root mean square of those given
	HeavyErrors        = "heavy-tailed"                  // Noise is the scale of Student's distribution
	HeavyFactorErrors  = "proportional and heavy-tailed" // the same relative to the target
)

// Named returns the Constants of a fit: c0, c1, … with the given values and standard errors. stderr
// may be nil, and errors that are not finite count as unknown.
func Named(values, stderr []float64) []Constant {
	cs := make([]Constant, len(values))
	for i, v := range values {
		cs[i] = Constant{Name: fmt.Sprintf("c%d", i), Value: v}
		if i < len(stderr) && !math.IsInf(stderr[i], 0) && !math.IsNaN(stderr[i]) {
			cs[i].StdErr = stderr[i]
		}
	}
	return cs
}

// constant returns the constant of a slot; slots beyond Constants have the value from which a fit
// of Tree starts.
func (l Law) constant(slot int, start float64) Constant {
	if slot < len(l.Constants) {
		return l.Constants[slot]
	}
	return Constant{Value: start}
}

// closedForm returns Exact as an expression; ok is false where there is none that can be read.
func (c Constant) closedForm() (form expr.Tree, ok bool) {
	if c.Exact == "" {
		return form, false
	}
	form, err := expr.Parse(c.Exact, nil)
	return form, err == nil && form.NumParams() == 0
}

// Params returns the values of the fitted constants by slot of Tree.
func (l Law) Params() []float64 {
	p := l.Tree.Params()
	for i := range p {
		p[i] = l.constant(i, p[i]).Value
	}
	return p
}

// Bound returns the law with its constants inserted: in closed form those that have one, else their
// values at full precision.
func (l Law) Bound() expr.Tree {
	return l.insert(func(c Constant) float64 { return c.Value })
}

// insert returns Tree with closed forms, and number(c) for the constants that have none.
func (l Law) insert(number func(c Constant) float64) expr.Tree {
	by := make([]expr.Tree, l.Tree.NumParams())
	for slot, start := range l.Tree.Params() {
		c := l.constant(slot, start)
		form, ok := c.closedForm()
		if !ok {
			form = expr.Num(number(c))
		}
		by[slot] = form
	}
	return rewrite.Tidy(l.Tree.SubstituteParams(by))
}

// Exacted returns Tree with only the constants in closed form inserted. The others remain free,
// renumbered in their order, and start from their values.
func (l Law) Exacted() expr.Tree {
	by := make([]expr.Tree, l.Tree.NumParams())
	free := 0
	for slot, start := range l.Tree.Params() {
		c := l.constant(slot, start)
		form, ok := c.closedForm()
		if !ok {
			form = expr.C(free, c.Value)
			free++
		}
		by[slot] = form
	}
	return l.Tree.SubstituteParams(by)
}

// Over returns l with its variables numbered by vars, the names of a table's columns and constants.
func (l Law) Over(vars []string) (Law, error) {
	at := map[string]int32{}
	for i, v := range vars {
		at[v] = int32(i)
	}
	nodes := append([]expr.Node(nil), l.Tree.Nodes()...)
	for i, n := range nodes {
		if n.Op != expr.Var {
			continue
		}
		if int(n.Index) >= len(l.Vars) {
			return l, fmt.Errorf("law: variable %d has no name", n.Index)
		}
		j, ok := at[l.Vars[n.Index]]
		if !ok {
			return l, fmt.Errorf("law: the table has no column %q, which %q needs: rename one of its columns", l.Vars[n.Index], l.Infix())
		}
		nodes[i].Index = j
	}
	if len(nodes) > 0 {
		l.Tree, _ = expr.FromNodes(nodes)
	}
	l.Vars = vars
	return l, nil
}
