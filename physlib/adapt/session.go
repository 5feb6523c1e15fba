package adapt

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/vec"
)

// session is one adaptation to one problem.
type session struct {
	*Adapter
	p       *dataset.Problem
	table   stream.Problem // the table for the network, without rows with missing values
	columns []int          // the indices in p.Vars of the table's columns
	seed    uint64
	began   time.Time

	judge   *judge
	given   []expr.Tree
	known   map[uint64]*Candidate // all candidates so far, by the hash of the law
	order   []*Candidate          // the candidates of known, in order of appearance
	initial int                   // number of candidates that the system proposed before adaptation
	targets []*Candidate          // the current targets, with their weights
	pseudo  []example             // the current targets if the objective is pseudo
	seq     int                   // bucket of the longest target so far
	best    float64               // mean reward of the latest result of elite
}

// example is a table with the tokens of its law.
type example struct {
	table stream.Problem
	ids   []int32
}

// start resets the adapters and draws the first candidates, which become the targets.
func (a *Adapter) start(ctx context.Context, p *dataset.Problem, laws []expr.Tree, restart int) (*session, error) {
	s, err := a.open(p, laws, restart)
	if err != nil || s.empty() || a.settings.Objective == Pseudo {
		return s, err
	}
	return s, s.refresh(ctx, 0)
}

// open resets the adapters and returns a session. It has no columns if there is nothing to learn
// from p.
func (a *Adapter) open(p *dataset.Problem, laws []expr.Tree, restart int) (*session, error) {
	s := &session{Adapter: a, p: p, seed: a.seed() + uint64(p.Seed)<<20 + uint64(restart), began: time.Now(), given: laws, known: map[uint64]*Candidate{}}
	if err := a.learner.reset(s.seed); err != nil {
		return nil, err
	}
	table, columns, err := a.t.Table(p)
	if err != nil {
		return nil, err
	}
	j, ok := newJudge(p)
	if !ok || len(columns) == 0 {
		return s, nil
	}
	s.judge, s.columns = j, columns
	s.table = stream.WithRows(stream.Problem{X: table.X, Y: table.Y, Dims: table.Dims, Target: table.Target, Units: table.Units}, p.FiniteRows(len(p.Target.Values)))
	return s, nil
}

// empty reports whether there is nothing to learn from.
func (s *session) empty() bool { return len(s.columns) == 0 }

// seen returns a problem as the network sees it.
func seen(p stream.Problem) *features.Table {
	return &features.Table{X: p.X, Y: p.Y, Dims: p.Dims, Target: p.Target, Units: p.Units}
}

// refresh chooses the targets of the next steps. If ctx ends, it returns early.
func (s *session) refresh(ctx context.Context, step int) error {
	if s.settings.Objective == Pseudo {
		return s.generate(ctx, step)
	}
	drawn, err := s.draw(ctx, step)
	if err != nil {
		return err
	}
	if s.settings.Objective == SelfConsistency {
		s.best = elite(drawn, s.settings.Quantile)
	} else {
		byFit(drawn, s.settings.Sharpness)
	}
	s.targets = drawn
	s.normalize()
	return nil
}

