package discover

import (
	"context"
	"errors"
	"slices"
	"time"
)

// stopReason returns why the run must end now, or "" if it continues.
func (r *run) stopReason(ctx context.Context) Stop {
	best, timed := r.j.best(), r.s.Evaluations == 0
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return TimeUp
	case ctx.Err() != nil:
		return Interrupted
	case !timed && r.tally.used():
		return Evaluations
	case r.j.exact(best) && (r.search != nil && r.search.done || r.allDone() || r.tally.sinceBest() > r.mostSimpler()),
		timed && r.j.exact(best) && r.s.Clock.Since(r.tally.timeOfBest) > r.simplerTime(best):
		return Exact
	case r.allDone():
		return Exhausted
	case timed && best != nil && best.complexity < shortBits && r.tally.sinceBest() > shortLaws && r.settled() && r.waitedForExtras(),
		r.searchDone() && (!timed && r.settled() || timed && r.tally.evolved(r.t.Rows())) && r.waitedForExtras():
		return Settled
	}
	return ""
}

// A run ends on a law of less than shortBits whose residuals are noise when none of shortLaws
// further candidates is better. The search goes from short laws to long ones. So a better law would
// be a longer one, which pays for its length only by fitting noise.
const (
	shortBits = 25
	shortLaws = 2000
)

// waitedForExtras reports whether the extra sources have yielded their likeliest expressions, or
// extraPatience has passed since the first call. The first call starts the wait, so it must be the
// last condition of a stop.
func (r *run) waitedForExtras() bool {
	if r.extrasWait.IsZero() {
		r.extrasWait = r.s.Clock.Now()
	}
	return r.extrasReady() || r.s.Evaluations == 0 && r.s.Clock.Since(r.extrasWait) > extraPatience
}

// extraPatience is the time that a run waits for extra sources when all others have settled.
const extraPatience = 3 * time.Second

// extrasReady reports whether each extra source at work has yielded its likeliest expressions.
func (r *run) extrasReady() bool {
	return !slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.begun() && !s.done && s.consumed < extraLikeliest })
}

// extraLikeliest is the number of expressions of an extra Proposer that a run waits for. A neural
// Proposer yields the likeliest first.
const extraLikeliest = 128

// simplerTime returns how long the run searches for a simpler law after an exact one. That is as
// long as the exact one took, but at least two seconds, or half a second for a law of few bits. If
// an extra source found the exact law, the run searches only for this least time. Extra sources
// begin late, so the search has already run for a while.
func (r *run) simplerTime(exact *candidate) time.Duration {
	const fewBits = 35
	least := 2 * time.Second
	if exact.complexity < fewBits {
		least /= 4
	}
	if r.isExtra(exact.by) {
		return least
	}
	return max(least, r.tally.timeOfBest.Sub(r.start))
}

// isExtra reports whether the source called name is not built in.
func (r *run) isExtra(name string) bool {
	return slices.ContainsFunc(r.sources, func(s *source) bool { return s.extra && s.Name == name })
}

// mostSimpler returns how many candidates are evaluated after an exact law to find a simpler one.
func (r *run) mostSimpler() int64 {
	switch {
	case r.s.simplerSought:
		return 0
	case r.search == nil:
		return simplerAlone
	}
	return simplerLaws
}

// Numbers of candidates after an exact law among which a simpler one is sought.
const (
	simplerLaws  = 3000 // in a run with the search
	simplerAlone = 128  // in a run without it
)

// settled reports whether the residuals of the best law are noise. A law that breaks the units
// never settles a run, since a deeper search may find constants with units in place of its numbers.
// Nor does a constant law, since a law not yet found may explain its residuals.
func (r *run) settled() bool {
	if b := r.j.best(); b != r.settledFor {
		r.settledReply, r.settledFor = b != nil && len(b.tree.Vars()) > 0 && b.unitsOK && b.rms > leastNoise*r.j.screen.rms && r.j.white(b), b
	}
	return r.settledReply
}

// leastNoise is the residual, relative to the target's RMS, below which a run never settles: a
// smooth approximation of an exact law may be this close.
const leastNoise = 3e-6

// isProgress reports whether the new best law is shorter than the previous best, or the previous
// best was not exact. Another form of an exact law may score a little better by the bits of its
// constants.
func (r *run) isProgress(before *candidate) bool {
	return !r.j.exact(before) || r.j.best().complexity < before.complexity
}
