package discover

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/genetic"
	enumeration "github.com/physlib/lab/physlib/search"
)

// newSources returns a source for each Proposer in names. enumerator is that of package search, and
// geneticSource that of package genetic; nil: it does not take part.
func newSources(names []string, settings Settings, parts parts) (sources []*source, enumerator, geneticSource *source) {
	for _, name := range names {
		s := &source{NamedProposer: NamedProposer{Name: name}, startedAfter: -1}
		switch name {
		case Forms:
			continue // fitted by ranking.survey, in the table's own units
		case Search:
			s.Proposer = &enumeration.Search{Stage: func(name string) { s.stage.Store(&name) }, JoinKernel: settings.JoinKernel}
			enumerator = s
		case Genetic:
			if parts.noGenetic {
				continue
			}
			s.Proposer = &genetic.Search{Evaluations: &s.evaluated, Limit: parts.genetic}
			geneticSource = s
		default:
			s.extra = true
			s.NamedProposer = settings.Extra[slices.IndexFunc(settings.Extra, func(n NamedProposer) bool { return n.Name == name })]
		}
		sources = append(sources, s)
	}
	return sources, enumerator, geneticSource
}

// startDue starts the sources that are due.
func (r *waySearch) startDue(ctx context.Context) {
	for _, s := range r.sources {
		if !s.begun() && r.due(s) {
			s.trees, s.lawQueries, s.startedAfter = make(chan proposal, 4096), make(chan chan []expr.Tree), r.budget.elapsed()
			go r.propose(ctx, s)
		}
	}
}

// due reports whether s has to begin. With a budget of evaluations this depends on the number of
// candidates evaluated, not on time.
func (r *waySearch) due(s *source) bool {
	switch best := r.j.best(); {
	case s == r.enumerator:
		return true
	case r.j.exact(best):
		return false
	case !s.extra:
		return r.searchDone() || r.searchedAlone()
	case r.searchDone() && !r.settled():
		return true
	// With a budget, an extra source begins even if r is settled, since the residuals of an
	// approximation may look like noise.
	case r.budget.counted():
		return r.j.received > extraLaws
	}
	return r.budget.elapsed() > r.budget.extraDelay() && r.budget.affords(s.NamedProposer)
}

// When Proposers begin if there is a budget of evaluations. The search begins at once. The others
// begin only if no exact law has been found.
const (
	geneticLaws = 1500 // candidates evaluated before the genetic search begins
	extraLaws   = 500  // candidates evaluated before the extra sources begin
)

// searchedAlone reports whether package search has run long enough that the genetic search may
// begin. With a time limit, the genetic search begins after the share geneticStart of it, but after
// latestGenetic at the latest. Package search then continues alongside, since the two find
// different laws.
func (r *waySearch) searchedAlone() bool {
	if r.budget.counted() {
		return r.j.received > min(geneticLaws, r.tally.otherLimit/2)
	}
	delay := latestGenetic
	if r.budget.timed() {
		delay = min(delay, r.budget.timeShare(geneticStart))
	}
	return r.budget.elapsed() > delay
}

// extraDelay returns the time before extra sources begin, if there is a time limit. By then the
// search has found most laws (experiments/results, recovery-feynman-*-both).
func (b budget) extraDelay() time.Duration {
	if !b.timed() {
		return latestExtra
	}
	return min(max(b.timeShare(extraStart), earliestExtra), latestExtra)
}

// affords reports whether n takes at most the share extraCost of the run's processor time. The
// limit is needed. In a test on one core with a time limit of 20 s, a neural system took more than
// half of the time, and the search missed three more of 101 laws.
func (b budget) affords(n NamedProposer) bool {
	return !b.timed() || n.Cost <= b.timeShare(extraCost)*time.Duration(runtime.GOMAXPROCS(0))
}

// propose runs s until it is exhausted or ctx ends.
func (r *waySearch) propose(ctx context.Context, s *source) {
	defer close(s.trees)
	defer func() { // A fault in one Proposer must not end the work of the others.
		if e := recover(); e != nil {
			r.warn(fmt.Sprintf("%s stopped early: %v; please report it with the table", s.Name, e))
		}
	}()
	for t, err := range s.Propose(ctx, r.problemFor(ctx, s)) {
		if err != nil {
			if ctx.Err() == nil {
				r.warn(err.Error())
			}
			return
		}
		select {
		case s.trees <- proposal{t, s.evaluated.Load()}:
		case <-ctx.Done():
			return
		}
	}
}

// problemFor returns the problem as the Proposer of s gets it.
func (r *waySearch) problemFor(ctx context.Context, s *source) *dataset.Problem {
	p := *r.p
	p.Laws = s.queryLaws(ctx)
	if r.settledQueries != nil {
		p.Settled = r.querySettled(ctx)
	}
	if s.extra {
		p.MaxCandidates = r.tally.extraPart(slices.ContainsFunc(r.sources, func(o *source) bool { return !o.extra }))
	}
	return &p
}

// warn adds a warning to the result, unless it is already there.
func (r *waySearch) warn(text string) {
	r.faultsMu.Lock()
	defer r.faultsMu.Unlock()
	if !slices.Contains(r.faults, text) {
		r.faults = append(r.faults, text)
	}
}

// searchDone reports whether package search has no more expressions, or does not take part.
func (r *waySearch) searchDone() bool { return r.enumerator == nil || r.enumerator.done }

// working returns the number of sources that are running.
func (r *waySearch) working() (n int) {
	for _, s := range r.sources {
		if s.begun() && !s.done {
			n++
		}
	}
	return n
}

// proposed returns the contribution of each source.
func (r *waySearch) proposed() []Proposed {
	var out []Proposed
	for _, s := range r.sources {
		p := Proposed{s.Name, s.consumed, s.startedAfter}
		if s == r.tally.genetic {
			p.Laws = r.tally.geneticSoFar()
		}
		out = append(out, p)
	}
	return out
}

// failure returns an error if no Proposer proposed anything and each of them reported a reason,
// else nil.
func (r *waySearch) failure() error {
	if faults := r.warnings(); r.j.received == 0 && r.allDone() && len(faults) > 0 && len(faults) >= len(r.sources) {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// warnings returns the warnings so far.
func (r *waySearch) warnings() []string {
	r.faultsMu.Lock()
	defer r.faultsMu.Unlock()
	return slices.Clone(r.faults)
}

// allDone reports whether no source has more expressions.
func (r *waySearch) allDone() bool {
	return !slices.ContainsFunc(r.sources, func(s *source) bool { return !s.done })
}
