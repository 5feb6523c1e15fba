package discover

import (
	"context"
	"errors"
	"slices"
	"time"
)

// upTo returns the settings of a further search, which may run until a share of the whole budget is
// used. The search first scores the best laws of found, the result so far; nil means none.
func (s Settings) upTo(start time.Time, share float64, found *Result) Settings {
	p := s
	used := int64(0)
	if found != nil {
		used = found.Evaluations
		p.simplerSought = found.Stopped == Exact
		p.Resume = append(slices.Clone(found.Finalists[:min(len(found.Finalists), passedOn)]), s.Resume...)
	}
	if s.Time > 0 {
		p.Time = max(1, time.Duration(share*float64(s.Time))-s.Clock.Since(start))
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

// passedOn is the number of laws that one search gets from the previous one.
const passedOn = 20

// shareUsed reports whether a share of the whole budget is used.
func (s Settings) shareUsed(start time.Time, share float64, found *Result) bool {
	return s.Time > 0 && s.Clock.Since(start) >= time.Duration(share*float64(s.Time)) ||
		s.Evaluations > 0 && found.Evaluations >= int64(share*float64(s.Evaluations))
}

// within returns a context derived from ctx that ends after a share of the time budget.
func (s Settings) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if s.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return s.Clock.WithTimeout(ctx, time.Duration(share*float64(s.Time)))
}

// rankingContext returns the context of the ranking at the end of a search that began at start. The
// ranking may run for a tenth of the time budget more, at least 0.3 s. After an interrupt it has
// interruptedPatience, and after a deadline of ctx one second.
func (s Settings) rankingContext(ctx context.Context, start time.Time) (context.Context, context.CancelFunc) {
	free := context.WithoutCancel(ctx)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return s.Clock.WithTimeout(free, interruptedPatience)
	case ctx.Err() != nil:
		return s.Clock.WithTimeout(free, time.Second)
	case s.Time <= 0 || s.Evaluations > 0:
		return context.WithCancel(free)
	}
	return s.Clock.WithDeadline(free, start.Add(s.Time+max(300*time.Millisecond, s.Time/10)))
}

// timeIsUp returns a function that reports whether the time budget, counted from start, is used.
func (s Settings) timeIsUp(start time.Time) func() bool {
	return func() bool { return s.Evaluations == 0 && s.Time > 0 && s.Clock.Since(start) >= s.Time }
}
