package adapt

import (
	"cmp"
	"math"

	"github.com/physlib/lab/physlib/system"
)

// Settings are the options of an adaptation (PhysDiffuse §8, PhysMDT §6, PARR §4, ARChitects §4).
// Presets have them under the key adapt.
type Settings = system.AdaptConfig

// Values of Settings.Objective: from where the target laws of a step come. The package comment
// describes them.
const (
	Weighted        = "weighted"
	Pseudo          = "pseudo"
	SelfConsistency = "self-consistency"
)

// checkEvery is the number of steps between two checks for early stopping.
const checkEvery = 8

func withDefaults(s Settings) Settings {
	s.Objective = cmp.Or(s.Objective, Weighted)
	s.Candidates = cmp.Or(s.Candidates, 64)
	s.Sharpness = cmp.Or(s.Sharpness, 1)
	s.Quantile = cmp.Or(s.Quantile, 0.8)
	s.Augment = cmp.Or(s.Augment, "physdiffuse")
	s.Batch = cmp.Or(s.Batch, 16)
	s.LR = cmp.Or(s.LR, 1e-4)
	s.Restarts = cmp.Or(s.Restarts, 1)
	if s.Refresh == 0 {
		s.Refresh = map[string]int{Pseudo: 1, SelfConsistency: 8}[s.Objective]
	}
	return s
}

// rate returns the learning rate of a step, counted from 0. The rate is LR. With the cosine
// schedule it is LR·(1 + cos πp)/2, where p is the fraction of steps done.
func rate(s Settings, step int) float64 {
	if s.Schedule == "cosine" {
		return s.LR * (1 + math.Cos(math.Pi*float64(step)/float64(s.Steps))) / 2
	}
	return s.LR
}