// draw adds candidates that the system proposes for the table, and the laws of other proposers. It
// returns the candidates of this draw, whose Visits count this draw alone.
func (s *session) draw(ctx context.Context, step int) (drawn []*Candidate, err error) {
	s.forget()
	for d, err := range s.t.Draw(ctx, []*features.Table{seen(s.table)}, s.settings.Candidates, s.settings.Refine, min(step, 1), s.seed^uint64(step)<<32) {
		if err != nil {
			return nil, err
		}
		if law, ok := s.t.Law(d.IDs, s.columns); ok && s.p.Allows(law) {
			s.visit(law)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if step == 0 {
		s.initial = len(s.order)
	}
	for _, law := range s.given {
		s.visit(law)
	}
	for _, c := range s.order {
		if c.Visits > 0 {
			drawn = append(drawn, c)
		}
	}
	return drawn, nil
}

// forget sets all visits to zero.
func (s *session) forget() {
	for _, c := range s.order {
		c.Visits = 0
	}
}

// visit counts a visit of a law. If the law is new, it is fitted first.
func (s *session) visit(law expr.Tree) *Candidate {
	c := s.known[law.Hash()]
	if c == nil {
		fitted := s.judge.fit(law)
		c = &fitted
		if vec.Finite(c.R2) {
			c.aim(s.p, s.columns)
		}
		if c.target.Len() > 0 {
			if ids, ok := s.t.Tokens(c.target); ok {
				c.tokens = len(ids)
			} else {
				c.target = expr.Tree{}
			}
		}
		s.known[law.Hash()] = c
		s.order = append(s.order, c)
	}
	c.Visits++
	return c
}

// byFit sets the weights of candidates to (e + 10⁻³)^-sharpness.
func byFit(list []*Candidate, sharpness float64) {
	for _, c := range list {
		c.Weight = math.Pow(c.Error()+1e-3, -sharpness)
	}
}

// elite sets the weights of candidates to visits·(R - R_q + 10⁻⁶), where R_q is the quantile q of
// the rewards R of all visits. Candidates with R < R_q have weight 0. The 10⁻⁶ gives candidates a
// weight if all rewards are equal. elite returns the mean reward of the candidates at or above R_q.
func elite(list []*Candidate, q float64) (mean float64) {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b *Candidate) int { return cmp.Compare(a.reward(), b.reward()) })
	visits := 0
	for _, c := range sorted {
		visits += c.Visits
	}
	threshold, below := 0.0, 0
	for _, c := range sorted {
		threshold = c.reward()
		if below += c.Visits; float64(below) > q*float64(visits) {
			break
		}
	}
	sum, n := 0.0, 0
	for _, c := range list {
		c.Weight = 0
		if r := c.reward(); r >= threshold {
			c.Weight = float64(c.Visits) * (r - threshold + 1e-6)
			sum += float64(c.Visits) * r
			n += c.Visits
		}
	}
	return sum / float64(max(n, 1))
}

// normalize keeps the targets that the network can express, and scales their weights to sum to 1.
func (s *session) normalize() {
	s.targets = slices.DeleteFunc(slices.Clone(s.targets), func(c *Candidate) bool { return c.target.Len() == 0 || !(c.Weight > 0) })
	sum := 0.0
	for _, c := range s.targets {
		sum += c.Weight
		s.seq = max(s.seq, s.t.Bucket(c.tokens))
	}
	for _, c := range s.targets {
		c.Weight /= sum
	}
}

// generate makes the targets of the objective pseudo: augmented tables, each with the tokens that
// the system generates for it now.
func (s *session) generate(ctx context.Context, step int) error {
	s.pseudo = s.pseudo[:0]
	var tables []*features.Table
	rng := s.rng(1, step)
	for range s.settings.Batch {
		q := s.augment(s.table, rng)
		s.pseudo = append(s.pseudo, example{table: q})
		tables = append(tables, seen(q))
	}
	for d, err := range s.t.Draw(ctx, tables, len(tables), s.settings.Refine, 0, s.seed^uint64(step)<<32) {
		if err != nil {
			return err
		}
		s.pseudo[d.Table].ids = d.IDs
		s.seq = max(s.seq, s.t.Bucket(len(d.IDs)))
	}
	s.pseudo = slices.DeleteFunc(s.pseudo, func(e example) bool { return e.ids == nil })
	return nil
}

// rng returns the random source for a purpose at a step.
func (s *session) rng(purpose uint64, step int) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, purpose<<32+uint64(step)))
}

// augment returns an augmented copy of p, with its law changed accordingly.
func (s *session) augment(p stream.Problem, rng *rand.Rand) stream.Problem {
	if n := s.settings.Augmentations; n > 0 {
		rng = rand.New(rand.NewPCG(s.seed, 2<<32+rng.Uint64N(uint64(n))))
	}
	switch s.settings.Augment {
	case "physdiffuse":
		return stream.AugmentPhysDiffuse(p, rng)
	case "physmdt":
		return stream.AugmentPhysMDT(p, rng)
	case "parr":
		return stream.AugmentPARR(p, rng)
	}
	return p
}

