package discover

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Discover finds the law behind t. When ctx ends, or the time is up, it returns the best so far and
// no error.
func Discover(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	start := s.Clock.Now()
	if done, err := s.complete(t); done != nil || err != nil {
		return done, err
	}
	if len(s.XSigma) > 0 {
		return blurred(ctx, t, s)
	}
	s.earlier = s.Resume
	if !s.AllRows {
		if out := s.suspects(t); out != nil {
			return contradicted(ctx, t, s, out, start)
		}
	}
	return searched(ctx, t, s, start)
}

// complete checks the settings and fills in defaults. It returns a result where there is
// nothing to search.
func (s *Settings) complete(t *dataset.Table) (done *Result, err error) {
	if t.Rows() < 2 {
		return nil, errors.New("discover: a law needs at least two rows")
	}
	if len(t.Vars) == 0 {
		return nil, errors.New("discover: the table has no column besides the target")
	}
	if v := t.Target.Values; slices.Max(v)-slices.Min(v) <= sameValue*floats.Norm(v, math.Inf(1)) {
		return &Result{Stopped: "exhausted", Verdict: "no law: " + t.Target.Name + " is the same in every row"}, nil
	}
	if _, err := s.chosen(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	if s.Time == 0 {
		s.Time = time.Minute
	}
	s.Resume = foremost(s.Resume)
	return nil, nil
}

// sameValue is how much of its size a target may vary by the rounding of calculations.
const sameValue = 1e-14

// searched is Discover with no row left out.
func searched(ctx context.Context, t *dataset.Table, s Settings, start time.Time) (*Result, error) {
	k := newRanking(t, s)
	k.resume(s.earlier)
	began := s.Clock.Now()
	joined, stop := k.surveyBeside(ctx, s)
	defer stop()
	var first *Result
	uneven := false
	ways := waysOf(t, s)
	for i, w := range ways {
		part := s
		part.NoUnits = s.NoUnits || w.noUnits
		if w.relative && i > 0 && t.Rows() >= 40 && !uneven {
			break
		}
		if s.Time > 0 {
			part.Time = share(s.Time-s.Clock.Since(began), len(ways)-i, t.Rows())
			if part.Time <= 0 && i > 0 {
				break
			}
			part.Time = max(1, part.Time)
		}
		if s.Evaluations > 0 {
			part.Evaluations = max(1, s.Evaluations/4) // what a survey tries and drops does not count
			if i == 0 {
				part.Evaluations = max(1, s.Evaluations-int64(len(ways)-1)*(s.Evaluations/4))
			}
		}
		r := discover(ctx, t, part, s.Clock.Now(), w.relative)
		exact := r.j.exact(r.j.best()) && !w.noUnits
		if exact && !r.j.best().rounded && len(s.Statements) == 0 && !k.rare {
			stop()
			res, err := r.finish(ctx, first, start)
			if err == nil {
				res.Known = k.named(res.Best)
			}
			return res, err
		}
		uneven = r.j.uneven()
		res, err := r.finish(ctx, first, start)
		if err != nil {
			return nil, err
		}
		first = res
		k.mu.Lock()
		for _, l := range res.Finalists {
			k.add(l.Tree.WithStarts(l.Params()), l.Proposer)
		}
		k.mu.Unlock()
		if exact || ctx.Err() != nil { // the rounding of the table may hide other laws
			break
		}
	}
	joined()
	if len(k.trees) == 0 && k.surveys(s) && !errors.Is(ctx.Err(), context.Canceled) {
		k.fitForms(context.WithoutCancel(ctx), s, leastForms)
	}
	first.Evaluations += k.tried
	late := s.timeIsUp(start)
	k.choose(context.WithoutCancel(ctx), func() bool { return ctx.Err() != nil || late() })
	k.fill(first)
	first.Verdict = k.verdict(first)
	first.Elapsed = s.Clock.Since(start)
	return first, nil
}

// share is the part of the time left that the next of some ways to search gets: equal parts in
// small tables, three quarters in others. In large tables the ranking needs the rest.
func share(left time.Duration, ways, rows int) time.Duration {
	if ways == 1 && rows <= largeRows || rows <= fewRows {
		return left / time.Duration(ways)
	}
	return left / 4 * 3
}

// surveyShare is the part of the time that a survey of forms may take.
const surveyShare = 0.85

// within is ctx that ends after a share of the time budget.
func (s Settings) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if s.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return s.Clock.WithTimeout(ctx, time.Duration(share*float64(s.Time)))
}

