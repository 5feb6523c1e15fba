package discover

import (
	"context"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/mdl"
)

// Scoring returns t prepared for scoring laws under the error model of the settings. The standard
// errors of t's target come before those of Settings.Noise.
func (s Settings) Scoring(t *dataset.Table, prior mdl.Prior) *mdl.Table {
	m := mdl.New(t, prior, !s.NoUnits)
	if s.Noise.Known && t.Sigma == nil {
		m.Sigma = slices.Repeat([]float64{s.Noise.Sigma}, t.Rows())
	}
	if model, ok := mdl.ErrorsNamed(string(s.Errors)); ok {
		m.Models = []mdl.Errors{model}
	}
	return m
}

// Deadlines returns contexts for the comparison of laws in a run that began at a time: within ends
// with Settings.Time, and late a tenth of it and a second later. Until then the chosen laws may be
// fitted to all rows. Without a limit of time both are ctx. The caller calls cancel in the end.
func (s Settings) Deadlines(ctx context.Context, began time.Time) (within, late context.Context, cancel func()) {
	if s.Time <= 0 {
		return ctx, ctx, func() {}
	}
	within, cancelWithin := s.Clock.WithDeadline(ctx, began.Add(s.Time))
	late, cancelLate := s.Clock.WithDeadline(ctx, began.Add(s.Time+s.Time/10+grace))
	return within, late, func() { cancelWithin(); cancelLate() }
}

// grace is how much longer than its time, and a tenth of that, a run may take to fit the chosen laws
// to all rows.
const grace = time.Second
