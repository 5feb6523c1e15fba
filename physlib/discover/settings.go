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
	Time  time.Duration // time limit by Clock; 0: 60 s; negative: no limit
	Clock clock.Clock   // clock that measures Time
	// Evaluations stops the run after this number of candidates of all Proposers together, so that
	// equal runs are equal; 0: no limit. Candidates proposed more than once count each time.
	Evaluations int64
	Noise       Noise
	Errors      Errors   // how errors of unknown size depend on the target
	Ops         []string // allowed functions and operators by name (+ - * / ** sqrt exp …); nil: all
	// MaxComplexity is the largest Law.Complexity in a result, in bits; 0: no limit. A search
	// already leaves out candidates whose form takes more bits by its own prices
	// (candidate.complexity).
	MaxComplexity float64
	Seed          int64
	AllRows       bool // no row is excluded, even if it contradicts the others
	NoUnits       bool // search as if the table had no units
	// Resume holds laws of an earlier run, scored first. The result is no worse than the best of
	// these laws.
	Resume    []law.Law
	Without   []int    // rows that the earlier run left out
	Proposers []string // names of those that run: Search, Genetic, Forms, names of Extra; nil: all
	// Extra holds Proposers in addition to the built-in ones. They begin if the search has found no
	// exact law in its first seconds.
	Extra    []Named
	Joins    pair.Kernel    // see search.Search
	Prior    mdl.Prior      // prior of the forms of laws; nil: that of survey.Catalogue
	Progress func(Progress) // called a few times a second from one goroutine; may be nil

	Shape      require.Shape      // shape that laws must have
	Statements require.Statements // requirements on the law, by names of columns

	// XSigma holds standard errors of columns in each row. The target's must be given as well.
	XSigma map[string][]float64

	places  []int     // positions of the rows in the user's table; nil: no row is missing
	earlier []law.Law // the caller's Resume, shortened by foremost; upTo adds laws to Resume, but not here

	simplerSought bool // an earlier search already looked for a law simpler than an exact one of Resume
}

// Noise describes the known errors of the target.
type Noise struct {
	Known bool
	Sigma float64 // standard deviation in the target's unit, when Known
}

// Errors is how the target's errors, when their size is unknown, depend on its value. The names are
// those of package law.
type Errors string

const (
	// AnyErrors chooses equal errors. For a target that spans many decades, it chooses the better
	// of equal and proportional errors in bits.
	AnyErrors          Errors = ""
	EqualErrors        Errors = law.EqualErrors        // equal for all rows
	ProportionalErrors Errors = law.ProportionalErrors // proportional to the target
	CountingErrors     Errors = law.CountingErrors     // proportional to the target's root, as for counts
	HeavyErrors        Errors = law.HeavyErrors        // equal, with heavy tails: robust to single outliers
)

// Progress is a report on a run in progress.
type Progress struct {
	Stage       string // current part of the search
	Evaluations int64  // candidate laws evaluated so far
	Elapsed     time.Duration
	Left        time.Duration // remaining part of Time; 0 without a time limit
	Best        law.Law       // the best law so far; its Tree is empty before the first
}

// Proposer yields expressions for p until ctx ends or it is exhausted. The run fits and scores
// them. Free constants are Params whose values are starting points of a fit. Yielding the same tree
// again counts as a vote.
type Proposer interface {
	Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error]
}
