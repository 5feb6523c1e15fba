package synthetic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Range of the standard deviation of errors, relative to the target.
const leastLevel, mostLevel = 1e-3, 0.1

// measured holds the values of a law with errors.
type measured struct {
	y, sigma []float64
	kind     string
	level    float64
}

// measure adds errors of the given kind to the values f of a law. For CountingErrors, f must be in
// counts.
func (d drawer) measure(f []float64, kind string) measured {
	m := measured{y: make([]float64, len(f)), sigma: make([]float64, len(f)), kind: kind}
	m.level = d.between(leastLevel, mostLevel, true)
	size := floats.Norm(f, 1) / float64(len(f))
	proportional := kind == ProportionalErrors || kind == HeavyErrors && d.chance(0.3)
	student := distuv.StudentsT{Sigma: 1, Nu: 3, Src: d.Rand}
	for i, v := range f {
		s := m.level * size
		if proportional {
			s = m.level * math.Abs(v)
		}
		var e float64
		switch kind {
		case RoundingErrors:
			m.level, s = 0, 0
		case CountingErrors:
			m.level, s = 0, math.Sqrt(max(v, 1))
			e = distuv.Poisson{Lambda: max(v, 1e-9), Src: d.Rand}.Rand() - v
		case HeavyErrors:
			e = s * student.Rand()
			s *= math.Sqrt(3) // standard deviation of Student's t with 3 degrees of freedom
		default:
			e = s * d.NormFloat64()
		}
		m.y[i], m.sigma[i] = v+e, s
	}
	if kind != CountingErrors {
		d.round(&m)
	}
	return m
}

// round rounds the target to a random number of significant digits, or all its values to the same
// number of decimals. It uses equal decimals only if at least half of the values then keep two
// digits or more.
func (d drawer) round(m *measured) {
	digits := 2 + d.IntN(4)
	if m.kind == RoundingErrors {
		digits = 3 + d.IntN(4)
	}
	largest := floats.Norm(m.y, math.Inf(1))
	place := digits - 1 - exponent(largest)
	fixed := d.chance(0.6) && middle(m.y) >= 10*math.Pow10(-place)
	for i, v := range m.y {
		last := place
		if !fixed && v != 0 {
			last = digits - 1 - exponent(v)
		}
		m.y[i] = decimals(v, last)
		m.sigma[i] = math.Hypot(m.sigma[i], math.Pow10(-last)/math.Sqrt(12))
	}
}

// middle returns the median of the absolute values of v.
func middle(v []float64) float64 {
	sizes := slices.Clone(v)
	for i, x := range sizes {
		sizes[i] = math.Abs(x)
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// exponent returns the exponent of v in decimal notation, or 0 for 0.
func exponent(v float64) int {
	if v == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(v)) + 1e-12))
}

// Conditions that a drawn table must meet.
const (
	visible = 10 // least χ² of the effect of a column
	// Least χ² of the effect of all columns together, for each constant of the form.
	visibleRow    = 2
	fewestTargets = 4 // least number of different values of the target
)

// effect returns χ² of the differences between two sets of values, after a common shift is removed.
func effect(f, g, sigma []float64) (chi2 float64) {
	diff, w := make([]float64, len(f)), make([]float64, len(f))
	for i := range f {
		diff[i] = f[i] - g[i]
		w[i] = 1 / (sigma[i] * sigma[i])
	}
	mean := stat.Mean(diff, w)
	for i := range diff {
		chi2 += w[i] * (diff[i] - mean) * (diff[i] - mean)
	}
	return chi2
}

// visible reports whether the effects of the law, and of each of its columns, exceed the errors.
func (l law) visible(cols [][]float64, f []float64, m measured, constants int) bool {
	n := float64(len(f))
	need := visible + (visibleRow+math.Log(n))*float64(constants)
	if !(effect(f, make([]float64, len(f)), m.sigma) > need) {
		return false
	}
	for k, c := range cols {
		still := append([][]float64(nil), cols...)
		middle := stat.Mean(c, nil)
		still[k] = make([]float64, len(c))
		for i := range still[k] {
			still[k][i] = middle
		}
		if g, ok := l.at(still, len(f)); ok && !(effect(f, g, m.sigma) > visible) {
			return false
		}
	}
	return distinct(m.y) >= fewestTargets
}

func distinct(v []float64) int {
	seen := map[float64]bool{}
	for _, x := range v {
		seen[x] = true
	}
	return len(seen)
}
