package discover

import (
	"slices"
	"sort"

	"github.com/physlib/lab/physlib/expr"
)

// leadingLaws is the number of the best laws by score that a query returns in addition to the
// Pareto front.
const leadingLaws = 60

// laws returns the Pareto front of complexity and error together with the best laws by score, in
// order of score.
func (j *judge) laws() []expr.Tree {
	list := slices.Clone(j.kept[:min(len(j.kept), leadingLaws)])
	var front []*candidate
	for _, c := range j.byComplexity {
		if !slices.Contains(list, c) {
			front = append(front, c)
		}
	}
	sort.Slice(front, func(a, b int) bool { return front[a].complexity < front[b].complexity })
	for _, c := range front {
		if !j.dominated(c) {
			list = append(list, c)
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].score < list[b].score })
	trees := make([]expr.Tree, len(list))
	for i, c := range list {
		trees[i] = c.tree
	}
	return trees
}
