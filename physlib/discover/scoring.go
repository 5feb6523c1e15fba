package discover

import (
	"slices"

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