// batch returns the tensors of a step, or nil if there is nothing to learn.
func (s *session) batch(rng *rand.Rand) []*tensors.Tensor {
	var tables []stream.Problem
	var ids [][]int32
	if s.settings.Objective == Pseudo {
		for i := range min(s.settings.Batch, len(s.pseudo)*s.settings.Batch) {
			e := s.pseudo[i%len(s.pseudo)]
			tables, ids = append(tables, e.table), append(ids, e.ids)
		}
	} else if len(s.targets) > 0 {
		for range s.settings.Batch {
			e := s.example(rng)
			tables, ids = append(tables, e.table), append(ids, e.ids)
		}
	}
	if len(tables) == 0 {
		return nil
	}
	return s.t.Batch(tables, ids, s.seq, rng)
}

// example draws a target by its weight, and an augmented table for it. If the augmented law is too
// long, example returns the table unchanged.
func (s *session) example(rng *rand.Rand) example {
	c, u := s.targets[len(s.targets)-1], rng.Float64()
	for _, t := range s.targets {
		if u -= t.Weight; u < 0 {
			c = t
			break
		}
	}
	p := s.table
	p.Law, p.Scale = c.target, c.scale
	if q := s.augment(p, rng); q.Law.Len() > 0 {
		if ids, ok := s.t.Tokens(q.Law); ok && len(ids) <= s.seq {
			return example{q, ids}
		}
	}
	ids, _ := s.t.Tokens(c.target)
	return example{p, ids}
}

// learn trains the adapters until all steps are made, the time is over, or there is no progress.
func (s *session) learn(ctx context.Context) (r Report, err error) {
	defer func() {
		r.Elapsed = time.Since(s.began)
		for _, c := range s.targets {
			r.Targets = append(r.Targets, *c)
		}
	}()
	if s.empty() {
		r.Stopped = "nothing to learn"
		return r, nil
	}
	w := watch{patience: s.settings.EarlyStop}
	for r.Stopped = "steps"; r.Steps < s.settings.Steps; {
		switch {
		case ctx.Err() != nil:
			r.Stopped = "interrupted"
			return r, nil
		case s.settings.Time > 0 && time.Since(s.began) > s.settings.Time:
			r.Stopped = "time"
			return r, nil
		}
		if n := s.settings.Refresh; n > 0 && r.Steps%n == 0 && (r.Steps > 0 || s.settings.Objective == Pseudo) {
			err := s.refresh(ctx, r.Steps)
			if ctx.Err() != nil {
				continue
			} else if err != nil {
				return r, err
			}
		}
		batch := s.batch(s.rng(3, r.Steps))
		if batch == nil {
			r.Stopped = "nothing to learn"
			return r, nil
		}
		loss, err := s.learner.step(newHostInputs(r.Steps, rate(s.settings, r.Steps)), batch)
		if err != nil {
			return r, fmt.Errorf("step %d: %w", r.Steps, err)
		}
		r.Steps++
		r.Losses = append(r.Losses, loss)
		if stop, err := s.check(&w, &r); err != nil {
			return r, err
		} else if stop {
			r.Stopped = "early"
			return r, nil
		}
	}
	return r, nil
}

// watch detects when learning makes no more progress.
type watch struct {
	patience, since int
	least           float64
	adapters        [][]float32 // adapters at the check with the smallest measure, see check
}

// check decides every few steps whether learning still makes progress. It uses a measure that
// should fall. By default the measure is the loss on held-out augmentations of the same targets.
// For self-consistency it is one minus the mean reward of the elite, and for pseudo the mean loss
// of the last steps. After several checks without progress (EarlyStop), check restores the adapters
// of the best check and returns true.
func (s *session) check(w *watch, r *Report) (stop bool, err error) {
	if w.patience == 0 || r.Steps%checkEvery != 0 {
		return false, nil
	}
	var value float64
	switch s.settings.Objective {
	case Pseudo:
		for _, l := range r.Losses[r.Steps-checkEvery:] {
			value += l / checkEvery
		}
	case SelfConsistency:
		value = 1 - s.best
	default:
		if value, err = s.learner.step(hostInputs{}, s.batch(s.rng(4, 0))); err != nil {
			return false, err
		}
	}
	if w.adapters == nil || value < 0.99*w.least {
		w.least, w.since = value, 0
		w.adapters, err = s.learner.snapshot()
		return false, err
	}
	if w.since++; w.since < w.patience {
		return false, nil
	}
	return true, s.learner.restore(w.adapters)
}
