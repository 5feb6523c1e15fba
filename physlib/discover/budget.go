package discover

import (
	"context"
	"errors"
	"slices"
	"time"
)

// How the time of a search is divided. Shares are fractions of Settings.Time. How long a search
// goes on after an exact law, or when the residuals are noise, is in ending.go.
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
	// Share of the time after which the survey begins (forms.go).
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

// nextSearch returns the settings of a further search, which may run until the given share of the
// whole budget is used. found is the result so far, or nil. The further search first scores the
// best laws of found. The budget of s counts from start, and the Time of the returned settings
// counts from the start of the further search.
func (s Settings) nextSearch(start time.Time, share float64, found *Result) Settings {
	p := s
	used := int64(0)
	if found != nil {
		used = found.Evaluations
		p.simplerSought = found.Stopped == Exact
		p.Resume = append(slices.Clone(found.Finalists[:min(len(found.Finalists), passedOn)]), s.Resume...)
	}
	if s.Time > 0 {
		p.Time = max(1, s.timeShare(share)-s.Clock.Since(start))
	}
	if s.Evaluations > 0 {
		p.Evaluations = max(1, int64(share*float64(s.Evaluations))-used)
	}
	if s.Progress != nil {
		p.Progress = func(now Progress) {
			now.Evaluations += used
			now.Elapsed = s.Clock.Since(start)
			if s.Time > 0 {
				now.Left = max(0, s.Time-now.Elapsed)
			}
			s.Progress(now)
		}
	}
	return p
}

// passedOn is the number of laws that a search gets from the previous search.
const passedOn = 20

// shareIsUsed reports whether the given share of the whole budget is used.
func (s Settings) shareIsUsed(start time.Time, share float64, found *Result) bool {
	return s.Time > 0 && s.Clock.Since(start) >= s.timeShare(share) ||
		s.Evaluations > 0 && found.Evaluations >= int64(share*float64(s.Evaluations))
}

// within returns a context derived from ctx that ends after the given share of the time limit.
func (s Settings) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if s.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return s.Clock.WithTimeout(ctx, s.timeShare(share))
}

// rankingContext returns the context of the ranking at the end of a search that began at start. The
// ranking may exceed the time limit by finalTime, less rowTime for each row. The rest of finalTime
// is for the fit of the chosen law to all rows. Without a time limit, or with a budget of
// evaluations, the ranking has no deadline. If ctx was cancelled, however, the ranking has
// interruptedPatience. If a deadline of ctx has passed, the ranking has one second.
func (s Settings) rankingContext(ctx context.Context, start time.Time, rows int) (context.Context, context.CancelFunc) {
	free := context.WithoutCancel(ctx)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return s.Clock.WithTimeout(free, interruptedPatience)
	case ctx.Err() != nil:
		return s.Clock.WithTimeout(free, time.Second)
	case s.Time <= 0 || s.Evaluations > 0:
		return context.WithCancel(free)
	}
	return s.Clock.WithDeadline(free, start.Add(s.Time+max(0, s.finalTime()-time.Duration(rows)*rowTime)))
}

// finalTime returns the time for the last fits of a search. The ranking may take the same time once
// more, after the time limit.
func (s Settings) finalTime() time.Duration { return max(leastFinal, s.timeShare(finalShare)) }

// timeShare returns the given fraction of the time limit. It is 0 only without a limit.
func (s Settings) timeShare(share float64) time.Duration {
	d := time.Duration(share * float64(s.Time))
	if s.Time > 0 {
		d = max(1, d)
	}
	return d
}

// timeIsUp returns a function that reports whether the time limit, counted from start, is reached.
func (s Settings) timeIsUp(start time.Time) func() bool {
	return func() bool { return s.Evaluations == 0 && s.Time > 0 && s.Clock.Since(start) >= s.Time }
}
