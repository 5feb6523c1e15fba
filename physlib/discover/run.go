package discover

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// searchTable runs the Proposers on t until a stopping condition holds. With relative, errors are
// proportional to the target.
func searchTable(ctx context.Context, t *dataset.Table, s Settings, start time.Time, relative bool) *run {
	r := &run{s: s, t: t, start: start, relative: relative}
	if relative {
		u := *t
		u.Sigma = make([]float64, t.Rows())
		for i, y := range t.Target.Values {
			u.Sigma[i] = math.Abs(y)
		}
		r.t = &u
	}
	r.p = prepare(ctx, r.t, s)
	r.j = newJudge(r.p, s)
	r.j.relative(relative)
	for i, c := range r.t.Vars {
		switch c.Unit.Name {
		case "rad", "deg", "°", "arcmin", "arcsec", "mrad", "degree", "degrees", "radian", "radians":
			r.j.angle[i] = c.HasUnit
		}
	}
	if s.Evaluations == 0 {
		r.queries = make(chan chan bool)
	}
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = s.Clock.WithDeadline(ctx, start.Add(s.Time))
		defer cancel()
	}
	r.resume(ctx)
	r.gather()
	r.loop(ctx)
	return r
}

// run is one search of a table.
type run struct {
	faultsMu  sync.Mutex
	faults    []string // failures of Proposers
	s         Settings
	t         *dataset.Table
	p         *dataset.Problem
	j         *judge
	start     time.Time
	reported  time.Time
	stage     atomic.Pointer[string]
	stopped   Stop
	relative  bool         // errors are assumed proportional to the target
	elsewhere int64        // candidates evaluated under another model of the errors
	last      int64        // evaluation at which the best law last improved
	genetic   atomic.Int64 // evaluations of the genetic Proposer
	evolving  *source      // that Proposer, of sources; nil: it does not take part
	bred      int64        // genetic, when the last expression consumed came
	limit     int64        // of evaluations: candidates of the other Proposers
	lastGen   int64        // its count at the last improvement
	lastTime  time.Time    // of the last improvement
	quiet     time.Time    // when the built-in sources came to their end
	front     law.Archive
	sources   []*source
	search    *source // of sources; nil: the search does not take part
	proposals []Proposed
	queries   chan chan bool // from a Proposer: are the residuals of the best law noise?
	white     bool
	whiteOf   *candidate
	shown     law.Law
	shownOf   *candidate
	rounding  bool // residuals of the best law are at the rounding of the table's digits
}

// loop runs the Proposers concurrently until one finds an exact law, nothing new comes, or ctx
// ends.
func (r *run) loop(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.queries != nil {
		r.p.Settled = func() bool {
			reply := make(chan bool, 1)
			select {
			case r.queries <- reply:
				return <-reply
			case <-ctx.Done():
				return false
			}
		}
	}
	for {
		r.begin(ctx)
		progress := false
		for _, s := range r.sources {
			if !s.begun() || s.done {
				continue
			}
			trees := r.take(ctx, s, r.working() == 1)
			s.consumed += int64(len(trees))
			if len(trees) > 0 {
				progress = true
				before := r.j.best()
				if r.j.batch(trees, s) && r.improved(before) {
					r.last, r.lastGen, r.lastTime = r.j.count, r.genetic.Load(), r.s.Clock.Now()
				}
				r.report()
			}
			if r.stopped = r.over(ctx); r.stopped != "" {
				return
			}
		}
		r.replySettled()
		if !progress {
			r.wait(ctx)
			if r.stopped = r.over(ctx); r.stopped != "" {
				return
			}
		}
	}
}

// take returns the trees that a source has ready, up to a batch. With wait, or with a budget of
// evaluations, it waits for a whole batch.
func (r *run) take(ctx context.Context, s *source, wait bool) []expr.Tree {
	var trees []expr.Tree
	want := batchSize
	if r.s.Evaluations > 0 {
		if s != r.evolving {
			want = int(min(int64(want), r.limit-r.candidates()))
		}
		wait = true
	}
	idle := time.NewTimer(30 * time.Millisecond)
	defer idle.Stop()
	for len(trees) < want {
		select {
		case p, ok := <-s.trees:
			if !r.consume(s, p, ok) {
				return trees
			}
			trees = append(trees, p.tree)
			continue
		default:
		}
		if s.reply != nil { // its earlier proposals are scored first
			if len(trees) > 0 {
				return trees
			}
			s.sendLaws(r.j.laws())
		}
		select {
		case s.reply = <-s.queries:
			continue
		default:
		}
		if !wait {
			return trees
		}
		var timeout <-chan time.Time
		if r.s.Evaluations == 0 {
			timeout = idle.C
		}
		select {
		case p, ok := <-s.trees:
			if !r.consume(s, p, ok) {
				return trees
			}
			trees = append(trees, p.tree)
		case s.reply = <-s.queries:
		case <-timeout:
			return trees
		case <-ctx.Done():
			return trees
		}
	}
	return trees
}

// consume registers a proposal received from s. It returns ok, which is false if s is exhausted.
func (r *run) consume(s *source, p proposal, ok bool) bool {
	s.done = !ok
	if s == r.evolving {
		r.bred = p.bred
		if s.done {
			r.bred = r.genetic.Load()
		}
	}
	return ok
}

// batchSize is the number of trees that are fitted at a time.
const batchSize = 128

// replySettled replies to the query of a Proposer that may search deeper, once all its proposals
// are scored.
func (r *run) replySettled() {
	if r.queries == nil || r.search != nil && len(r.search.trees) > 0 {
		return
	}
	select {
	case reply := <-r.queries:
		reply <- r.settled()
	default:
	}
}

// wait sleeps briefly while no source has an expression ready.
func (r *run) wait(ctx context.Context) {
	r.report()
	select {
	case <-ctx.Done():
	case <-time.After(3 * time.Millisecond):
	}
}

// report calls Settings.Progress a few times a second.
func (r *run) report() {
	if r.s.Progress == nil || time.Since(r.reported) < 150*time.Millisecond {
		return
	}
	r.reported = time.Now()
	p := Progress{Evaluations: r.evaluations(), Elapsed: r.s.Clock.Since(r.start)}
	if s := r.stage.Load(); s != nil {
		p.Stage = *s
	}
	if r.s.Time > 0 {
		p.Left = max(0, r.s.Time-p.Elapsed)
	}
	if b := r.j.best(); b != nil {
		if b != r.shownOf {
			r.shown, r.shownOf = r.toLaw(b), b
		}
		p.Best = r.shown
	}
	r.s.Progress(p)
}

// evaluations returns the number of candidates evaluated so far.
func (r *run) evaluations() int64 { return r.candidates() + r.bredSoFar() + r.elsewhere }

// candidates returns the number of candidates evaluated so far, except those that the genetic
// Proposer had evaluated itself.
func (r *run) candidates() int64 {
	if r.evolving == nil {
		return r.j.count
	}
	return r.j.count - r.evolving.consumed
}

// bredSoFar returns the number of trees that the genetic Proposer has evaluated. With a budget of
// evaluations it counts up to the last expression consumed, so that equal runs are equal.
func (r *run) bredSoFar() int64 {
	if r.s.Evaluations > 0 {
		return r.bred
	}
	return r.genetic.Load()
}
