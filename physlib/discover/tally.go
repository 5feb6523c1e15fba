package discover

import (
	"slices"
	"time"
)

// tally counts the candidates of a waySearch and compares them with its budget of evaluations. The
// genetic Proposer evaluates its trees itself and has its own part of the budget. There are four
// counters:
//
//	judge.received            trees that the judge received from all sources
//	source.consumed           trees taken from one source
//	source.evaluated          trees that the genetic Proposer has evaluated by itself
//	tally.geneticAtLastTree   value of that counter when the genetic Proposer sent the last tree
//	                          taken
type tally struct {
	budget int64 // largest number of evaluations; 0: no limit
	// The judge of the search. It counts all trees received, including repeated ones and those with
	// a forbidden shape.
	j *judge

	otherLimit int64   // part of the budget for all Proposers but the genetic one
	genetic    *source // nil: no genetic search
	// Value of geneticEvaluations when the genetic search sent its last consumed tree.
	geneticAtLastTree int64

	// State at the last progress (isProgress in stop.go), not at every new best law:
	// judge.received, the value of geneticEvaluations, and the time.
	countAtProgress, geneticAtProgress int64
	timeOfProgress                     time.Time
}

// newTally returns the tally of a waySearch with a budget of evaluations; 0 means no budget.
// genetic is the source of the genetic Proposer, or nil.
func newTally(budget int64, parts parts, j *judge, genetic *source) *tally {
	return &tally{budget: budget, j: j, otherLimit: parts.others, genetic: genetic}
}

// geneticEvaluations returns the number of trees that the genetic Proposer has evaluated by itself.
func (c *tally) geneticEvaluations() int64 {
	if c.genetic == nil {
		return 0
	}
	return c.genetic.evaluated.Load()
}

// parts are the parts of a budget of evaluations. Without a budget they are 0, which means no
// limit.
type parts struct {
	genetic   int64 // for the genetic Proposer
	others    int64 // for all other Proposers together
	noGenetic bool  // the genetic Proposer does not take part, or its part would be too small
}

// partsOf divides a budget of evaluations, or 0, among the Proposers in names. The genetic Proposer
// gets half of it, or all if it is alone.
func partsOf(budget int64, names []string) parts {
	half := budget / 2
	switch {
	case !slices.Contains(names, Genetic):
		return parts{others: budget, noGenetic: true}
	case budget <= 0:
		return parts{others: budget}
	case len(names) == 1:
		return parts{genetic: budget}
	case half < leastGenetic:
		return parts{others: budget, noGenetic: true}
	}
	return parts{genetic: half, others: budget - half}
}

// leastGenetic is the least number of evaluations for the genetic Proposer. With fewer, it would
// evaluate little more than its first random trees.
const leastGenetic = 8000

// extraPart returns the number of candidates after which an extra Proposer should end; 0: no limit.
// There is a limit only with a budget, and if built-in Proposers take part (withBuiltIn). A neural
// system takes about ten times as long for a candidate as the others. Without the limit, it would
// take most of the time of a small budget.
func (c *tally) extraPart(withBuiltIn bool) int64 {
	if c.budget <= 0 || !withBuiltIn {
		return 0
	}
	return max(1, c.otherLimit/extraShare)
}

// extraShare is the divisor of the budget for the part of an extra Proposer.
const extraShare = 16

// affordable returns how many of n trees from s may still be scored within the budget.
func (c *tally) affordable(n int, s *source) int {
	if c.budget <= 0 || s == c.genetic {
		return n
	}
	return int(min(int64(n), c.otherLimit-c.candidates()))
}

// noteGenetic updates geneticAtLastTree after the message m of s, if s is the genetic Proposer. It
// is called for each message of each source.
func (c *tally) noteGenetic(s *source, m message) {
	if s != c.genetic {
		return
	}
	switch m.kind {
	case gotTree:
		c.geneticAtLastTree = m.evaluated
	case gotEnd:
		c.geneticAtLastTree = c.geneticEvaluations()
	}
}

// noteProgress records that there is a new best law and that it is progress.
func (c *tally) noteProgress(now time.Time) {
	c.countAtProgress, c.geneticAtProgress, c.timeOfProgress = c.j.received, c.geneticEvaluations(), now
}

// sinceProgress returns the number of trees received since the last progress.
func (c *tally) sinceProgress() int64 { return c.j.received - c.countAtProgress }

// geneticStalled reports whether the genetic search has gone on long enough without improvement.
// Since the last progress of any Proposer, it must have evaluated more than settleTrees trees, and
// more trees than before. With few rows, more than fewSettleTrees trees in total are enough.
// Without a genetic search, geneticStalled returns false.
func (c *tally) geneticStalled(rows int) bool {
	n := c.geneticEvaluations()
	return n-c.geneticAtProgress > max(settleTrees, c.geneticAtProgress) || n > fewSettleTrees && rows < fewRowsSettle
}

// A waySearch ends after at least settleTrees genetic evaluations without a better law. With fewer
// than fewRowsSettle rows it ends after fewSettleTrees evaluations in total, since among more
// trees, some would fit so few rows by chance.
const (
	settleTrees    = 150_000
	fewSettleTrees = 150_000
	fewRowsSettle  = 40
)

// used reports whether the budget of evaluations is used up. The genetic Proposer's part counts
// only after it has begun.
func (c *tally) used() bool {
	return c.candidates() >= c.otherLimit && (c.genetic == nil || !c.genetic.begun() || c.genetic.done)
}

// evaluations returns the number of candidates evaluated so far.
func (c *tally) evaluations() int64 { return c.candidates() + c.geneticSoFar() }

// candidates returns the number of trees received so far, except those that the genetic Proposer
// had evaluated itself.
func (c *tally) candidates() int64 {
	if c.genetic == nil {
		return c.j.received
	}
	return c.j.received - c.genetic.consumed
}

// geneticSoFar returns the number of trees that the genetic Proposer has evaluated. With a budget
// of evaluations it counts only up to the last expression consumed, so that equal runs are equal.
func (c *tally) geneticSoFar() int64 {
	if c.budget > 0 {
		return c.geneticAtLastTree
	}
	return c.geneticEvaluations()
}
