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

// Adapter adapts a copy of a system to one problem after another, by the test-time training of the
// package comment. Its methods may be called from several goroutines; the calls run one after
// another.
type Adapter struct {
	settings Settings
	t        system.Tunable

	mu      sync.Mutex
	learner *learner
}

// New copies sys and puts low-rank adapters into the copy. It returns an error if s has no rank or
// no steps.
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

// Report describes an adaptation.
type Report struct {
	Steps int // number of steps made
	// Losses has the loss of each step, in nats: the mean cross-entropy of a masked token, plus the
	// length loss of the preset.
	Losses []float64
	// Targets are the last targets, with weights that sum to 1. The objective pseudo has none.
	Targets []Candidate
	Stopped string // reason why learning ended: steps, early, time, interrupted, nothing to learn
	Elapsed time.Duration
}

// Adapt resets the adapters and trains them on p. laws come from other proposers, in the variables
// of p. The objectives weighted and self-consistency use laws and the system's own candidates as
// targets. When ctx ends, learning stops within a step and keeps its adapters. If a loss is not
// finite, Adapt resets the adapters and returns an error.
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

// Propose yields laws of the adapted system in the same way as system.System.Propose.
func (a *Adapter) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.t.Propose(ctx, p)(yield)
	}
}

// Reset undoes all adaptation, so that the outputs are again those of the base system.
func (a *Adapter) Reset() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.learner.reset(a.seed())
}

func (a *Adapter) seed() uint64 { return uint64(a.settings.Seed) }

// Close frees the copy. The system from which the copy was made remains usable.
func (a *Adapter) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.learner.exec.Finalize()
	a.t.Close()
}
