package survey

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// rareForms lists templates of forms with rare functions. The key is the number of variables. The
// function rare replaces tanh by a rare function of one operand, and min by a rare function of two
// operands.
var rareForms = map[int][]string{
	1: {"tanh(x0)", "c0*tanh(x0)", "c0*tanh(x0/c1)", "c0*tanh(c1*x0) + c2", "c0*tanh((x0 - c1)/c2) + c3", "c0*x0*tanh(c1*x0)", "c0*tanh(c1*x0)**2", "c0*tanh(c1*sqrt(x0))",
		"c0*tanh(c1/x0)", "c0*tanh(x0)*exp(c1*x0)", "c0*tanh(x0 + 1)", "1/tanh(x0)", "c0*tanh(x0 + c1)", "c0/tanh(c1*x0)",
		"min(c0*x0, c1)", "min(c0*x0 + c1, c2)", "min(c0*x0, c1*x0 + c2)", "min(c0*x0 + c1, c2*x0 + c3)", "c0*min(x0, c1) + c2*x0 + c3",
		"c0*min(x0, c1)**2", "min(c0*x0**2, c1)", "min(c0*x0**c1, c2)"},
	2: {"c0*x1*tanh(c1*x0)", "c0*tanh(c1*x0/x1)", "c0*tanh(c1*x0*x1)", "c0*x1*tanh(x0)", "c0*tanh(c1*x0/sqrt(x1))", "c0*tanh(x0/x1)", "x1*tanh(x0)", "c0*x0 + c1*tanh(x1)",
		"min(x0, x1)", "c0*min(x0, x1)", "min(c0*x0, c1*x1)", "c0*x1*min(x0, c1)", "c0*x1 + c2*min(x0, c1)", "min(c0*x0 + c1, c2*x1 + c3)", "min(c0*x0*x1, c1)", "min(c0*x0*x1, c1*x1)"},
	3: {"c0*x2*tanh(c1*x0/x1)", "x2*tanh(x0/x1)", "c0*x2*min(x0, x1)", "min(x0*x1, x2)", "c0*x2*tanh(c1*x0)*x1"},
}

// mostRare is the largest number of trees with rare operators that are fitted.
const mostRare = 1000

// Rare returns trees over t's variables that contain the rare operators among ops. There are few
// such trees. They should be fitted first, since a user who allows such an operator expects to see
// it.
func Rare(t *mdl.Data, ops []expr.Op) (trees []expr.Tree) {
	if !slices.ContainsFunc(ops, func(op expr.Op) bool { return op.Operator().Rare }) {
		return nil // before the lists of forms are read, which takes time
	}
	vars := make([]int, len(t.Cols))
	for i := range vars {
		vars[i] = i
	}
	for k := 1; k <= min(mostVars, t.Vars()); k++ {
		if math.Pow(float64(len(vars)), float64(k)) > mostRare {
			break
		}
		for _, form := range rare(enumerated(t.Prior, k), k, ops) {
			if form.NumParams()+2 > t.Rows() {
				continue
			}
			if trees = append(trees, Assign(form, k, vars, t.Dependent)...); len(trees) > mostRare {
				return trees[:mostRare]
			}
		}
	}
	return trees
}

// rare returns forms that contain exactly vars variables and one of the rare operators among ops.
// The forms made from rareForms come first, then the forms made from those elements of forms that
// contain tanh.
func rare(forms []Form, vars int, ops []expr.Op) (trees []expr.Tree) {
	var with []expr.Tree
	for _, text := range rareForms[vars] {
		t, err := expr.Parse(text, nil)
		if err != nil {
			panic(err) // a test makes sure that the forms parse
		}
		with = append(with, t)
	}
	for _, f := range forms {
		if slices.ContainsFunc(f.Tree.Nodes(), func(n expr.Node) bool { return n.Op == expr.Tanh }) {
			with = append(with, f.Tree)
		}
	}
	seen := map[uint64]bool{}
	for _, t := range with {
		for _, op := range ops {
			if !op.Operator().Rare {
				continue
			}
			nodes := slices.Clone(t.Nodes())
			replaced := false
			for i, n := range nodes {
				if stands := n.Op == expr.Tanh || n.Op == expr.Min; stands && n.Op.Arity() == op.Arity() {
					nodes[i].Op, replaced = op, true
				}
			}
			form, _ := expr.FromNodes(nodes)
			form = form.MergeParams()
			if h := form.Hash(); replaced && !seen[h] && len(form.Vars()) == vars {
				seen[h] = true
				trees = append(trees, form.WithStarts(slices.Repeat([]float64{1}, form.NumParams())))
			}
		}
	}
	return trees
}
