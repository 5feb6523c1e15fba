package law

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

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
	Tree   expr.Tree // over the table's columns, then its named constants; fitted constants are Params
	Vars   []string  // names of what Tree's variables mean: columns, then named constants
	Target string    // name of the explained column

	// Constants are by slot of Tree's Params. Those beyond the last slot were fitted once and now stand in Tree in their
	// closed form.
	Constants []Constant

	Complexity float64 // description length of the expression in bits-like units, see Complexity
	R2, RMSE   float64 // on all rows
	UnitsOK    bool    // dimensions balance, fitted constants carrying whatever unit they need
	Score      float64 // description length of law and residuals together in bits: less is better
}

// Params are the values of the fitted constants by slot of Tree.
func (l Law) Params() []float64 {
	p := l.Tree.Params()
	for i := range min(len(p), len(l.Constants)) {
		p[i] = l.Constants[i].Value
	}
	return p
}

// Bound is the law with the values of its constants as numbers.
func (l Law) Bound() expr.Tree {
	if l.Tree.Len() == 0 {
		return expr.Tree{}
	}
	return l.Tree.Bind(l.Params())
}

// Infix is the law as text that expr.Parse reads, constants at full precision.
func (l Law) Infix() string { return print(l, expr.Tree.Infix) }

// SymPy is the law as text that SymPy's sympify reads, constants at full precision.
func (l Law) SymPy() string { return print(l, expr.Tree.SymPy) }

// LaTeX is the law in LaTeX, constants rounded as by Display.
func (l Law) LaTeX() string {
	if l.Tree.Len() == 0 {
		return ""
	}
	return l.displayed(6).LaTeX(l.Vars)
}

// Go is the law as a Go expression, constants at full precision.
func (l Law) Go() string { return print(l, expr.Tree.Go) }

func print(l Law, as func(expr.Tree, []string) string) string {
	if l.Tree.Len() == 0 {
		return ""
	}
	return as(l.Bound(), l.Vars)
}

// Display is Infix for people: constants in their closed form where they have one, rounded to two digits of their
// standard error where that is known, and to the given number of significant digits otherwise (0: 6).
func (l Law) Display(digits int) string {
	if l.Tree.Len() == 0 {
		return ""
	}
	return l.displayed(digits).Infix(l.Vars)
}

// displayed is Tree with closed forms and rounded numbers in place of its constants.
func (l Law) displayed(digits int) expr.Tree {
	if digits <= 0 {
		digits = 6
	}
	t := l.Tree
	forms := map[int32]expr.Tree{}
	for slot, v := range l.Params() {
		var c Constant
		if slot < len(l.Constants) {
			c = l.Constants[slot]
		}
		form, err := expr.Tree{}, error(nil)
		if c.Exact != "" {
			form, err = expr.Parse(c.Exact, nil)
		}
		if c.Exact == "" || err != nil || form.Len() == 0 {
			form = signedNumber(roundTo(v, c.StdErr, digits))
		}
		forms[int32(slot)] = form
	}
	return replaceParams(t, forms)
}

// signedNumber is v as a tree, its sign outside so that printers write a - 2 rather than a + -2.
func signedNumber(v float64) expr.Tree {
	if v < 0 {
		return expr.Apply(expr.Neg, expr.Num(-v))
	}
	return expr.Num(v)
}

// replaceParams is t with trees in place of the free constants.
func replaceParams(t expr.Tree, by map[int32]expr.Tree) expr.Tree {
	var nodes []expr.Node
	for _, n := range t.Nodes() {
		if f, ok := by[n.Index]; ok && n.Op == expr.Param {
			nodes = append(nodes, f.Nodes()...)
			continue
		}
		nodes = append(nodes, n)
	}
	out, _ := expr.FromNodes(nodes)
	return out
}

// Named is the Constants of a fit: c0, c1, … with the given values and standard errors; stderr may be nil, and what is
// not finite in it counts as unknown.
func Named(values, stderr []float64) []Constant {
	cs := make([]Constant, len(values))
	for i, v := range values {
		cs[i] = Constant{Name: "c" + itoa(i), Value: v}
		if i < len(stderr) && !math.IsInf(stderr[i], 0) && !math.IsNaN(stderr[i]) {
			cs[i].StdErr = stderr[i]
		}
	}
	return cs
}
