package discover

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// How the time of a search is divided. Shares are fractions of Settings.Time. How long a search
// goes on after an exact law, or when the residuals are noise, is in stop.go.
const (
	// Times at which the Proposers begin (sources.go). Package search begins immediately.
	geneticStart  = 0.4              // share of the time after which the genetic search begins
	latestGenetic = 10 * time.Second // the genetic search begins at this time at the latest
	// Share of the time after which the extra Proposers begin.
	extraStart    = 1.0 / 12
	earliestExtra = 700 * time.Millisecond // extra Proposers begin at this time at the earliest
	latestExtra   = 5 * time.Second        // extra Proposers begin at this time at the latest
	// Largest processor time of an extra Proposer, as a fraction of the processor time of the run.
	extraCost = 0.1
	// Share of the time after which the survey begins (survey.go).
	surveyStart  = 0.05
	latestSurvey = 500 * time.Millisecond // the survey begins at this time at the latest
	surveyShare  = 0.85                   // share of the time after which the survey ends

	// Searches of a table with outliers (outliers.go). They get trimmedShare of Settings.Time, but
	// all of Settings.Evaluations. firstShare and allShare are fractions of these two budgets.
	trimmedShare = 0.9  // share for these searches; then heavy-tailed errors are scored
	firstShare   = 0.75 // fraction after which the first iteration ends
	allShare     = 0.85 // fraction after which all iterations end
	// If the search without outliers ended as settled, the search of all rows has a time limit:
	// untrimmedFactor times the time of the search without outliers, or untrimmedTime if that is
	// more.
	untrimmedFactor = 2
	untrimmedTime   = 3 * time.Second

	// The end of a search. The function timeOfWay (ways.go) divides the time before the end among
	// the searches with and without units, and with equal and proportional errors.
	concludeTime = 1500 * time.Millisecond // time kept for the last fits and the ranking
	// Share of the time that is kept for the last fits, at the end. After the time limit, the
	// ranking may run for as long as this share.
	finalShare = 0.1
	leastFinal = 300 * time.Millisecond // least time for the last fits, and for the ranking
	rowTime    = time.Microsecond       // for each row, the time in which the chosen law is fitted
	// Time for the last fits, and for the ranking, after an interrupt.
	interruptedPatience = 100 * time.Millisecond
)

// Divisors of Settings.Evaluations: each part of the search below gets Evaluations divided by its
// constant. The part of the genetic Proposer is in tally.go.
const (
	surveyedPart = 4 // for the survey of forms
	laterPart    = 4 // for each search after the first (waysOf in ways.go)
)

// budget limits a run, or a part of it. Both limits count from start.
type budget struct {
	clock       clock.Clock
	start       time.Time
	limit       time.Duration // time on the clock; negative: no limit
	evaluations int64         // candidates of all Proposers together; 0: no limit
}

// newBudget returns the budget of a run that starts now.
func newBudget(s Settings) budget {
	return budget{s.Clock, s.Clock.Now(), cmp.Or(s.Time, DefaultTime), s.Evaluations}
}

// rest returns what is left of the given share of b after a number of evaluations. It starts now.
func (b budget) rest(share float64, used int64) budget {
	r := b.restarted()
	if b.timed() {
		r.limit = max(1, b.timeShare(share)-b.elapsed())
	}
	if b.counted() {
		r.evaluations = max(1, int64(share*float64(b.evaluations))-used)
	}
	return r
}

// restarted returns b with the same limits, which count from now.
func (b budget) restarted() budget {
	b.start = b.clock.Now()
	return b
}

// timed reports whether there is a time limit.
func (b budget) timed() bool { return b.limit > 0 }

// counted reports whether the number of evaluations is limited. A search then begins and ends its
// parts by numbers of candidates instead of times, unless the time limit comes first.
func (b budget) counted() bool { return b.evaluations > 0 }

// elapsed returns the time since the start.
func (b budget) elapsed() time.Duration { return b.clock.Since(b.start) }

// left returns the time left, or 0 without a time limit.
func (b budget) left() time.Duration {
	if !b.timed() {
		return 0
	}
	return max(0, b.limit-b.elapsed())
}

// timeIsUp reports whether the time limit is reached. With a limit of evaluations it is false.
func (b budget) timeIsUp() bool { return !b.counted() && b.timed() && b.elapsed() >= b.limit }

// isUsed reports whether the given share of b is used, after a number of evaluations.
func (b budget) isUsed(share float64, evaluations int64) bool {
	return b.timed() && b.elapsed() >= b.timeShare(share) ||
		b.counted() && evaluations >= int64(share*float64(b.evaluations))
}

// within returns a context derived from ctx that ends after the given share of the time limit.
func (b budget) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if !b.timed() {
		return context.WithCancel(ctx)
	}
	return b.clock.WithDeadline(ctx, b.start.Add(b.timeShare(share)))
}

// rankingContext returns the context of the ranking at the end of a search. The ranking may exceed
// the time limit by finalTime, less rowTime for each row. The rest of finalTime is for the fit of
// the chosen law to all rows. Without a time limit, or with a limit of evaluations, the ranking has
// no deadline. If ctx was cancelled, however, the ranking has interruptedPatience. If a deadline of
// ctx has passed, the ranking has one second.
func (b budget) rankingContext(ctx context.Context, rows int) (context.Context, context.CancelFunc) {
	free := context.WithoutCancel(ctx)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return b.clock.WithTimeout(free, interruptedPatience)
	case ctx.Err() != nil:
		return b.clock.WithTimeout(free, time.Second)
	case !b.timed() || b.counted():
		return context.WithCancel(free)
	}
	end := b.start.Add(b.limit + max(0, b.finalTime()-time.Duration(rows)*rowTime))
	return b.clock.WithDeadline(free, end)
}

// finalTime returns the time for the last fits of a search. The ranking may take the same time once
// more, after the time limit.
func (b budget) finalTime() time.Duration { return max(leastFinal, b.timeShare(finalShare)) }

// timeShare returns the given fraction of the time limit. It is 0 only without a limit.
func (b budget) timeShare(share float64) time.Duration {
	d := time.Duration(share * float64(b.limit))
	if b.timed() {
		d = max(1, d)
	}
	return d
}
