package discover

import (
	"time"

	"github.com/physlib/lab/physlib/law"
)

// Result holds the laws that a run found.
type Result struct {
	Best law.Law // the chosen law; its Tree is empty if none beats a constant
	// By rising complexity: the laws that fit better than every simpler law, laws about as likely
	// as Best, and its nearest rivals.
	Front     []law.Law
	Finalists []law.Law // all laws that were refitted and scored in the end, best first
	// Number of candidates received (see Settings) or evaluated inside a Proposer.
	Evaluations int64
	Elapsed     time.Duration
	Stopped     Stop   // why the search ended
	Verdict     string // one line: how likely Best is, and why
	// Probability that Best has the right form; 0: there is no law; NaN: not known, only in results
	// of package frame.
	Probability float64
	KnownLaws   []KnownLaw // known laws among those scored, best first
	ErrorModel  string     // error model of Best: "equal", "proportional", …; "": unknown
	Outliers    []int      // rows, from 0, that were left out because they contradict the others
	Proposers   []Proposed
	Warnings    []string // one line each: missing units, ignored columns, a Proposer that failed, …
	// Description length of the law "target = constant", in bits, for comparison with the Score of
	// laws; 0: no law was ranked.
	ConstantLawBits float64

	evidence     Evidence // zero: no law was chosen, or none was ranked
	proportional bool     // errors were assumed proportional to the target
	// The ranking kept a law. Otherwise Best is empty, or it is exact and needed no ranking. A law
	// that was ranked may be exact as well (see ranking.competes).
	ranked   bool
	bits     float64 // least description length of the table, in bits, if ranked
	dataBits float64 // the part of bits that codes the data, if ranked
}

// withoutLaws returns a result with the counts and warnings of r, and with the reason why r ended.
func (r *Result) withoutLaws() *Result {
	return &Result{Evaluations: r.Evaluations, Elapsed: r.Elapsed, Stopped: r.Stopped, Proposers: r.Proposers, Warnings: r.Warnings,
		proportional: r.proportional}
}

// addCounts adds the evaluations of an earlier search of the table to r, and what the Proposers
// contributed to it. It is the only place where the counts of two searches are added.
func (r *Result) addCounts(earlier *Result) {
	r.Evaluations += earlier.Evaluations
	r.Proposers = addProposed(r.Proposers, earlier.Proposers)
}

// Finished reports whether the search ended by itself, within its limits of time and evaluations.
func (r *Result) Finished() bool {
	return !r.Stopped.Cut()
}

// KnownLaw is a law of the catalogue whose form the data support.
type KnownLaw struct {
	Law       law.Law
	Names     []string // "Michaelis-Menten kinetics", …
	Alike     bool     // whether its quantities are like those of the table
	ExtraBits float64  // number of bits by which the law is longer than the chosen one
}
