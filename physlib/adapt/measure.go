package adapt

import (
	"context"
	"fmt"
	"time"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/system"
)

// Row compares the system with and without adaptation by certain settings, over held-out laws. A
// law counts as found if its skeleton is among the candidates, and as fitted if a candidate has R²
// > 1 - 10⁻⁶.
type Row struct {
	Settings Settings
	Laws     int

	// Numbers of laws found and fitted by the first n candidates of the system without adapters.
	Found, Fitted int
	// Numbers of laws found and fitted after n more candidates of the system without adapters. This
	// is the alternative to adaptation, which also costs time.
	TwiceFound, TwiceFitted int
	// Numbers of laws found and fitted by n candidates of the adapted system instead.
	AdaptedFound, AdaptedFitted int
	// First and Last are the mean losses in the first and in the last quarter of the steps,
	// averaged over the laws.
	First, Last float64
	Steps       float64 // mean number of steps made
	// Seconds is the mean time of the steps, including the choice of new targets.
	Seconds float64
}

// Measure adapts sys to n held-out laws with each of the settings. The true laws are used only to
// count the results. progress, which may be nil, is called after each law with the number of laws
// done. If ctx ends, Measure returns its error with the rows so far.
func Measure(ctx context.Context, sys *system.System, all []Settings, n int, seed int64, progress func(done int, rows []Row)) ([]Row, error) {
	result := make([]Row, len(all))
	var adapters []*Adapter
	for i, s := range all {
		a, err := New(sys, s)
		if err != nil {
			return nil, err
		}
		defer a.Close()
		adapters = append(adapters, a)
		result[i].Settings = a.settings
	}
	if len(all) == 0 {
		return nil, nil
	}
	laws, err := adapters[0].t.Corpus(true)
	if err != nil {
		return nil, err
	}
	for k := range n {
		law := laws.Problem(uint64(seed), uint64(k))
		for i, a := range adapters {
			if err := a.measure(ctx, law, &result[i]); err != nil {
				return result, fmt.Errorf("law %d, %s: %w", k, law.Law, err)
			}
		}
		if progress != nil {
			progress(k+1, result)
		}
	}
	return result, ctx.Err()
}

// measure adapts to one law and adds the outcome to the means of row.
func (a *Adapter) measure(ctx context.Context, truth stream.Problem, row *Row) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := truth.Posed()
	s, err := a.start(ctx, p, nil, 0)
	if err != nil {
		return a.failed(err)
	}
	if s.judge == nil || len(s.columns) != len(p.Vars) {
		return nil // the target or a column is nearly constant
	}
	const more = 1 // seed of the second half of the candidates
	if a.settings.Objective == Pseudo {
		if _, err := s.draw(ctx, 0); err != nil {
			return a.failed(err)
		}
	}
	count := func(found, fitted *int) {
		f, r := s.has(truth)
		*found, *fitted = *found+f, *fitted+r
	}
	half := len(s.order)
	count(&row.Found, &row.Fitted)
	if _, err := s.draw(ctx, more); err != nil {
		return a.failed(err)
	}
	count(&row.TwiceFound, &row.TwiceFitted)
	s.cut(half)

	began := time.Now()
	r, err := s.learn(ctx)
	if err != nil {
		return a.failed(err)
	}
	seconds := time.Since(began).Seconds()
	s.cut(half) // candidates drawn during learning do not count
	if _, err := s.draw(ctx, more); err != nil {
		return a.failed(err)
	}
	count(&row.AdaptedFound, &row.AdaptedFitted)

	row.Laws++
	mean := func(m *float64, x float64) { *m += (x - *m) / float64(row.Laws) }
	mean(&row.Steps, float64(r.Steps))
	mean(&row.Seconds, seconds)
	if q := (len(r.Losses) + 3) / 4; q > 0 {
		mean(&row.First, average(r.Losses[:q]))
		mean(&row.Last, average(r.Losses[len(r.Losses)-q:]))
	}
	return a.learner.reset(a.seed())
}

// has returns 1 or 0 for two conditions: whether truth is among the candidates, and whether one of
// them fits.
func (s *session) has(truth stream.Problem) (found, fitted int) {
	for _, c := range s.order {
		if c.target.Len() > 0 && c.target.Hash() == truth.Law.Hash() {
			found = 1
		}
		if c.R2 > 1-1e-6 {
			fitted = 1
		}
	}
	return found, fitted
}

// cut removes all candidates except the first n.
func (s *session) cut(n int) {
	for h, c := range s.known {
		for _, later := range s.order[n:] {
			if c == later {
				delete(s.known, h)
			}
		}
	}
	s.order = s.order[:n]
}

func average(list []float64) (mean float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	return mean
}
