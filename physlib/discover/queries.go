package discover

import (
	"cmp"
	"context"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// A Proposer may send two queries about the search so far: whether the residuals of the best law
// are noise, and which laws are the best. It calls a function of dataset.Problem, which sends a
// channel for the reply and waits. The loop of the waySearch replies between two batches.

// querySettled returns the function dataset.Problem.Settled. A Proposer calls this function to
// learn whether the residuals of the best law are noise. The function sends a query to r and waits
// for the reply (replySettled).
func (r *waySearch) querySettled(ctx context.Context) func() bool {
	return func() bool {
		reply := make(chan bool, 1)
		select {
		case r.settledQueries <- reply:
			return <-reply
		case <-ctx.Done():
			return false
		}
	}
}

// replySettled replies to a query of querySettled, once all proposals of package search are scored.
// Package search goes deeper unless the residuals are noise.
func (r *waySearch) replySettled() {
	if r.settledQueries == nil || r.enumerator != nil && len(r.enumerator.trees) > 0 {
		return
	}
	select {
	case reply := <-r.settledQueries:
		reply <- r.settled()
	default:
	}
}

// queryLaws returns the function dataset.Problem.Laws for a source. The function waits until all
// that this source proposed before is scored: waySearch.take calls replyLaws only then. With a
// budget of evaluations, the result is therefore reproducible.
func (s *source) queryLaws(ctx context.Context) func() []expr.Tree {
	return func() []expr.Tree {
		reply := make(chan []expr.Tree, 1)
		select {
		case s.lawQueries <- reply:
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

// replyLaws replies to the query of queryLaws that was received.
func (s *source) replyLaws(laws []expr.Tree) {
	s.reply <- laws
	s.reply = nil
}

// laws returns the leaders in order of score, as the reply to a query of a Proposer.
func (j *judge) laws() []expr.Tree {
	list := j.leaders()
	slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(a.score, b.score) })
	trees := make([]expr.Tree, len(list))
	for i, c := range list {
		trees[i] = c.tree
	}
	return trees
}
