package search

import (
	"context"
	"math"
	"sync"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/pursuit"
	"github.com/physlib/lab/physlib/search/view"
)

// session is one run of a Search.
type session struct {
	*Search
	ctx  context.Context
	p    *dataset.Problem
	emit func(expr.Tree) bool

	dropped map[int]bool // variables that are left out since the table has too many (view.Irrelevant)
	few     bool         // there are fewer than fewRows rows
	settled bool         // the residual of the best law is noise
	clean   bool         // a fitted polynomial shows that the data have no significant noise
	fits    *view.Noisy  // Gaussian processes, which show whether the target has errors
	// The problem reduced by the symmetries that a polynomial shows, and by those that Gaussian
	// processes show. Each is calculated at the first call.
	polynomial, process func() view.Reduction
	works               map[workKey]*work
}

// workKey identifies an enumeration of a session.
type workKey struct {
	view View
	pool poolKind
}

// work is a view of the problem with an enumeration of its expressions.
type work struct {
	*Search
	space   *view.Space
	pool    *dictionary.Pool
	allowed func(expr.Op) bool
	inexact bool   // features need not match the target exactly, since it has or may have errors
	freed   bool   // inner constants start from a grid and are then fitted (StartedJoins)
	extent  extent // sizes of the joins that run now
	yield   func(expr.Tree) bool
	addends *pursuit.Search // search for sums of many terms; nil: not prepared yet
	// If inexact, the least weighted residual sum of squares so far of a combination of at most
	// two features; +Inf if there is none yet; see worth.
	floor float64
}

// minRows is the least number of rows for offsets and relations. With fewer, an exact law that they
// find may be a coincidence.
const minRows = 20

// With fewer than fewRows rows, parts of depth 1 and more would find some law by chance, and so
// would Sums. These parts do not run then. The pool then has at most fewPool expressions.
const (
	fewRows = 12
	fewPool = 6000
)

func newSession(ctx context.Context, s *Search, p *dataset.Problem, emit func(expr.Tree) bool) *session {
	dropped := view.Irrelevant(p)
	n := &session{Search: s, ctx: ctx, p: p, emit: emit, dropped: dropped, fits: view.NewNoisy(p, dropped),
		few: len(p.Target.Values) < fewRows, works: map[workKey]*work{}}
	n.polynomial = sync.OnceValue(func() view.Reduction {
		s.report("symmetries")
		r := view.Reduce(ctx, p, dropped)
		n.clean = r.Clean
		return r
	})
	n.process = sync.OnceValue(func() view.Reduction {
		s.report("symmetries")
		return n.fits.Reduce(ctx)
	})
	return n
}

// run runs the parts in the order of the schedule until one finds an exact law or ctx ends.
func (s *session) run() {
	c := s.newSchedule()
	for first := true; s.ctx.Err() == nil; first = false {
		if c.unsure() {
			c.applyNoiseGuess(s.fits.HasErrors(s.ctx, s.laws()))
		}
		p, ok := c.next()
		if !ok {
			return
		}
		// Before the first part there is no law whose residual could be noise.
		if !first && s.p.Settled != nil && s.p.Noise != 0 { // Noise is NaN if unknown
			s.settled = s.p.Settled()
			c.knownNoisy = c.knownNoisy || s.settled // if settled, the residual of the best law is noise
		}
		if s.idle(p) {
			continue
		}
		c.ran(p)
		if w := s.work(p); w != nil && s.apply(w, p) {
			return
		}
		c.clean = c.clean || s.clean
	}
}

// laws returns the best laws so far.
func (s *session) laws() []expr.Tree {
	if s.p.Laws == nil {
		return nil
	}
	return s.p.Laws()
}

// applies reports whether p can find anything in the problem.
func (s *session) applies(p Part) bool {
	rows, noise := len(s.p.Target.Values), s.p.Noise
	// In a reduced view, Joins also run on noisy data: according to the ledger, they find laws
	// there.
	exact := p.Method.exact() && !(p.Method == Joins && p.View.reduced())
	switch {
	case p.View.Units() && !s.p.Units, p.View.reduced() && p.View.Units() != s.p.Units:
		return false
	case p.Method.IsJoin() && (s.Depth > 0 && p.Depth >= s.Depth || s.few && p.Depth > 0):
		return false
	case noise > 0 && exact, p.Method == NoisyJoins && noise == 0:
		return false
	case p.Method == Offsets, p.Method == Relations:
		return rows >= minRows
	case p.Method == Sums:
		return !s.few
	}
	return true
}

