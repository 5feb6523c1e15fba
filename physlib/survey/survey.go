package survey

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// MostRows is the largest number of rows of a table for which a survey is made. With it, a survey
// takes a second or two.
const MostRows = 400

// Assign returns the form in k variables for each ordered choice of k elements of variables.
// dependent reports pairs that must not occur together, such as the same temperature in °C and in
// K.
func Assign(form expr.Tree, k int, variables []int, dependent func(a, b int) bool) []expr.Tree {
	var out []expr.Tree
	seen := map[uint64]bool{}
	chosen := make([]int, 0, k)
	var choose func()
	choose = func() {
		if len(chosen) == k {
			t := form.MapLeaves(func(_ int, n expr.Node) expr.Node {
				if n.Op == expr.Var {
					n.Index = int32(chosen[n.Index])
				}
				return n
			})
			if h := t.Hash(); !seen[h] {
				seen[h] = true
				out = append(out, t)
			}
			return
		}
		for _, v := range variables {
			if slices.ContainsFunc(chosen, func(c int) bool { return c == v || dependent != nil && dependent(c, v) }) {
				continue
			}
			chosen = append(chosen, v)
			choose()
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose()
	return out
}
