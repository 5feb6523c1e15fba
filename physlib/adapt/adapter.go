package adapt

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
)

// Adapter adapts a copy of a system to one problem after another. Its methods may be called from
// several goroutines; they wait for each other.
type Adapter struct {
	settings Settings
	t        system.Tunable

	mu      sync.Mutex
	learner *learner
}

// New copies sys and puts adapters into the copy. Settings without a rank or without steps are an
// error.
func New(sys *system.System, s Settings) (*Adapter, error) {
	if s.Steps == 0 {
		return nil, fmt.Errorf("adapt %s: no steps; give adapt.steps, 64 for instance", sys.Name())
	}
	t, err := sys.Tunable(s)
	if err != nil {
		return nil, fmt.Errorf("adapt %w", err)
	}
	s = withDefaults(s)
	l, err := newLearner(t, s.Decay)
	if err != nil {
		t.Close()
		return nil, fmt.Errorf("adapt %s: %w", sys.Name(), err)
	}
	a := &Adapter{settings: s, t: t, learner: l}
	return a, a.Reset()
}

// Report reports how an adaptation went.
type Report struct {
	Steps   int         // made
	Losses  []float64   // of each step, in nats: mean cross-entropy of a hidden token and what the preset adds for the length
	Targets []Candidate // the last ones learned from, weights summing to 1; none for pseudo
	Stopped string      // why it ended: steps, early, time, interrupted, nothing to learn
	Elapsed time.Duration
}

// Adapt resets the adapters and trains them on p. laws are those of other proposers, in the
// variables of p. With the objectives weighted and self-consistency they become targets alongside
// the system's own candidates. When ctx ends, learning ends within a step and keeps its adapters. A
// loss that is not finite is an error, after which the adapters are reset.
func (a *Adapter) Adapt(ctx context.Context, p *dataset.Problem, laws []expr.Tree) (Report, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, err := a.start(ctx, p, laws, 0)
	if ctx.Err() != nil {
		return Report{Stopped: "interrupted"}, a.learner.reset(a.seed())
	} else if err != nil {
		return Report{}, a.failed(err)
	}
	r, err := s.learn(ctx)
	return r, a.failed(err)
}

// failed resets the adapters after an error.
func (a *Adapter) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("adapt %s: %w", a.t.Name(), errors.Join(err, a.learner.reset(a.seed())))
}

// Propose yields laws of the adapted system, see system.System.Propose.
func (a *Adapter) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.t.Propose(ctx, p)(yield)
	}
}

// Reset undoes all adaptation: the outputs are those of the base.
func (a *Adapter) Reset() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.learner.reset(a.seed())
}

func (a *Adapter) seed() uint64 { return uint64(a.settings.Seed) }

// Close frees the copy. The system from which it was made goes on.
func (a *Adapter) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.learner.exec.Finalize()
	a.t.Close()
}
