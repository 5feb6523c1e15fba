package law

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// Parse reads a formula such as "v = Vmax*S/(Km + S)" in the given columns. Other names are
// constants of the law, in order of appearance, with the value 1. pi and e are numbers unless a
// column has that name. If there is a left side, it becomes the Target.
func Parse(formula string, columns []string) (Law, error) {
	l := Law{Vars: columns}
	text := formula
	if left, right, ok := strings.Cut(formula, "="); ok {
		l.Target, text = strings.Trim(strings.TrimSpace(left), "`"), right
	}
	if strings.TrimSpace(text) == "" {
		return Law{}, errors.New("formula: it is empty; write one such as y = c0*x**c1")
	}
	var names []string
	for _, name := range expr.Mentioned(text) {
		if !isNumber(name, columns) && !slices.Contains(columns, name) {
			names = append(names, name)
		}
	}
	tree, err := expr.Parse(text, slices.Concat(columns, names))
	if err != nil {
		return Law{}, fmt.Errorf("formula: %w", err)
	}
	l.Constants = make([]Constant, len(names))
	for i, name := range names {
		l.Constants[i] = Constant{Name: name, Value: 1}
	}
	l.Tree = freeFrom(tree, len(columns), l.Constants)
	return l, nil
}

// isNumber reports whether name is a number in a formula, unless a column has that name. E is
// Euler's number only if there is a column e.
func isNumber(name string, columns []string) bool {
	return slices.Contains([]string{"pi", "π", "e"}, name) || name == "E" && slices.Contains(columns, "e")
}

// EulerWarning returns a warning if e occurs in one of the trees other than as the base of a power.
// In such a place, the user may mean a constant called e. Otherwise it returns "".
func EulerWarning(trees ...expr.Tree) string {
	if !slices.ContainsFunc(trees, hasEuler) {
		return ""
	}
	return "the e in the formula is Euler's number, 2.71828…, and is not fitted; for a constant write another name, such as e0"
}

// hasEuler reports whether e occurs in t other than as the base of a power.
func hasEuler(t expr.Tree) bool {
	if t.Len() == 0 || t.Root() == expr.Euler {
		return t.Len() > 0
	}
	args := t.Args()
	if t.Root() == expr.Pow && args[0].Root() == expr.Euler {
		args = args[1:]
	}
	return slices.ContainsFunc(args, hasEuler)
}

// freeFrom returns t with the variables from index first on replaced by free constants.
func freeFrom(t expr.Tree, first int, constants []Constant) expr.Tree {
	return t.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if n.Op != expr.Var || int(n.Index) < first {
			return n
		}
		slot := n.Index - int32(first)
		return expr.Node{Op: expr.Param, Index: slot, Value: constants[slot].Value}
	})
}

// Formula returns the right side of the law with the names of its constants, such as c0*a**(3/2).
// [Parse] can read it.
func (l Law) Formula() string {
	tree, vars := l.constantsAsVariables()
	if tree.Len() == 0 {
		return ""
	}
	return tree.Infix(vars)
}

// constantsAsVariables returns Tree with its constants turned into further variables, and the names
// of all variables.
func (l Law) constantsAsVariables() (tree expr.Tree, vars []string) {
	vars = slices.Clone(l.Vars)
	for slot, start := range l.Tree.Params() {
		name := l.constant(slot, start).Name
		if name == "" || slices.Contains(vars, name) {
			name = fmt.Sprintf("constant%d", slot)
		}
		vars = append(vars, name)
	}
	return l.Tree.ParamsAsVars(len(l.Vars)), vars
}

// Fix returns l with the constant called name replaced by an expression in the other constants and
// the columns, such as "2*pi" or "a/2".
func (l Law) Fix(name, by string) (Law, error) {
	slot := slices.IndexFunc(l.Constants, func(c Constant) bool { return c.Name == name })
	if slot < 0 {
		return l, fmt.Errorf("the formula has no constant %q; its constants are %s", name, l.constantNames())
	}
	tree, vars := l.constantsAsVariables()
	for _, other := range expr.Mentioned(by) {
		if !isNumber(other, vars) && !slices.Contains(vars, other) {
			return l, fmt.Errorf("unknown name %q; the constants of the formula are %s", other, l.constantNames())
		}
	}
	value, err := expr.Parse(by, vars)
	if err != nil {
		return l, err
	}
	if slices.Contains(value.Vars(), len(l.Vars)+slot) {
		return l, fmt.Errorf("%s is given by itself", name)
	}
	tree = tree.Substitute(len(l.Vars)+slot, value)
	var kept []Constant
	place := map[int32]int32{}
	for i, c := range l.Constants {
		used := slices.Contains(tree.Vars(), len(l.Vars)+i)
		if used {
			place[int32(len(l.Vars)+i)] = int32(len(l.Vars) + len(kept))
			kept = append(kept, c)
		}
	}
	tree = tree.MapLeaves(func(_ int, n expr.Node) expr.Node {
		if to, ok := place[n.Index]; ok && n.Op == expr.Var {
			n.Index = to
		}
		return n
	})
	l.Tree, l.Constants, l.Cov = freeFrom(tree, len(l.Vars), kept), kept, nil
	return l, nil
}

// constantNames lists the names of l's constants.
func (l Law) constantNames() string {
	if len(l.Constants) == 0 {
		return "none"
	}
	var names []string
	for _, c := range l.Constants {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
