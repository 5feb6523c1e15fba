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
	Name  string  `json:"name"`  // c0, c1, …
	Value float64 `json:"value"` // value in the unit that the field Unit names
	// One standard error; 0 if the constant is exact or the error is unknown.
	StdErr float64 `json:"stderr"`
	// Standard error that the constant would have if the other constants were known; 0: unknown. If
	// every constant is rounded to its ConditionalErr, the law keeps its values.
	ConditionalErr float64 `json:"-"`
	// Closed form that agrees with the fitted value within the error, such as 4*pi**2 or 1/2; "":
	// none.
	Exact string `json:"exact"`
	Unit  string `json:"unit,omitempty"`
	// Closed forms within one standard error of a fitted number, such as "pi/5", or the constant of
	// nature within two standard errors of a constant with a unit, such as "G". They are only
	// information, and are not used in the law.
	Hint string `json:"hint,omitempty"`
}

// Law is an expression with its constants fitted to a table, in the units of the table's columns.
type Law struct {
	// The expression. Its variables are the table's columns, followed by the table's known
	// constants. Its Params are the fitted constants.
	Tree   expr.Tree
	Vars   []string // names of Tree's variables: columns, then known constants
	Target string   // name of the column that the law computes

	// Constants in the order of the slots of Tree's Params. Constants beyond the last slot were
	// fitted as well, but in Tree they are replaced by their closed forms.
	Constants []Constant

	// Bits of the form and of the units of the constants, if package discover compared the law with
	// others; otherwise the result of the function Complexity.
	Complexity float64
	R2, RMSE   float64 // R² and root mean square error on all rows
	UnitsOK    bool    // the dimensions balance if the fitted constants have suitable units
	// Description length of law and residuals together, in bits. The best law has the lowest Score.
	// Scores are comparable only within one result of package discover, or one front: exact laws
	// that needed no ranking keep the score of their search, which has other prices.
	Score float64
	// The form that Score was calculated for, with the values of its constants, if it differs from
	// the form of Tree. Both are the same function. "": Score belongs to the form of Tree.
	Scored string
	// The law in SI units with known constants, such as "P = 2*pi*a**(3/2)/sqrt(G*M)"; "": none.
	SI       string
	Proposer string // the Proposer that found the law first, such as "search"; "": unknown

	Cov    []float64 // covariance of the fitted constants, row by row; nil: unknown
	Errors string    // model of the target's errors: EqualErrors, …; "": not known
	Noise  float64   // size of the target's errors, as their model defines it; 0: not known
	Dof    int       // degrees of freedom with which Noise was estimated; 0: the errors were given
}

// Models of the target's errors, for Law.Errors. Each one states the meaning of Law.Noise. The
// names are those of package mdl.
const (
	EqualErrors        = "equal"        // Noise is the standard deviation
	ProportionalErrors = "proportional" // Noise is the standard deviation relative to the target
	// Noise is the ratio of the standard deviation to the square root of the target
	CountingErrors = "counting"
	// Noise is the root mean square of the given standard errors.
	GivenErrors = "given"
	// Noise is the scale parameter of Student's distribution.
	HeavyErrors = "heavy-tailed"
	// Noise is the scale parameter of Student's distribution, relative to the target.
	HeavyFactorErrors = "proportional and heavy-tailed"
)

// NewConstants returns Constants called c0, c1, … with the given values and standard errors. stderr
// may be nil. Standard errors that are not finite count as unknown.
func NewConstants(values, stderr []float64) []Constant {
	cs := make([]Constant, len(values))
	for i, v := range values {
		cs[i] = Constant{Name: fmt.Sprintf("c%d", i), Value: v}
		if i < len(stderr) && !math.IsInf(stderr[i], 0) && !math.IsNaN(stderr[i]) {
			cs[i].StdErr = stderr[i]
		}
	}
	return cs
}

// NameConstants names the constants of l c0, c1, …. If a variable has such a name, they are named
// const0, const1, … instead.
func (l *Law) NameConstants() {
	for i := range l.Constants {
		l.Constants[i].Name = ConstantName(l.Vars, i)
	}
}

// ConstantName returns the name of the constant in a slot: c0, c1, …. If one of the variables has
// such a name, it returns const0, const1, … instead.
func ConstantName(vars []string, slot int) string {
	prefix := "c"
	if slices.ContainsFunc(vars, numberedConstant.MatchString) {
		prefix = "const"
	}
	return prefix + strconv.Itoa(slot)
}

// numberedConstant matches the usual names of constants.
var numberedConstant = regexp.MustCompile(`^c\d+$`)

// constant returns the constant in a slot. If Constants has no entry for the slot, the value of the
// result is start.
func (l Law) constant(slot int, start float64) Constant {
	if slot < len(l.Constants) {
		return l.Constants[slot]
	}
	return Constant{Value: start}
}

// closedForm returns Exact as an expression. ok is false if Exact is empty or cannot be parsed.
func (c Constant) closedForm() (form expr.Tree, ok bool) {
	if c.Exact == "" {
		return form, false
	}
	form, err := expr.Parse(c.Exact, nil)
	return form, err == nil && form.NumParams() == 0
}

// Params returns the values of the fitted constants, by slot of Tree.
func (l Law) Params() []float64 {
	p := l.Tree.Params()
	for i := range p {
		p[i] = l.constant(i, p[i]).Value
	}
	return p
}

// Bound returns the law with its constants inserted. A constant with a closed form is inserted as
// this form, others as numbers at full precision.
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

// Exacted returns Tree with the closed forms of constants inserted. The other constants stay free.
// They are renumbered in the same order, and their starting values are their fitted values.
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

// Over returns l with its variables renumbered for a table with the columns and constants vars. It
// returns an error if the table lacks a variable.
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
