package discover

import (
	"context"
	"slices"
	"sort"

	"github.com/physlib/lab/physlib/expr"
)

// laws is dataset.Problem.Laws of a source. The question waits for the run to come to this source
// and to have judged all that it proposed, so by a budget of evaluations the answer depends on
// counts alone.
func (s *source) laws(ctx context.Context) func() []expr.Tree {
	return func() []expr.Tree {
		reply := make(chan []expr.Tree, 1)
		select {
		case s.asks <- reply:
		case <-ctx.Done():
			return nil
		}
		select {
		case laws := <-reply:
			return laws
		case <-ctx.Done():
			return nil
		}
	}
}

// answer gives the laws to the source that waits for them.
func (s *source) answer(laws []expr.Tree) {
	s.reply <- laws
	s.reply = nil
}

// told is how many of the laws kept for their score a Proposer is told beside the front.
const told = 60

// laws are the front of complexity and error and the best by score, by score.
func (j *judge) laws() []expr.Tree {
	list := slices.Clone(j.kept[:min(len(j.kept), told)])
	var front []*candidate
	for _, c := range j.byBits {
		if !slices.Contains(list, c) {
			front = append(front, c)
		}
	}
	sort.Slice(front, func(a, b int) bool { return front[a].bits < front[b].bits })
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
