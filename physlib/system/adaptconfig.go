package system

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/spelling"
)

// AdaptConfig holds the settings with which a system is adapted to a table, see package adapt. They
// are those of PhysDiffuse §8, PhysMDT §6, PARR §4 and ARChitects §4, and some of this project.
// Zero values mean the defaults given below, except for Rank and Steps.
type AdaptConfig struct {
	Rank  int     `yaml:"rank"`  // rank r of the low-rank adapters
	Alpha float64 `yaml:"alpha"` // α; the adapters are scaled by α/r; 0: α = r
	Part  string  `yaml:"part"`  // part with adapters: encoder or decoder; "": the whole network
	// Targets are the names of the adapted layers, such as query, key, value, output. An empty list
	// means every linear layer.
	Targets []string `yaml:"targets"`

	// Objective is weighted, pseudo or self-consistency, see package adapt. "" means weighted.
	Objective string `yaml:"objective"`
	// Number of laws drawn from which targets are chosen; 0: 64.
	Candidates int `yaml:"candidates"`
	// Refine is the number of refinement steps for each candidate. 0 means the number in the
	// preset's key refine.
	Refine int `yaml:"refine"`
	// Refresh is the number of steps between choices of new targets. 0 means 1 for pseudo, 8 for
	// self-consistency, and never for weighted.
	Refresh int `yaml:"refresh"`
	// Sharpness is used by the objective weighted: a target has the weight (relative
	// error)^-Sharpness. 0 means 1.
	Sharpness float64 `yaml:"sharpness"`
	// Quantile is used by the objective self-consistency, which learns from the laws whose reward
	// is above this quantile. 0 means 0.8.
	Quantile float64 `yaml:"quantile"`

	// How tables are augmented: physdiffuse, physmdt, parr or none; "": physdiffuse.
	Augment string `yaml:"augment"`
	// Augmentations is the number of different augmentations. 0 means a new one each time.
	Augmentations int     `yaml:"augmentations"`
	MaskMin       float64 `yaml:"mask_min"` // smallest share of masked tokens
	MaskMax       float64 `yaml:"mask_max"` // largest share of masked tokens; 0: 1

	Steps    int     `yaml:"steps"`
	Batch    int     `yaml:"batch"`    // number of augmented tables in a step; 0: 16
	LR       float64 `yaml:"lr"`       // learning rate; 0: 1e-4
	Schedule string  `yaml:"schedule"` // constant or cosine; "": constant
	// Decay is the decoupled weight decay of the adapters (AdamW); 0 means none.
	Decay float64 `yaml:"weight_decay"`
	// Time limits learning; 0 means no limit. If the limit ends learning, equal seeds need not give
	// equal laws.
	Time time.Duration `yaml:"time"`

	// EarlyStop is the number of checks without progress after which learning ends. There is a
	// check every 8 steps. 0 means no checks.
	EarlyStop int `yaml:"early_stop"`
	Restarts  int `yaml:"restarts"` // adaptations from different initial adapters; 0: 1
	// Top is 2 to propose only the most frequent and the best fitting law (PARR §4.3). 0 proposes
	// all.
	Top  int   `yaml:"top"`
	Seed int64 `yaml:"seed"`
}

// Check returns an error if a setting of a is invalid. A Rank or Steps of 0 is accepted, since a
// preset may leave them out, but a system cannot be adapted with it.
func (a AdaptConfig) Check() error {
	var errs []error
	one := func(key, value string, names []string) {
		if value != "" && !slices.Contains(names, value) {
			errs = append(errs, fmt.Errorf("adapt.%s: no %q; did you mean %s? There are %s", key, value, spelling.Closest(value, names), strings.Join(names, ", ")))
		}
	}
	one("objective", a.Objective, adaptObjectives)
	one("augment", a.Augment, adaptAugments)
	one("schedule", a.Schedule, adaptSchedules)
	one("part", a.Part, adaptParts)
	for key, v := range map[string]float64{"rank": float64(a.Rank), "alpha": a.Alpha, "candidates": float64(a.Candidates), "refine": float64(a.Refine),
		"refresh": float64(a.Refresh), "sharpness": a.Sharpness, "augmentations": float64(a.Augmentations), "steps": float64(a.Steps),
		"batch": float64(a.Batch), "lr": a.LR, "weight_decay": a.Decay, "time": float64(a.Time), "early_stop": float64(a.EarlyStop),
		"restarts": float64(a.Restarts)} {
		if !(v >= 0) || math.IsInf(v, 1) {
			errs = append(errs, fmt.Errorf("adapt.%s: is %v, may not be negative", key, v))
		}
	}
	if !(a.Quantile >= 0 && a.Quantile < 1) {
		errs = append(errs, fmt.Errorf("adapt.quantile: is %v, must be at least 0 and below 1", a.Quantile))
	}
	if high := cmp.Or(a.MaskMax, 1); !(a.MaskMin >= 0 && a.MaskMin <= high && high <= 1) {
		errs = append(errs, fmt.Errorf("adapt.mask_min, mask_max: %v to %v is not a range within 0 to 1", a.MaskMin, high))
	}
	if a.Top != 0 && a.Top != 2 {
		errs = append(errs, fmt.Errorf("adapt.top: is %d, must be 0 or 2", a.Top))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// Allowed values in AdaptConfig.
var (
	adaptObjectives = []string{"weighted", "pseudo", "self-consistency"}
	adaptAugments   = []string{"physdiffuse", "physmdt", "parr", "none"}
	adaptSchedules  = []string{"constant", "cosine"}
	adaptParts      = []string{"encoder", "decoder"}
)