// timeIsUp returns a function that reports whether the time budget, which began at start, is used.
func (s Settings) timeIsUp(start time.Time) func() bool {
	return func() bool { return s.Evaluations == 0 && s.Time > 0 && s.Clock.Since(start) >= s.Time }
}

// way is a way to search a table: with units or without, with equal or with proportional errors.
type way struct{ noUnits, relative bool }

// fewRows is the number of rows up to which a table is searched without its units as well: units
// rule out forms whose constants carry units within functions, which the search with units finds
// late.
const fewRows = 400

// largeRows is the number of rows from which the ranking of laws takes a notable time.
const largeRows = 3000

// waysOf are the ways to search t.
func waysOf(t *dataset.Table, s Settings) []way {
	if s.Errors == ProportionalErrors && t.Sigma == nil && !s.Noise.Known && !slices.Contains(t.Target.Values, 0) {
		return []way{{false, true}}
	}
	ways := []way{{}}
	units := t.Target.HasUnit && !t.Target.Unit.Dim.IsZero()
	for _, c := range t.Vars {
		units = units || c.HasUnit && !c.Unit.Dim.IsZero()
	}
	if units && !s.NoUnits && t.Rows() <= fewRows {
		ways = append(ways, way{noUnits: true})
	}
	if s.Errors == AnyErrors && spread(t, s) {
		ways = append(ways, way{relative: true})
	}
	return ways
}

// finish is the result of r, with the counts and warnings of the searches of the same table before
// it; nil: it is the first.
func (r *run) finish(ctx context.Context, before *Result, start time.Time) (*Result, error) {
	r.start = start
	r.proposals = r.proposed(nil)
	if before != nil {
		for _, text := range before.Warnings {
			r.warn(text)
		}
		r.elsewhere = before.Evaluations
		for i, p := range before.Proposers {
			r.proposals[i].Laws += p.Laws
			if p.After >= 0 {
				r.proposals[i].After = p.After
			}
		}
	} else if err := r.failure(); err != nil {
		return nil, fmt.Errorf("discover: %w", err)
	}
	return r.result(ctx), nil
}

// spread reports whether the target covers so many decades, without given errors, that it must be
// asked whether its errors are equal or proportional to its size.
func spread(t *dataset.Table, s Settings) bool {
	if t.Sigma != nil || s.Noise.Known || t.Rows() > 5000 {
		return false
	}
	lo, hi := math.Inf(1), 0.0
	for _, y := range t.Target.Values {
		if y*t.Target.Values[0] <= 0 {
			return false
		}
		lo, hi = min(lo, math.Abs(y)), max(hi, math.Abs(y))
	}
	return hi > 30*lo
}