// idle reports whether p can find nothing more, according to what other parts have shown.
func (s *session) idle(p Part) bool {
	if s.clean && (p.Method.oscillates() || p.Method == NoisyJoins) {
		return true
	}
	if !s.settled {
		return false
	}
	switch {
	case p.Method.oscillates(), p.Method == Offsets, p.Method == Relations, p.View.reduced():
		return true
	// A decay or a saturation resembles many other functions. So the residual may be noise even if
	// the law found has the wrong function. StartedJoins still run, to find the right function.
	case p == Part{Variables, StartedJoins, 0} && len(s.p.Vars) == 1:
		return false
	case p.Method == StartedJoins && s.p.Units, p.View.Units() != s.p.Units, p.Method == Sums && p.Depth > 1:
		return true
	}
	return false
}

// work returns the view and the enumeration that p needs. It returns nil if there are fewer than
// three points or no variables, or if no product of the variables has the target's dimension. It
// also returns nil if p needs a reduced view and the data have no symmetries.
func (s *session) work(p Part) *work {
	key := workKey{p.View, p.Method.pool()}
	w, known := s.works[key]
	if !known {
		w = s.newWork(key)
		s.works[key] = w
	}
	return w
}

func (s *session) newWork(key workKey) *work {
	prob, drop, units := s.p, s.dropped, key.view.Units()
	w := &work{Search: s.Search, yield: s.emit, allowed: prob.AllowsOp, floor: math.Inf(1),
		inexact: key.pool == noisyPool || key.pool == startedPool && prob.Noise != 0, freed: key.pool == startedPool}
	if key.view.reduced() {
		rest := s.symmetries(key.pool)
		if !rest.Found {
			return nil
		}
		prob, drop, units = rest.Problem, rest.Drop, rest.Problem.Units
		w.yield = func(t expr.Tree) bool { return s.emit(rest.Restore(t)) }
	}
	w.space = view.NewSpace(prob, key.pool.points(units), units, drop)
	if w.space.Points() < 3 || len(w.space.X) == 0 || w.space.Origin == nil {
		return nil
	}
	w.pool = dictionary.NewPool(w.space, w.allowed, w.freed)
	return w
}

// writer returns a dictionary.Writer, which writes the expressions of w as trees.
func (w *work) writer() *dictionary.Writer {
	return &dictionary.Writer{Space: w.space, Pool: w.pool, Freed: w.freed}
}

// symmetries returns the problem reduced by its symmetries. Only the exact methods use the
// symmetries that a polynomial shows. A polynomial fitted to few rows may show symmetries that the
// law does not have. So with at most view.ProcessRows rows, exact methods prefer the symmetries
// that Gaussian processes show. They do not if the polynomial is very close to the target (Clean),
// or if the processes show no symmetries.
func (s *session) symmetries(pool poolKind) view.Reduction {
	if pool != exactPool {
		return s.process()
	}
	exact := s.polynomial()
	if exact.Clean || len(s.p.Target.Values) > view.ProcessRows {
		return exact
	}
	if r := s.process(); r.Found {
		return r
	}
	return exact
}

// apply runs the method of p on w and reports whether an exact law was found.
func (s *session) apply(w *work, p Part) (exact bool) {
	switch p.Method {
	case Simplest:
		return w.simplest()
	case Sums:
		return w.manyTerms(s.ctx, p.Depth)
	case Waves, DetrendedWaves:
		return w.waves(s.ctx, p.Method == DetrendedWaves)
	case Relations, Offsets:
		// Relations and Offsets use the expressions that joins of depth 0 enumerate.
		w.grow(s.ctx, 0)
		if p.Method == Offsets {
			return w.offsets(s.ctx)
		}
		return w.relations(s.ctx, p.Depth)
	}
	if s.settled && p.Depth > 0 {
		// outers[0] is the identity, so the joins search only for y itself.
		return w.joins(s.ctx, p.Depth, outers[:1])
	}
	return w.joins(s.ctx, p.Depth, outers)
}
