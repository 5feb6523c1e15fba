package law

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Constant is a fitted constant of a law.
type Constant struct {
	Name   string  `json:"name"`   // c0, c1, …
	Value  float64 `json:"value"`  // in Unit
	StdErr float64 `json:"stderr"` // one standard error; 0 if the constant is exact or the error unknown
	Alone  float64 `json:"-"`      // standard error if the other constants were known; a constant rounded to it keeps the law's values; 0: unknown
	Exact  string  `json:"exact"`  // a closed form that agrees within the error, such as 4*pi**2 or 1/2; "": none
	Unit   string  `json:"unit,omitempty"`
	Hint   string  `json:"hint,omitempty"` // closed forms within one standard error of a fitted number, such as "pi/5"; for information only
}

// Law is an expression with its constants fitted to a table, in the units of the table's columns.
type Law struct {
	Tree   expr.Tree // its variables are the table's columns, then its named constants; fitted constants are Params
	Vars   []string  // names of Tree's variables: columns, then named constants
	Target string    // name of the column that the law computes

	// Constants are by slot of Tree's Params. Those beyond the last slot were fitted, but Tree has
	// their closed form instead.
	Constants []Constant

	Complexity float64 // bits of the form and the units of its constants; see Complexity for laws not ranked
	R2, RMSE   float64 // root mean square error and R² on all rows
	UnitsOK    bool    // the dimensions balance if fitted constants have suitable units
	Score      float64 // description length of law and residuals together in bits; the least is best
	SI         string  // the law in SI units with the table's named constants, such as "P = 2*pi*a**(3/2)/sqrt(G*M)"; "": none
	Proposer   string  // which Proposer found it first, such as "search"; "": unknown

	Cov    []float64 // covariance of the fitted constants, by rows; nil: not known
	Errors string    // model of the target's errors: EqualErrors, …; "": not known
	Noise  float64   // size of these errors, as their model defines it; 0: not known
	Dof    int       // degrees of freedom of the estimate Noise; 0: the errors were given
}

// Models of the target's errors, for Law.Errors. Each gives Law.Noise another meaning, stated with
// it. The names are those of package mdl.
const (
	EqualErrors        = "equal"                         // Noise is the standard deviation
	ProportionalErrors = "proportional"                  // Noise is the standard deviation relative to the target
	CountingErrors     = "counting"                      // Noise is the ratio of the standard deviation to the square root of the target
	GivenErrors        = "given"                         // Noise is the root mean square of the given standard errors
	HeavyErrors        = "heavy-tailed"                  // Noise is the scale of Student's distribution
	HeavyFactorErrors  = "proportional and heavy-tailed" // Noise is that scale relative to the target
)

// Named returns the Constants c0, c1, … with the given values and standard errors. stderr may be
// nil. Standard errors that are not finite count as unknown.
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

// NameConstants calls the constants of l c0, c1, …, or const0, const1, … if a variable has such a
// name.
func (l *Law) NameConstants() {
	prefix := "c"
	if slices.ContainsFunc(l.Vars, numberedConstant.MatchString) {
		prefix = "const"
	}
	for i := range l.Constants {
		l.Constants[i].Name = prefix + strconv.Itoa(i)
	}
}

// numberedConstant matches the usual names of constants.
var numberedConstant = regexp.MustCompile(`^c\d+$`)

// constant returns the constant in a slot. For a slot beyond Constants, its value is start.
func (l Law) constant(slot int, start float64) Constant {
	if slot < len(l.Constants) {
		return l.Constants[slot]
	}
	return Constant{Value: start}
}

// closedForm returns Exact as an expression; ok is false if Exact is empty or cannot be parsed.
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

// Bound returns the law with its constants inserted: as closed forms if they have one, else as
// numbers at full precision.
func (l Law) Bound() expr.Tree {
	return l.insert(func(c Constant) float64 { return c.Value })
}

// insert returns Tree with its constants replaced by their closed forms, or by number(c) if they
// have none.
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

// Exacted returns Tree with only the closed forms of constants inserted. The other constants stay
// free, renumbered in their order, and start from their values.
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

// Over returns l with its variables renumbered for a table with the columns and constants vars. A
// variable that the table does not have is an error.
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
