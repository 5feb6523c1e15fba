package adapt

import (
	"context"
	"iter"
	"math/rand/v2"
	"sync"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
)

// Proposer is a discover.Proposer that adapts System to each problem before it proposes. It also
// proposes those candidates of the unadapted system that served as targets, so adaptation loses no
// law. It handles one problem at a time.
type Proposer struct {
	System   *system.System
	Settings Settings

	// Laws returns the laws of the archive in the variables of the problem. These laws become
	// targets, like the system's own candidates. Laws is called when a problem begins. If it is
	// nil, there are no such laws.
	Laws func() []expr.Tree

	mu      sync.Mutex
	adapter *Adapter
}

// Name returns the name of the system with the suffix +adapt.
func (p *Proposer) Name() string { return p.System.Name() + "+adapt" }

// Propose yields laws for problem until ctx ends or there are no more.
func (p *Proposer) Propose(ctx context.Context, problem *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if p.adapter == nil {
			a, err := New(p.System, p.Settings)
			if err != nil {
				yield(expr.Tree{}, err)
				return
			}
			p.adapter = a
		}
		var laws []expr.Tree
		if p.Laws != nil {
			laws = p.Laws()
		}
		p.adapter.proposals(ctx, problem, laws)(yield)
	}
}

// Close frees the adapted copy of the system.
func (p *Proposer) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.adapter != nil {
		p.adapter.Close()
		p.adapter = nil
	}
}

// proposals yields the laws of all restarts.
func (a *Adapter) proposals(ctx context.Context, p *dataset.Problem, laws []expr.Tree) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		defer a.learner.reset(a.seed())
		fail := func(err error) {
			err = a.failed(err)
			if ctx.Err() == nil {
				yield(expr.Tree{}, err)
			}
		}
		var all *session // the candidates from which Top chooses
		for restart := range a.settings.Restarts {
			s, err := a.start(ctx, p, laws, restart)
			if err != nil {
				fail(err)
				return
			}
			if a.settings.Top == 0 && restart == 0 {
				for _, c := range s.order[:s.initial] {
					if ctx.Err() != nil || !yield(c.Law, nil) {
						return
					}
				}
			}
			if p.Settled == nil || !p.Settled() {
				if _, err := s.learn(ctx); err != nil {
					fail(err)
					return
				}
			}
			last := restart == a.settings.Restarts-1
			switch {
			case a.settings.Top > 0 && !s.empty():
				if all == nil {
					all = s
					all.forget()
				}
				if err := all.drawViews(ctx, s.seed); err != nil {
					fail(err)
					return
				}
				if last && !yieldAll(ctx, Top(all.order), yield) {
					return
				}
			default:
				n := 0
				for law, err := range a.t.Propose(ctx, p) {
					if !yield(law, err) || err != nil {
						return
					}
					if n++; !last && n == a.t.Samples() {
						break
					}
				}
			}
		}
	}
}

func yieldAll(ctx context.Context, laws []expr.Tree, yield func(expr.Tree, error) bool) bool {
	for _, law := range laws {
		if ctx.Err() != nil || !yield(law, nil) {
			return false
		}
	}
	return true
}

// drawViews draws candidates for augmented views of the table (PARR §4.3). The first view is the
// table itself. Each other view has permuted columns and 80 to 100 % of the rows. Candidates are
// scored on all rows.
func (s *session) drawViews(ctx context.Context, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 5<<32))
	var tables []*features.Table
	var columns [][]int
	for i := range s.settings.Candidates {
		q, order := s.table, rng.Perm(len(s.columns))
		if i == 0 {
			order = identity(len(order))
		} else {
			q = stream.Subsample(stream.WithOrder(q, order), 0.8+0.2*rng.Float64(), rng)
		}
		place := make([]int, len(order))
		for k, from := range order {
			place[k] = s.columns[from]
		}
		tables, columns = append(tables, seen(q)), append(columns, place)
	}
	for d, err := range s.t.Draw(ctx, tables, len(tables), 0, 0, seed) {
		if err != nil {
			return err
		}
		if law, ok := s.t.Law(d.IDs, columns[d.Table]); ok && s.p.Allows(law) {
			s.visit(law)
		}
	}
	return nil
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Top returns the most frequent law and the law with the highest R² (PARR §4.3), or one law if they
// are the same. A tie in frequency goes to the law with the higher R².
func Top(candidates []*Candidate) []expr.Tree {
	var most, best *Candidate
	for _, c := range candidates {
		if best == nil || c.R2 > best.R2 {
			best = c
		}
		if most == nil || c.Visits > most.Visits || c.Visits == most.Visits && c.R2 > most.R2 {
			most = c
		}
	}
	switch {
	case best == nil:
		return nil
	case most == best:
		return []expr.Tree{best.Law}
	}
	return []expr.Tree{most.Law, best.Law}
}
