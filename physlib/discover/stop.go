package discover

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Stop is the reason why a search ended.
type Stop string

// Reasons why a search ended.
const (
	// The residuals of a law are rounding errors of the table's digits or of calculations.
	StopExact Stop = "exact"
	// No better law was found for a long time, or the residuals of the best law are noise.
	StopSettled     Stop = "settled"
	StopExhausted   Stop = "exhausted"   // all Proposers were exhausted
	StopTime        Stop = "time"        // Settings.Time was over
	StopEvaluations Stop = "evaluations" // Settings.Evaluations were done
	StopInterrupted Stop = "interrupted" // the context ended
)

// Cut reports whether the search was stopped from outside. If it was, more time may give a better
// law.
func (s Stop) Cut() bool { return s == StopTime || s == StopEvaluations || s == StopInterrupted }

// stopReason returns why r must end now, or "" if it continues. Once no better law is expected, r
// waits for extra sources.
func (r *waySearch) stopReason(ctx context.Context) Stop {
	switch best := r.j.best(); {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return StopTime
	case ctx.Err() != nil:
		return StopInterrupted
	case r.budget.counted() && r.tally.used():
		return StopEvaluations
	case r.j.exact(best) && r.soughtSimpler(best):
		return StopExact
	case r.allDone():
		return StopExhausted
	case r.shortIsFinal(best) || r.noBetterExpected():
		if r.waitForExtras(); r.waitedForExtras() {
			return StopSettled
		}
	}
	return ""
}

// soughtSimpler reports whether r has gone on long enough to find a law that is simpler than the
// exact law best.
func (r *waySearch) soughtSimpler(best *candidate) bool {
	return r.enumerator != nil && r.enumerator.done || r.allDone() || r.tally.sinceProgress() > r.mostSimpler() ||
		!r.budget.counted() && r.budget.clock.Since(r.tally.timeOfProgress) > r.simplerTime(best)
}

// shortIsFinal reports whether the best law is short and its residuals have been noise for
// shortLaws candidates.
func (r *waySearch) shortIsFinal(best *candidate) bool {
	return !r.budget.counted() && best != nil && best.complexity < shortBits && r.tally.sinceProgress() > shortLaws && r.settled()
}

// noBetterExpected reports whether package search has ended and the genetic search, which
// continues, is unlikely to find a better law. With a budget of evaluations, it suffices that the
// residuals are noise.
func (r *waySearch) noBetterExpected() bool {
	if !r.searchDone() {
		return false
	}
	if r.budget.counted() {
		return r.settled()
	}
	return r.tally.geneticStalled(r.t.Rows())
}

// A waySearch ends if the best law has less than shortBits, its residuals are noise, and the next
// shortLaws candidates are not better. It goes from short laws to long ones. So a better law found
// later would be longer, and would be better only because it fits noise.
const (
	shortBits = 25
	shortLaws = 2000
)

// waitForExtras begins the wait for the extra sources, unless it has begun.
func (r *waySearch) waitForExtras() {
	if r.extrasWait.IsZero() {
		r.extrasWait = r.budget.clock.Now()
	}
}

// waitedForExtras reports whether the extra sources (the Proposers of Settings.Extra) have yielded
// their likeliest expressions, or whether r has waited for them for extraPatience.
func (r *waySearch) waitedForExtras() bool {
	return r.extrasReady() || !r.budget.counted() && r.budget.clock.Since(r.extrasWait) > extraPatience
}

// extraPatience is how long a waySearch waits for extra sources after all others are done.
const extraPatience = 3 * time.Second

// extrasReady reports whether each extra source that is running has yielded its likeliest
// expressions.
func (r *waySearch) extrasReady() bool {
	return !slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.begun() && !s.done && s.consumed < extraLikeliest })
}

// extraLikeliest is the number of expressions of an extra Proposer that a waySearch waits for. A
// neural Proposer yields its likeliest expressions first.
const extraLikeliest = 128

// simplerTime returns how long r goes on after an exact law, to find a simpler one: as long as the
// exact law took, but at least two seconds, or half a second for a law of few bits. For a law from
// an extra source, simplerTime returns this least time, since r has already gone on for a while
// when extra sources begin.
func (r *waySearch) simplerTime(exact *candidate) time.Duration {
	const fewBits = 35
	least := 2 * time.Second
	if exact.complexity < fewBits {
		least /= 4
	}
	if r.isExtra(exact.by) {
		return least
	}
	return max(least, r.tally.timeOfProgress.Sub(r.budget.start))
}

// isExtra reports whether the source with the given name is not built in.
func (r *waySearch) isExtra(name string) bool {
	return slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.Name == name })
}

// mostSimpler returns how many candidates are evaluated at most after an exact law, to find a
// simpler one.
func (r *waySearch) mostSimpler() int64 {
	switch {
	case r.simplerSought:
		return 0
	case r.enumerator == nil:
		return simplerAlone
	}
	return simplerLaws
}

// Numbers of candidates that are evaluated after an exact law, to find a simpler one.
const (
	simplerLaws  = 3000 // with package search
	simplerAlone = 128  // without package search
)

// settled reports whether the residuals of the best law are noise. It returns false if the
// dimensions of the law do not balance, since a deeper search may find a law with constants that
// have units. It also returns false for a constant law, since a law not yet found may explain the
// residuals.
func (r *waySearch) settled() bool {
	// get does not call the function for nil, so without a best law the result is false.
	return r.noise.get(r.j.best(), func(c *candidate) bool {
		return len(c.tree.Vars()) > 0 && c.unitsOK && c.rms > leastNoise*r.j.screeningSample.rms && r.j.white(c)
	})
}

// leastNoise is the smallest residual, relative to the target's RMS, that settled takes for noise.
// A smaller one may come from a smooth approximation of an exact law.
const leastNoise = 3e-6

// isProgress reports whether the new best law is shorter than the previous one, or the previous one
// was not exact. A better score alone is no progress after an exact law: another form of the same
// law may have a slightly better score, because its constants take fewer bits.
func (r *waySearch) isProgress(before *candidate) bool {
	return !r.j.exact(before) || r.j.best().complexity < before.complexity
}
