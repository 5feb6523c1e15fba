package synthetic

import (
	"fmt"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
)

// Table is a table whose law is known.
type Table struct {
	Data *dataset.Table

	Law    string    // name in the catalogue, or the law as text
	Field  string    // field of the catalogue; Random or Noise
	Truth  string    // the law with its numbers, in terms of the columns; "": none
	Form   string    // the law with free constants c0, c1, …; "": none
	Start  []float64 // values of the constants with which Form equals Truth
	Sigma  []float64 // standard deviation of each target value, rounding included
	Errors string    // kind of errors: EqualErrors, …
	// Standard deviation of the errors relative to the target; 0 for RoundingErrors and
	// CountingErrors.
	Level float64
	// How the inputs were chosen, such as "grid"; for noise its kind, such as "units".
	Design string

	Offset, Extra bool // whether the target has an offset; whether one column has no effect
}

// Values of Field for tables whose law is not from the catalogue.
const (
	Random = "random law" // a law of package stream
	Noise  = "noise"      // without a law
)

// Kinds of errors.
const (
	EqualErrors        = "equal"
	ProportionalErrors = "proportional"
	CountingErrors     = "counting"
	HeavyErrors        = "heavy"
	RoundingErrors     = "rounding"
)

// Shares of the kinds of laws.
const (
	noiseShare  = 0.1
	randomShare = 0.3
)

// Number of tables drawn for a law, and of laws drawn, before Draw gives up.
const (
	attempts = 12
	tries    = 400
)

// Draw returns table number index of the sequence seed. The result depends only on seed and index.
// Draw returns an error if no law has a visible effect.
func Draw(seed, index uint64) (Table, error) {
	rng := rand.New(rand.NewPCG(seed^0x5b1ec0de, index))
	d := drawer{rng}
	kind := rng.Float64()
	if kind < noiseShare {
		return d.noise(rng.IntN(len(noises)), fmt.Sprintf("noise-%d-%d", seed, index)), nil
	}
	for range tries {
		var l law
		var ok bool
		if kind < noiseShare+randomShare {
			l, ok = d.randomLaw()
		} else {
			l, ok = d.catalogueLaw()
		}
		if !ok {
			continue
		}
		for range attempts {
			if t, ok := d.table(l); ok {
				t.Data.Name = fmt.Sprintf("drawn-%d-%d", seed, index)
				return t, nil
			}
		}
	}
	return Table{}, fmt.Errorf("table %d of seed %d: no law with a visible effect in %d; choose another seed",
		index, seed, tries)
}

// NoiseTable returns the table of noise with number index in the sequence seed. The kinds
// alternate: with units, wide, heavy-tailed, counts, rounded, repeated inputs, a constant plus
// noise, and others.
func NoiseTable(seed, index uint64) Table {
	d := drawer{rand.New(rand.NewPCG(seed^0x0015e, index))}
	return d.noise(int(index%uint64(len(noises))), fmt.Sprintf("noise-%d-%d", seed, index))
}

// drawer draws from a source of random numbers.
type drawer struct{ *rand.Rand }

// chance reports true with probability p.
func (d drawer) chance(p float64) bool { return d.Float64() < p }

// pick returns a random index with probability proportional to its weight.
func (d drawer) pick(weights ...float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	u := d.Float64() * total
	for i, w := range weights {
		if u -= w; u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// between returns a random number in [low, high). It is uniform, or uniform in the logarithm if log
// is true.
func (d drawer) between(low, high float64, log bool) float64 {
	u := d.Float64()
	if log {
		return low * pow(high/low, u)
	}
	return low + (high-low)*u
}

// rows returns a random number of rows. Small numbers are more frequent.
func (d drawer) rows(least, most int) int {
	u := pow(d.Float64(), 1.4)
	return max(least, min(most, int(6*pow(10, u)+0.5)))
}
