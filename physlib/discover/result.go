package discover

import (
	"time"

	"github.com/physlib/lab/physlib/law"
)

// Result holds the laws that a run found.
type Result struct {
	Best        law.Law   // the chosen law; its Tree is empty if none beats a constant
	Front       []law.Law // by rising complexity: the best fits, and laws about as likely as Best
	Finalists   []law.Law // all laws refitted and scored in the end, best first
	Evaluations int64     // number of candidates received (see Settings) or evaluated within a Proposer
	Elapsed     time.Duration
	Stopped     Stop    // why the search ended
	Verdict     string  // one line: how likely Best is, and why
	Probability float64 // probability that Best has the right form; NaN: not known
	Known       []Known // known laws among those scored, best first
	Errors      string  // error model of Best: "equal", "proportional", …; "" unknown
	Outliers    []int   // rows, from 0, that were left out since they contradict the others
	Proposers   []Proposed
	Warnings    []string // one line each: missing units, ignored columns, a Proposer that failed, …

	relative bool    // errors were assumed proportional to the target
	bits     float64 // least description length of the table; 0: not ranked
	dataBits float64 // the part of bits that codes the data
	constant float64 // bits of a constant law
}

// ranked reports whether the ranking chose Best. Otherwise Best is exact and its search alone chose
// it.
func (r *Result) ranked() bool { return r.bits != 0 }

// Known is a law that has a name.
type Known struct {
	Law    law.Law
	Names  []string // "Michaelis-Menten kinetics", …
	Beyond float64  // bits by which its description is longer than that of the chosen law
}

// Stop is why a search ended.
type Stop string

// Reasons why a search ended.
const (
	Exact       Stop = "exact"       // the residuals of a law are rounding errors
	Settled     Stop = "settled"     // no better law for long, or the residuals of the best are noise
	Exhausted   Stop = "exhausted"   // all Proposers were exhausted
	TimeUp      Stop = "time"        // Settings.Time was over
	Evaluations Stop = "evaluations" // Settings.Evaluations were done
	Interrupted Stop = "interrupted" // the context ended
)

// Cut reports whether the search was ended from outside, so that more time may find a better law.
func (s Stop) Cut() bool { return s == TimeUp || s == Evaluations || s == Interrupted }

// Finished reports whether the search ended by itself, within its time and evaluations.
func (r *Result) Finished() bool {
	return !r.Stopped.Cut()
}
