package survey

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// MostRows is the largest number of rows of a table for which a survey is made. With so many rows,
// a survey takes a second or two.
const MostRows = 400

// Assign returns a tree for each ordered choice of k of the variables: the form with these
// variables. If several choices give the same expression, only the first counts. dependent reports
// pairs of variables that must not occur together, such as temperatures in °C and in K.
func Assign(form expr.Tree, k int, variables []int, dependent func(a, b int) bool) []expr.Tree {
	var out []expr.Tree
	fresh := orders(form)
	chosen := make([]int, 0, k) // indices into variables
	var choose func()
	choose = func() {
		if len(chosen) == k {
			if fresh(chosen) {
				t, _ := form.MapVars(func(i int) (int, bool) { return variables[chosen[i]], true })
				out = append(out, t)
			}
			return
		}
		for i, v := range variables {
			if slices.ContainsFunc(chosen, func(c int) bool { return c == i || dependent != nil && dependent(variables[c], v) }) {
				continue
			}
			chosen = append(chosen, i)
			choose()
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose()
	return out
}

// orders returns a function that is called with one choice of variables after the other. The
// function reports whether the tree of this choice differs from the trees of earlier choices that
// have the same variables in another order. Whether two orders give the same expression does not
// depend on the variables, so one hash for each order suffices.
func orders(form expr.Tree) func(chosen []int) bool {
	fresh := map[string]bool{}
	seen := map[uint64]bool{}
	return func(chosen []int) bool {
		ranks := make([]byte, len(chosen))
		for i, c := range chosen {
			for _, other := range chosen {
				if other < c {
					ranks[i]++
				}
			}
		}
		if _, known := fresh[string(ranks)]; !known {
			t, _ := form.MapVars(func(i int) (int, bool) { return int(ranks[i]), true })
			h := t.Hash()
			fresh[string(ranks)], seen[h] = !seen[h], true
		}
		return fresh[string(ranks)]
	}
}
