package discover

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/physlib/lab/physlib/expr"
)

// source is one Proposer of a waySearch.
type source struct {
	NamedProposer
	// The Proposer is not built in. It yields few expressions, perhaps with poor starting constants
	// and wrong units.
	extra    bool
	trees    chan proposal // nil: the Proposer has not started
	done     bool
	consumed int64 // number of proposals consumed
	// Number of expressions that the Proposer has evaluated by itself. Only the genetic Proposer
	// evaluates expressions.
	evaluated atomic.Int64
	stage     atomic.Pointer[string] // what package search is doing; nil: another Proposer
	// Time from the start of the search to the start of the Proposer; negative: it has not begun.
	startedAfter time.Duration

	lawQueries chan chan []expr.Tree // queries for the best laws
	// Channel for the reply to the query that waySearch.take received; nil: no query waits for a
	// reply.
	reply chan<- []expr.Tree
}

// proposal is an expression of a source.
type proposal struct {
	tree      expr.Tree
	evaluated int64 // source.evaluated when the source sent the tree
}

// message is what a waySearch receives from a source.
type message struct {
	kind     arrival
	proposal                    // if kind is gotTree
	reply    chan<- []expr.Tree // if kind is gotQuery: the channel for the reply
}

// begun reports whether the Proposer has started.
func (s *source) begun() bool { return s.trees != nil }

// arrival is the kind of a message.
type arrival uint8

const (
	gotNothing arrival = iota // no message in time
	gotTree                   // a proposal
	gotQuery                  // a query for the best laws
	gotEnd                    // the source is exhausted
)

// next receives a message from the source. If wait is true, it waits until a message comes, the
// timeout expires, or ctx ends.
func (s *source) next(ctx context.Context, wait bool, timeout <-chan time.Time) message {
	select {
	case p, ok := <-s.trees:
		return arrived(p, ok)
	case reply := <-s.lawQueries:
		return message{kind: gotQuery, reply: reply}
	default:
	}
	if !wait {
		return message{kind: gotNothing}
	}
	select {
	case p, ok := <-s.trees:
		return arrived(p, ok)
	case reply := <-s.lawQueries:
		return message{kind: gotQuery, reply: reply}
	case <-timeout:
	case <-ctx.Done():
	}
	return message{kind: gotNothing}
}

// arrived returns the message of a receipt from source.trees. ok is false if the channel is closed.
func arrived(p proposal, ok bool) message {
	if ok {
		return message{kind: gotTree, proposal: p}
	}
	return message{kind: gotEnd}
}
