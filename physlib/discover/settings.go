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
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/require"
)

// DefaultTime is the time limit of a search if none is given.
const DefaultTime = time.Minute

// Settings are the settings of a run. The zero value means 60 seconds, automatic noise, the usual
// operators and seed 0.
type Settings struct {
	// Time limit from the start of the search, measured by Clock; 0: DefaultTime; negative: no
	// limit.
	Time  time.Duration
	Clock clock.Clock // clock that measures Time; "": wall time
	// Evaluations ends the run after this number of candidates of all Proposers together; 0: no
	// limit. Equal runs then give equal results. A candidate counts each time that it is proposed.
	Evaluations int64
	Noise       Noise
	Errors      Errors // how errors of unknown size depend on the target
	// Allowed functions and operators by name (+ - * / ** sqrt exp …); nil: the usual ones, see
	// dataset.DefaultOps.
	Ops []string
	// MaxComplexity is the largest Law.Complexity in a result, in bits; 0: no limit. A search
	// leaves out candidates whose candidate.complexity exceeds the limit.
	MaxComplexity float64
	Seed          int64
	AllRows       bool // no row is excluded, even if it contradicts the others
	NoUnits       bool // search as if the table had no units
	// Resume holds laws of an earlier run. They are scored first, so the result is no worse than
	// the best of them.
	Resume []law.Law
	// Outliers are rows to leave out at first: Result.Outliers of the earlier run. nil: rows that
	// look like gross errors.
	Outliers []int
	// Names of the Proposers to run: Search, Genetic, Forms, or names of Extra; nil: all.
	Proposers []string
	// Extra holds Proposers in addition to the built-in ones. They begin if the search has found no
	// exact law in its first seconds.
	Extra      []NamedProposer
	JoinKernel pair.Kernel // see search.Search
	Prior      mdl.Prior   // prior of the forms of laws; nil: that of survey.Catalogue
	// Progress is called several times a second from one goroutine; it may be nil.
	Progress func(Progress)

	Shape      require.Shape      // shape that laws must have
	Statements require.Statements // requirements on the law, in terms of columns

	// XSigma holds the standard errors of columns in each row. If those of the target are not
	// given, one for all rows is estimated.
	XSigma map[string][]float64
}

// Noise describes the known errors of the target.
type Noise struct {
	Known bool
	Sigma float64 // standard deviation in the target's unit, if Known
}

// Errors says how the target's errors depend on its value, if their size is unknown. The names are
// those of package law.
type Errors string

const (
	// AnyErrors chooses equal errors. For a target that spans many decades, it chooses equal or
	// proportional errors, whichever gives fewer bits.
	AnyErrors          Errors = ""
	EqualErrors        Errors = law.EqualErrors        // equal for all rows
	ProportionalErrors Errors = law.ProportionalErrors // proportional to the target
	// Proportional to the root of the target, as for counts.
	CountingErrors Errors = law.CountingErrors
	HeavyErrors    Errors = law.HeavyErrors // equal, with heavy tails: robust to single outliers
)

// Progress is a report on a run in progress.
type Progress struct {
	Stage       string // current part of the search
	Evaluations int64  // candidate laws evaluated so far
	Elapsed     time.Duration
	Left        time.Duration // remaining part of Time; 0: there is no time limit
	Best        law.Law       // the best law so far; its Tree is empty if there is none yet
}

// Proposer yields expressions for p until ctx ends or it has no more. The run fits and scores
// them. The values of their free constants (Params) are starting points of the fit. A tree that
// was yielded before is fitted again only if its starting constants are far better than the best
// law.
//
// Package discovertest tests whether a Proposer keeps these rules:
//
//   - Trees are over p.Vars. Their numbers are finite, their functions and operators are
//     allowed by p.Ops, and they can be printed and parsed.
//   - Equal problems, Seed included, give equal trees in equal order.
//   - It does not change p.
//   - It yields nothing if ctx has ended before, and stops soon after ctx ends.
//   - It accepts any table: a single row, constant columns, values that are NaN or infinite, units
//     from which that of the target cannot be made.
//
// An error ends the Proposer and becomes a warning in the result.
type Proposer interface {
	Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error]
}
