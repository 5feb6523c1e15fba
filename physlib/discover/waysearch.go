package discover

import (
	"context"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// searchTable runs the Proposers on the table of w, in the given way, until a stopping condition
// holds.
func searchTable(ctx context.Context, w task, how way) *waySearch {
	r := newWaySearch(ctx, w, how)
	ctx, cancel := r.budget.within(ctx, 1) // the sources end with the search
	defer cancel()
	r.scoreEarlier(ctx)
	r.stopped = r.loop(ctx)
	return r
}

// waySearch is one search of a table, in one way. A run, which is a call of Discover, consists of
// one or more of them. Its field search is the Proposer of package search.
type waySearch struct {
	task
	how   way
	p     *dataset.Problem // t as a problem; each Proposer gets it with the fields of problemFor
	j     *judge
	tally *tally

	sources    []*source
	enumerator *source    // source of package search; nil: the search does not take part
	stopped    Stop       // why this search ended
	extrasWait time.Time  // when the wait for the extra sources began; zero: it has not begun
	faultsMu   sync.Mutex // guards faults
	faults     []string   // failures of Proposers

	// Queries whether the residuals of the best law are noise. A query is the channel for its
	// reply. nil: Proposers cannot send this query.
	settledQueries chan chan bool
	noise          ofCandidate[bool] // whether the residuals of the best law are noise (settled)

	reported time.Time            // when task.progress was last called
	shown    ofCandidate[law.Law] // the best law in the table's units, for task.progress
}

// ofCandidate is the last value that a function of a candidate returned.
type ofCandidate[T any] struct {
	c     *candidate // nil: the function was not called; value is then the zero value
	value T
}

// get returns value if c is the candidate that it belongs to. Otherwise it first sets it to the
// value of calculate for c.
func (o *ofCandidate[T]) get(c *candidate, calculate func(c *candidate) T) T {
	if c != o.c {
		o.c, o.value = c, calculate(c)
	}
	return o.value
}

// newWaySearch returns the search of w's table in the given way, which has not begun.
func newWaySearch(ctx context.Context, w task, how way) *waySearch {
	w = w.inWay(how)
	p := prepare(ctx, w.t, w.s)
	j := newJudge(p, w.t, w.s, !how.proportional)
	names, _ := w.s.proposerNames() // Discover has checked the error (see check)
	parts := partsOf(w.budget.evaluations, names)
	sources, enumerator, genetic := newSources(names, w.s, parts)
	tally := newTally(w.budget.evaluations, parts, j, genetic)
	// With a budget of evaluations, no Proposer can query whether the residuals are noise. The
	// reply would depend on the time of the query, but equal runs must give equal results.
	var settledQueries chan chan bool
	if !w.budget.counted() {
		settledQueries = make(chan chan bool)
	}
	return &waySearch{task: w, how: how, p: p, j: j, tally: tally,
		sources: sources, enumerator: enumerator, settledQueries: settledQueries}
}

// loop runs the Proposers concurrently until stopReason returns a reason to stop, and returns it.
func (r *waySearch) loop(ctx context.Context) Stop {
	for {
		r.startDue(ctx)
		progress := false
		for _, s := range r.sources {
			if !s.begun() || s.done {
				continue
			}
			progress = r.advance(ctx, s) || progress
			if stop := r.stopReason(ctx); stop != "" {
				return stop
			}
		}
		r.replySettled()
		if !progress {
			r.wait(ctx)
			if stop := r.stopReason(ctx); stop != "" {
				return stop
			}
		}
	}
}

// advance evaluates the next batch of trees from s. It reports whether s had a tree ready.
func (r *waySearch) advance(ctx context.Context, s *source) bool {
	only := r.working() == 1 // otherwise do not wait for s: another source may be ready
	trees := r.take(ctx, s, only)
	s.consumed += int64(len(trees))
	if len(trees) == 0 {
		return false
	}
	before := r.j.best()
	if r.j.batch(trees, s) && r.isProgress(before) {
		r.tally.noteProgress(r.budget.clock.Now())
	}
	r.report()
	return true
}

// take returns the trees that a source has ready, at most batchSize and at most as many as the
// budget affords. If wait is true, it waits up to 30 ms for that many. With a budget of evaluations
// it always waits, without a limit of time.
func (r *waySearch) take(ctx context.Context, s *source, wait bool) (trees []expr.Tree) {
	want := r.tally.affordable(batchSize, s)
	var timeout <-chan time.Time // nil: no timeout
	if r.budget.counted() {
		wait = true
	} else {
		idle := time.NewTimer(30 * time.Millisecond)
		defer idle.Stop()
		timeout = idle.C
	}
	for len(trees) < want {
		if s.reply != nil && len(s.trees) == 0 { // the source waits for a reply to its query
			if len(trees) > 0 {
				// The trees that the source proposed before its query are scored first.
				return trees
			}
			s.replyLaws(r.j.laws())
		}
		m := s.next(ctx, wait, timeout)
		r.tally.noteGenetic(s, m)
		switch m.kind {
		case gotTree:
			trees = append(trees, m.tree)
		case gotQuery:
			s.reply = m.reply // replied to at the start of an iteration
		case gotEnd:
			s.done = true
			return trees
		case gotNothing:
			return trees
		}
	}
	return trees
}

// batchSize is the number of trees that are fitted together.
const batchSize = 128

// wait sleeps briefly while no source has an expression ready.
func (r *waySearch) wait(ctx context.Context) {
	r.report()
	select {
	case <-ctx.Done():
	case <-time.After(3 * time.Millisecond):
	}
}

// report calls task.progress, at most once in reportInterval of wall time, whatever clock measures
// the budget.
func (r *waySearch) report() {
	if r.progress == nil || time.Since(r.reported) < reportInterval {
		return
	}
	r.reported = time.Now()
	p := Progress{Evaluations: r.tally.evaluations(), Elapsed: r.budget.elapsed(), Left: r.budget.left()}
	if r.enumerator != nil {
		if s := r.enumerator.stage.Load(); s != nil {
			p.Stage = *s
		}
	}
	if b := r.j.best(); b != nil {
		p.Best = r.shown.get(b, func(c *candidate) law.Law { return r.toLaw(c, r.t) })
	}
	r.progress(p)
}

// reportInterval is the least time between two reports.
const reportInterval = 150 * time.Millisecond
