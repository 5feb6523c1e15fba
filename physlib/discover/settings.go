package discover

import (
	"context"
	"iter"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/search/pair"
)

// Settings of a run. The zero value is 60 seconds, automatic noise, all operators, seed 0.
type Settings struct {
	Time          time.Duration // of Clock; 0: 60 s; below 0: no limit
	Clock         clock.Clock   // what Time counts
	Evaluations   int64         // candidates until it stops, the genetic search in proportion: equal runs; 0: no limit
	Noise         Noise
	Errors        Errors   // how errors of unknown size depend on the target
	Ops           []string // allowed functions and operators by name (+ - * / ** sqrt exp …); nil: all
	MaxComplexity float64  // laws above are not reported; 0: no limit
	Seed          int64
	AllRows       bool           // no row is left out, however it contradicts the others
	NoUnits       bool           // search as if the table had no units
	Resume        []law.Law      // laws of an earlier run, scored first; the result is no worse than the best of them
	Without       []int          // rows that the earlier run left out
	Proposers     []string       // who proposes laws: Search, Genetic, names of Extra; nil: all
	Extra         []Named        // further Proposers, which begin when the search has found no exact law in its first seconds
	Joins         pair.Kernel    // as of search.Search
	Prior         mdl.Prior      // of the forms of laws; nil: the default one
	Progress      func(Progress) // called a few times a second from one goroutine; may be nil

	Shape      require.Shape      // of the laws that may be found
	Statements require.Statements // what the law keeps, about its columns and constants by name

	XSigma map[string][]float64 // standard errors of columns in each row; the target's must be given as well

	places  []int     // of the rows in the user's table; nil: it has all of them
	earlier []law.Law // Resume as the caller gave it
	simple  bool      // the earlier run searched for a law simpler than an exact one of Resume
}

// Noise is what is known of the target's errors.
type Noise struct {
	Known bool
	Sigma float64 // standard deviation in the target's unit, when Known
}

// Errors is how the target's errors, when their size is not known, depend on its value.
type Errors string

const (
	AnyErrors          Errors = ""         // equal or proportional, whichever describes a target of many decades shorter
	EqualErrors        Errors = "equal"    // the same for all rows
	ProportionalErrors Errors = "relative" // proportional to the target
	CountingErrors     Errors = "counting" // proportional to the target's root, as for counts
	HeavyErrors        Errors = "heavy"    // equal, with heavy tails: single rows that are far off do not bend the law
)

// Progress is what a run reports while it works.
type Progress struct {
	Stage       string // what is being searched
	Evaluations int64  // candidates evaluated so far
	Elapsed     time.Duration
	Left        time.Duration // of the time budget; 0 without one
	Best        law.Law       // the best law so far; its Tree is empty before the first
}

// Proposer yields expressions for p until ctx ends or it has no more; it fits nothing and scores
// nothing. Free constants are Params whose values are where a fit may start. The same tree may come
// again: a vote.
type Proposer interface {
	Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error]
}
