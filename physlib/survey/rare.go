package survey

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// rareForms are forms in which a rare function stands for tanh, and an extreme for min. The list of
// likely forms has more in tanh.
var rareForms = map[int][]string{
	1: {"tanh(x0)", "c0*tanh(x0)", "c0*tanh(x0/c1)", "c0*tanh(c1*x0) + c2", "c0*tanh((x0 - c1)/c2) + c3", "c0*x0*tanh(c1*x0)", "c0*tanh(c1*x0)**2", "c0*tanh(c1*sqrt(x0))",
		"c0*tanh(c1/x0)", "c0*tanh(x0)*exp(c1*x0)", "c0*tanh(x0 + 1)", "1/tanh(x0)", "c0*tanh(x0 + c1)", "c0/tanh(c1*x0)",
		"min(c0*x0, c1)", "min(c0*x0 + c1, c2)", "min(c0*x0, c1*x0 + c2)", "min(c0*x0 + c1, c2*x0 + c3)", "c0*min(x0, c1) + c2*x0 + c3",
		"c0*min(x0, c1)**2", "min(c0*x0**2, c1)", "min(c0*x0**c1, c2)"},
	2: {"c0*x1*tanh(c1*x0)", "c0*tanh(c1*x0/x1)", "c0*tanh(c1*x0*x1)", "c0*x1*tanh(x0)", "c0*tanh(c1*x0/sqrt(x1))", "c0*tanh(x0/x1)", "x1*tanh(x0)", "c0*x0 + c1*tanh(x1)",
		"min(x0, x1)", "c0*min(x0, x1)", "min(c0*x0, c1*x1)", "c0*x1*min(x0, c1)", "c0*x1 + c2*min(x0, c1)", "min(c0*x0 + c1, c2*x1 + c3)", "min(c0*x0*x1, c1)", "min(c0*x0*x1, c1*x1)"},
	3: {"c0*x2*tanh(c1*x0/x1)", "x2*tanh(x0/x1)", "c0*x2*min(x0, x1)", "min(x0*x1, x2)", "c0*x2*tanh(c1*x0)*x1"},
}

// withRare returns forms with those of the rare operators among ops added, likeliest first. The
// prior prices them.
func withRare(p Prior, forms []Form, vars int, ops []expr.Op) []Form {
	var trees []expr.Tree
	for _, text := range rareForms[vars] {
		t, err := expr.Parse(text, nil)
		if err != nil {
			panic(err) // a test excludes it
		}
		trees = append(trees, t)
	}
	for _, f := range forms {
		if count(f.Tree, expr.Tanh) == 1 {
			trees = append(trees, f.Tree)
		}
	}
	seen := map[uint64]bool{}
	added := slices.Clone(forms)
	for _, op := range ops {
		if !op.Operator().Rare {
			continue
		}
		for _, t := range trees {
			nodes := slices.Clone(t.Nodes())
			replaced := false
			for i, n := range nodes {
				if stands := n.Op == expr.Tanh || n.Op == expr.Min; stands && n.Op.Arity() == op.Arity() {
					nodes[i].Op, replaced = op, true
				}
			}
			rare, _ := expr.FromNodes(nodes)
			if rare = rare.MergeParams(); !replaced || seen[rare.Hash()] || len(rare.Vars()) != vars {
				continue
			}
			seen[rare.Hash()] = true
			rare = rare.WithStarts(slices.Repeat([]float64{1}, rare.NumParams()))
			added = append(added, Form{Tree: rare, Bits: p.Bits(rare, vars)})
		}
	}
	slices.SortStableFunc(added, func(a, b Form) int { return cmp.Compare(a.Bits, b.Bits) })
	return added
}

func count(t expr.Tree, op expr.Op) (n int) {
	for _, node := range t.Nodes() {
		if node.Op == op {
			n++
		}
	}
	return n
}
