// Package discover is the main job: a table in, the archive of laws out.
//
// # Design
//
// Proposers work side by side, each in its own goroutine, and a judge takes what they have in turns
// of up to 128 expressions: it fits them on all cores, equal ones once, and keeps the best. The
// search begins at once. The genetic one begins when the search has little left, and those of
// Settings.Extra, such as a neural system, which takes seconds to open, when the search has not
// come to an exact law in its first seconds; by a budget of evaluations all that is decided by
// counts, so that equal runs are equal. Expressions of Settings.Extra whose dimensions do not
// balance are dropped before they cost a fit. Rows that look like gross errors (package outlier)
// are left out at first, and for good where the law of the others shows that they contradict it. A
// Proposer that fails leaves a warning, and the others their work.
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

// Noise says what is known of the target's errors.
type Noise struct {
	Known bool
	Sigma float64 // standard deviation in the target's unit, when Known
}

// Errors says how the target's errors, when their size is not known, depend on its value.
type Errors string

const (
	AnyErrors          Errors = ""         // equal or proportional, whichever describes a target of many decades shorter
	EqualErrors        Errors = "equal"    // the same for all rows
	ProportionalErrors Errors = "relative" // proportional to the target
	CountingErrors     Errors = "counting" // proportional to the target's root, as for counts
	HeavyErrors        Errors = "heavy"    // equal, with heavy tails: single rows that are far off do not bend the law
)

// Progress is what a run tells while it works.
type Progress struct {
	Stage       string // what is being searched
	Evaluations int64  // candidate laws tried so far
	Elapsed     time.Duration
	Left        time.Duration // of the time budget; 0 without one
	Best        law.Law       // the best law so far; its Tree is empty before the first
}

// Settings of a run. The zero value is 60 seconds, automatic noise, all operators, seed 0.
type Settings struct {
	Time          time.Duration // of Clock; 0: 60 s; below 0: no limit
	Clock         clock.Clock   // what Time counts
	Evaluations   int64         // stop after as many proposed laws, and give the genetic search as much in proportion: equal runs; 0: no limit
	Noise         Noise
	Errors        Errors   // how errors of unknown size depend on the target
	Ops           []string // allowed functions and operators by name (+ - * / ** sqrt exp …); nil: all
	MaxComplexity float64  // laws above are not reported; 0: no limit
	Seed          int64
	AllRows       bool           // no row is left out, however it contradicts the others
	NoUnits       bool           // search as if the table had no units
	Resume        []law.Law      // laws of an earlier run, judged first; the result is no worse than the best of them
	Without       []int          // rows that the earlier run left out
	Proposers     []string       // who proposes laws: Search, Genetic, names of Extra; nil: all
	Extra         []Named        // Proposers beside those built in; they begin when the search found no exact law in its first seconds
	Joins         pair.Kernel    // as of search.Search
	Prior         mdl.Prior      // of the forms of laws; nil: the default one
	Progress      func(Progress) // called a few times a second from one goroutine; may be nil

	Shape      require.Shape      // of the laws that may be found
	Statements require.Statements // what the law keeps, about its columns and constants by name

	XSigma map[string][]float64 // standard errors of columns in each row; the target's must be given as well

	places  []int     // of the rows in the user's table; nil: it has all of them
	earlier []law.Law // Resume as the caller gave it
	simple  bool      // a simpler law than an exact one of Resume was looked for before
}

// Result is what a run found.
type Result struct {
	Best        law.Law   // the chosen law; an empty Tree when nothing better than a constant was found
	Front       []law.Law // Pareto: by rising complexity and falling error
	Finalists   []law.Law // all that were refitted and weighed in the end, by score
	Evaluations int64     // laws tried, those included that a Proposer tried by itself
	Elapsed     time.Duration
	Stopped     Stop    // why it ended
	Verdict     string  // one line: how sure, and why
	Probability float64 // that Best has the right form; NaN: not known
	Known       []Known // laws with a name that were scored, the best first
	Errors      string  // error model of Best: "equal", "proportional", …; "" unknown
	Outliers    []int   // rows, from 0, that were left out since they contradict what the others follow
	Proposers   []Proposed
	Warnings    []string // one line each: missing units, ignored columns, a Proposer that failed, …

	relative bool // errors were taken as proportional to the target
	bits     float64
	dataBits float64 // of bits, those of the data
	constant float64 // bits of a constant law
}

// Known is a law that has a name.
type Known struct {
	Law    law.Law
	Names  []string // "Michaelis-Menten kinetics", …
	Beyond float64  // by how many bits its description is longer than that of the chosen law
}

// Proposer yields expressions for p until ctx ends or it has no more; it fits nothing and judges
// nothing. Free constants are Params whose values are where a fit may start. The same tree may come
// again: a vote.
type Proposer interface {
	Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error]
}
