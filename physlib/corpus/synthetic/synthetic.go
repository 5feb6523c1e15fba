// Package synthetic draws small tables of measurements whose law is known. They are as people have
// them: few rows, on a grid or not, errors of several kinds, rounded values. They measure how often
// a search that is so sure is right, on tables that nobody has looked at.
//
// # Laws
//
// [Draw] takes 60 % of the laws from the catalogue of package corpus and 30 % from the random ones
// of package corpus/stream. The other tables are noise alone. Of a law of the catalogue all
// variables vary, or one or two of them. The others and its parameters are drawn from their ranges
// and become constants, which the table does not show.
//
// # Tables
//
// 6 to 60 rows, small numbers more often. Inputs cover a part of their range as a grid, a
// logarithmic grid, with repeats, or at random, and are rounded. Errors are equal, proportional,
// those of counts, heavy-tailed or of rounding only. Their size is 0.1 to 10 % of the target, which
// is rounded to 2 to 5 digits. Some tables have units, an offset of the target, a column that does
// not matter, or a known standard error of the target.
//
// A table in which a law, or a column of it, has no effect above the errors is drawn again.
//
// # Accepted form
//
// [Table.Form] is the law with a free overall factor and free numbers, except exponents and ones,
// as far as a fit can distinguish them. So 1/2*m*v**2 is c0*m*v**2.
package synthetic

import (
	"fmt"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
)

// Table is a table whose law is known.
type Table struct {
	Data *dataset.Table

	Law    string    // its name in the catalogue, or the law itself
	Field  string    // of the catalogue; Random or Noise
	Truth  string    // the law with its numbers, over the columns; "" where there is none
	Form   string    // the law with free constants c0, c1, …; "" where there is none
	Start  []float64 // constants of Form that give Truth
	Sigma  []float64 // standard deviation of each target value from Truth, rounding included
	Errors string    // EqualErrors, …
	Level  float64   // size of the errors relative to the target; 0 where it is rounding or counting
	Design string    // how the inputs were chosen: "grid", …; of noise its kind: "units", …

	Offset, Extra bool // the target has an offset; a column does not matter
}

// Fields of tables whose law is none of the catalogue.
const (
	Random = "random law" // of package stream
	Noise  = "noise"      // no law
)

// Kinds of errors.
const (
	EqualErrors        = "equal"
	ProportionalErrors = "proportional"
	CountingErrors     = "counting"
	HeavyErrors        = "heavy"
	RoundingErrors     = "rounding"
)

// Shares of the tables.
const (
	noiseShare  = 0.1
	randomShare = 0.3
)

// attempts is how often a table is drawn before the next law, and how many laws are drawn.
const (
	attempts = 12
	tries    = 400
)

// Draw returns table index of the sequence seed: a pure function of both.
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

// NoiseTable returns table index of noise of the sequence seed. The kinds alternate: with units,
// wide, heavy-tailed, counts, rounded, repeated inputs, a constant plus noise, and others.
func NoiseTable(seed, index uint64) Table {
	d := drawer{rand.New(rand.NewPCG(seed^0x0015e, index))}
	return d.noise(int(index%uint64(len(noises))), fmt.Sprintf("noise-%d-%d", seed, index))
}

// drawer draws from one source of random numbers.
type drawer struct{ *rand.Rand }

// chance reports true with probability p.
func (d drawer) chance(p float64) bool { return d.Float64() < p }

// pick returns an index by weights.
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

// between returns uniform, or uniform in the logarithm.
func (d drawer) between(low, high float64, log bool) float64 {
	u := d.Float64()
	if log {
		return low * pow(high/low, u)
	}
	return low + (high-low)*u
}

// rows returns a number of rows, small ones more often.
func (d drawer) rows(least, most int) int {
	u := pow(d.Float64(), 1.4)
	return max(least, min(most, int(6*pow(10, u)+0.5)))
}