// discover lets the Proposers work on t until something ends it.
func discover(ctx context.Context, t *dataset.Table, s Settings, start time.Time, relative bool) *run {
	r := &run{s: s, t: t, start: start, relative: relative}
	if relative {
		u := *t
		u.Sigma = make([]float64, t.Rows())
		for i, y := range t.Target.Values {
			u.Sigma[i] = math.Abs(y)
		}
		r.t = &u
	}
	r.p = prepare(r.t, s)
	r.j = newJudge(r.p, s)
	r.j.relative(relative)
	for i, c := range r.t.Vars {
		switch c.Unit.Name {
		case "rad", "deg", "°", "arcmin", "arcsec", "mrad", "degree", "degrees", "radian", "radians":
			r.j.angle[i] = c.HasUnit
		}
	}
	if s.Evaluations == 0 {
		r.ask = make(chan chan bool)
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

// run is one call of Discover.
type run struct {
	faultsMu  sync.Mutex
	faults    []string // what stopped Proposers
	s         Settings
	t         *dataset.Table
	p         *dataset.Problem
	j         *judge
	start     time.Time
	told      time.Time
	stage     atomic.Pointer[string]
	stopped   string
	relative  bool         // errors are taken as proportional to the target
	elsewhere int64        // laws tried under another model of the errors
	last      int64        // evaluation at which the best law last improved
	genetic   atomic.Int64 // evaluations of the genetic Proposer
	lastGen   int64        // its count at the last improvement
	lastTime  time.Time    // of the last improvement
	quiet     time.Time    // when the built-in sources had nothing more to say
	front     law.Archive
	sources   []*source
	search    *source // of sources; nil: the search does not take part
	proposals []Proposed
	ask       chan chan bool // a Proposer wants to know whether the best law leaves noise
	white     bool
	whiteOf   *candidate
	shown     law.Law
	shownOf   *candidate
	digits    bool // what the best law leaves is the rounding of the table's digits
}

// batchSize is how many trees are fitted at a time.
const batchSize = 128

// loop lets the Proposers work side by side until one finds an exact law, nothing new comes, or ctx
// ends.
func (r *run) loop(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.ask != nil {
		r.p.Settled = func() bool {
			reply := make(chan bool, 1)
			select {
			case r.ask <- reply:
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
			s.taken += int64(len(trees))
			if len(trees) > 0 {
				progress = true
				before := r.j.best()
				if r.j.batch(trees, s) && r.simpler(before) {
					r.last, r.lastGen, r.lastTime = r.j.count, r.genetic.Load(), r.s.Clock.Now()
				}
				r.tell()
			}
			if r.stopped = r.over(ctx); r.stopped != "" {
				return
			}
		}
		r.answer()
		if !progress {
			r.wait(ctx)
			if r.stopped = r.over(ctx); r.stopped != "" {
				return
			}
		}
	}
}

// answer tells a Proposer that asks whether to go deeper, once all it proposed is judged.
func (r *run) answer() {
	if r.ask == nil || r.search != nil && len(r.search.trees) > 0 {
		return
	}
	select {
	case reply := <-r.ask:
		reply <- r.settled()
	default:
	}
}

// settled reports whether the best law leaves nothing but noise. One that breaks the units does not
// count: its numbers stand for constants with units, which a deeper search finds. Nor does a
// constant: a target that looks like noise may follow from its columns in a way that only a deeper
// search finds.
func (r *run) settled() bool {
	if b := r.j.best(); b != r.whiteOf {
		r.white, r.whiteOf = b != nil && len(b.tree.Vars()) > 0 && b.unitsOK && b.rms > leastNoise*r.j.screen.rms && r.j.white(b), b
	}
	return r.white
}

// leastNoise is the error relative to the target below which what is left is not taken for noise:
// approximations come as close.
const leastNoise = 3e-6

// settle is how many evaluations without a better law end a run.
const settle = 150_000

// fewSettle is how many evaluations tables of less than 40 rows get: more would find a law in any
// of them.
const fewSettle = 150_000

// evaluations is the number of laws tried so far.
func (r *run) evaluations() int64 { return r.j.count + r.genetic.Load() + r.elsewhere }

// take collects what a source has ready, up to a batch; with wait, or when evaluations are counted,
// it waits for a whole one.
func (r *run) take(ctx context.Context, s *source, wait bool) []expr.Tree {
	var trees []expr.Tree
	want := batchSize
	if r.s.Evaluations > 0 {
		want = int(min(int64(want), r.s.Evaluations-r.j.count))
		wait = true
	}
	idle := time.NewTimer(30 * time.Millisecond)
	defer idle.Stop()
	for len(trees) < want {
		select {
		case t, ok := <-s.trees:
			if !ok {
				s.done = true
				return trees
			}
			trees = append(trees, t)
			continue
		default:
		}
		if s.reply != nil { // all it sent before it asked is here, and is to be judged first
			if len(trees) > 0 {
				return trees
			}
			s.answer(r.j.laws())
		}
		select {
		case s.reply = <-s.asks:
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
		case t, ok := <-s.trees:
			if !ok {
				s.done = true
				return trees
			}
			trees = append(trees, t)
		case s.reply = <-s.asks:
		case <-timeout:
			return trees
		case <-ctx.Done():
			return trees
		}
	}
	return trees
}

// wait sleeps a little while no source has anything.
func (r *run) wait(ctx context.Context) {
	r.tell()
	select {
	case <-ctx.Done():
	case <-time.After(3 * time.Millisecond):
	}
}

// over tells why the run ends now, "" when it does not.
func (r *run) over(ctx context.Context) string {
	best, timed := r.j.best(), r.s.Evaluations == 0
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "time"
	case ctx.Err() != nil:
		return "interrupted"
	case !timed && r.j.count >= r.s.Evaluations:
		return "evaluations"
	case r.j.exact(best) && (r.search != nil && r.search.done || r.finished() || r.j.count-r.last > r.simplerLaws()),
		timed && r.j.exact(best) && r.s.Clock.Since(r.lastTime) > r.simplerTime(best):
		return "exact"
	case r.finished():
		return "exhausted"
	case timed && best != nil && best.bits < shortBits && r.j.count-r.last > shortLaws && r.settled() && r.heardEnough(),
		r.searched() && (r.settled() || timed && r.evolved()) && r.heardEnough():
		return "settled"
	}
	return ""
}

// A law of less than shortBits that leaves nothing but noise, and to which shortLaws further ones
// came second, ends a run: the search goes from short laws to long ones, so that what is still to
// come would have to explain noise to be worth its length.
const (
	shortBits = 25
	shortLaws = 2000
)

// heardEnough reports whether the extra sources have given what they think likeliest, or have had
// their time since the built-in ones have nothing more to say.
func (r *run) heardEnough() bool {
	if r.quiet.IsZero() {
		r.quiet = r.s.Clock.Now()
	}
	return r.heard() || r.s.Evaluations == 0 && r.s.Clock.Since(r.quiet) > extraPatience
}

// extraPatience is how long extra sources are waited for when all else has settled.
const extraPatience = 3 * time.Second

// simpler reports whether the best law is simpler than an exact one that was the best before; where
// that was none, it is what is looked for in any case. An exact law in other words may score a
// little better by what its constants cost.
func (r *run) simpler(before *candidate) bool {
	return !r.j.exact(before) || r.j.best().bits < before.bits
}

// simplerTime is for how long a simpler law than an exact one is looked for: as long as that one
// took, and at least two seconds, half of one for a law of few bits. One that came from an extra
// source, when the search has been at work for a while, gets no more.
func (r *run) simplerTime(exact *candidate) time.Duration {
	const few = 35
	least := 2 * time.Second
	if exact.bits < few {
		least /= 4
	}
	if r.isExtra(exact.by) {
		return least
	}
	return max(least, r.lastTime.Sub(r.start))
}

// simplerLaws is in how many further laws a simpler one than an exact law is looked for.
func (r *run) simplerLaws() int64 {
	switch {
	case r.s.simple:
		return 0
	case r.search == nil:
		return heardOut
	}
	return 3000
}

// evolved reports whether the genetic search has long found nothing better.
func (r *run) evolved() bool {
	n := r.genetic.Load()
	return n-r.lastGen > max(settle, r.lastGen) || n > fewSettle && r.t.Rows() < 40
}

// resume judges the laws of an earlier run first, until ctx ends; some are judged in any case.
func (r *run) resume(ctx context.Context) {
	for i, l := range r.s.Resume {
		if i >= fewResumed && ctx.Err() != nil {
			return
		}
		if t, ok := r.fromLaw(l); ok {
			r.j.batch([]expr.Tree{t}, &source{Named: Named{Name: l.Proposer}})
		}
	}
}

// tell reports progress a few times a second.
func (r *run) tell() {
	if r.s.Progress == nil || time.Since(r.told) < 150*time.Millisecond {
		return
	}
	r.told = time.Now()
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
