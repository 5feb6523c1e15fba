package regression

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Grouped is the law of several groups of rows at once: the form is shared, and so are the constants
// named in shared; every other constant c has a value for each group, called "c of G". group is the
// number of each row's group in names. The table has further columns, 1 in the rows of a group and 0
// elsewhere, over which the law is written.
func Grouped(l law.Law, t *dataset.Table, group []int, names, shared []string) (law.Law, *dataset.Table, error) {
	for _, s := range shared {
		if !slices.ContainsFunc(l.Constants, func(c law.Constant) bool { return c.Name == s }) {
			return l, nil, fmt.Errorf("the formula has no constant %q to share", s)
		}
	}
	u := *t
	u.Vars = slices.Clone(t.Vars)
	vars := slices.Clone(l.Vars)
	first := len(vars)
	for g := range names {
		column := dataset.Column{Name: "group " + strconv.Itoa(g), Values: make([]float64, t.Rows())}
		for i, of := range group {
			if of == g {
				column.Values[i] = 1
			}
		}
		u.Vars, vars = append(u.Vars, column), append(vars, column.Name)
	}
	var constants []law.Constant
	by := make([]expr.Tree, len(l.Constants))
	for slot, c := range l.Constants {
		if slices.Contains(shared, c.Name) {
			by[slot] = expr.C(len(constants), c.Value)
			constants = append(constants, c)
			continue
		}
		for g, name := range names {
			own := expr.Apply(expr.Mul, expr.C(len(constants), c.Value), expr.X(first+g))
			if g == 0 {
				by[slot] = own
			} else {
				by[slot] = expr.Apply(expr.Add, by[slot], own)
			}
			k := c
			k.Name = c.Name + " of " + name
			constants = append(constants, k)
		}
	}
	var nodes []expr.Node
	for _, n := range l.Tree.Nodes() {
		if n.Op == expr.Param {
			nodes = append(nodes, by[n.Index].Nodes()...)
			continue
		}
		nodes = append(nodes, n)
	}
	l.Tree, _ = expr.FromNodes(nodes)
	l.Vars, l.Constants, l.Cov = vars, constants, nil
	return l, &u, nil
}
