package regression

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Grouped returns one law for several groups of rows, and the table to which it applies. All groups
// share the form and the constants named in shared. Every other constant c has a separate value for
// each group G, called "c of G". group holds, for each row, the index of its group in names. The
// law uses additional columns of the returned table. Each is 1 in the rows of one group and 0
// elsewhere.
func Grouped(l law.Law, t *dataset.Table, group []int, names, shared []string) (law.Law, *dataset.Table, error) {
	for _, s := range shared {
		if !slices.ContainsFunc(l.Constants, func(c law.Constant) bool { return c.Name == s }) {
			return l, nil, fmt.Errorf("the formula has no constant %q to share", s)
		}
	}
	common := make([]bool, len(l.Constants))
	var constants []law.Constant
	for slot, c := range l.Constants {
		if common[slot] = slices.Contains(shared, c.Name); common[slot] {
			constants = append(constants, c)
			continue
		}
		for _, name := range names {
			k := c
			k.Name = c.Name + " of " + name
			constants = append(constants, k)
		}
	}
	starts := l.Params()
	l.Tree = GroupTree(l.Tree, common, len(l.Vars), len(names), func(slot, _ int) float64 { return starts[slot] })
	u := Indicators(t, group, len(names))
	vars := slices.Clone(l.Vars)
	for _, c := range u.Vars[len(t.Vars):] {
		vars = append(vars, c.Name)
	}
	l.Vars, l.Constants, l.Cov = vars, constants, nil
	return l, u, nil
}

// Indicators returns t with n additional columns, one for each group. A column is 1 in the rows of
// its group and 0 elsewhere. group holds the index of each row's group.
func Indicators(t *dataset.Table, group []int, n int) *dataset.Table {
	u := *t
	u.Vars = slices.Clone(t.Vars)
	for g := range n {
		column := dataset.Column{Name: "group " + strconv.Itoa(g), Values: make([]float64, t.Rows())}
		for i, of := range group {
			if of == g {
				column.Values[i] = 1
			}
		}
		u.Vars = append(u.Vars, column)
	}
	return &u
}

// GroupTree returns t with each constant replaced by n constants, one for each group. Constants for
// which shared[slot] is true are not replaced. Variable first+g must be 1 in the rows of group g
// and 0 elsewhere. The new constants are ordered by slot, and for each slot by group. The starting
// value of a new constant is start(slot, g), that of a shared constant start(slot, 0).
func GroupTree(t expr.Tree, shared []bool, first, n int, start func(slot, g int) float64) expr.Tree {
	next := 0
	by := make([]expr.Tree, len(shared))
	for slot, common := range shared {
		if common {
			by[slot] = expr.C(next, start(slot, 0))
			next++
			continue
		}
		for g := range n {
			own := expr.Apply(expr.Mul, expr.C(next, start(slot, g)), expr.X(first+g))
			next++
			if g == 0 {
				by[slot] = own
			} else {
				by[slot] = expr.Apply(expr.Add, by[slot], own)
			}
		}
	}
	return t.SubstituteParams(by)
}
