package discover

import (
	"context"
	"slices"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/mdl"
)

// Scoring returns t prepared for scoring laws under the error model of the settings. Standard
// errors given in t take precedence over Settings.Noise.
func (s Settings) Scoring(t *dataset.Table, prior mdl.Prior) *mdl.Data {
	m := mdl.New(t, prior, !s.NoUnits)
	known, _ := s.withNoise(t)
	m.Sigma = known.Sigma
	if model, ok := mdl.ErrorsByName(string(s.Errors)); ok {
		m.Models = []mdl.Errors{model}
	}
	return m
}

// withNoise returns t with Settings.Noise, if it is known, as the standard error of each row, and
// the settings without it. It changes nothing if t has standard errors.
func (s Settings) withNoise(t *dataset.Table) (*dataset.Table, Settings) {
	if t.Sigma == nil && s.Noise.Known {
		t = withSigma(t, slices.Repeat([]float64{s.Noise.Sigma}, t.Rows()))
		s.Noise = Noise{}
	}
	return t, s
}

// Deadlines returns two contexts for the comparison of laws in a run that started at began. The
// first, `within`, ends when Settings.Time is over. The second, `late`, ends later, by a tenth of
// Settings.Time plus one second. Until it ends, the chosen laws may be fitted to all rows. Without
// a time limit, both contexts are ctx. The caller must call cancel in the end.
func (s Settings) Deadlines(ctx context.Context, began time.Time) (within, late context.Context, cancel func()) {
	if s.Time <= 0 {
		return ctx, ctx, func() {}
	}
	within, cancelWithin := s.Clock.WithDeadline(ctx, began.Add(s.Time))
	late, cancelLate := s.Clock.WithDeadline(ctx, began.Add(s.Time+s.Time/10+grace))
	return within, late, func() { cancelWithin(); cancelLate() }
}

// grace is the time by which a comparison with Deadlines may exceed 1.1 times its time limit. The
// rule for Discover is budget.rankingContext.
const grace = time.Second
