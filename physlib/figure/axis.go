package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"github.com/physlib/lab/physlib/column"
)

// Axis describes the label and the scale of one axis of a picture. The zero Axis is linear, has no
// label and spans the data.
type Axis struct {
	Label     string  // label with its unit, such as "T [d]"
	Log       bool    // whether the axis is logarithmic; values that are not positive are left out
	Low, High float64 // ends of the axis; both 0: the ends of the data, with a margin
	Ticks     []Tick  // nil: round numbers
}

// Tick is a labelled position on an axis.
type Tick struct {
	Value float64
	Label string
}

// over returns the axis to draw for the given values.
func (a Axis) over(values ...[]float64) axis {
	d := newAxis(a.Label, a.Log, values...)
	if a.Low != a.High {
		// The given end is used if the axis can show it. A log axis cannot show 0, for example.
		if low := d.at(a.Low); !math.IsNaN(low) {
			d.low = low
		}
		if high := d.at(a.High); !math.IsNaN(high) && high > d.low {
			d.high = high
		}
	}
	for _, t := range a.Ticks {
		if v := d.at(t.Value); !math.IsNaN(v) {
			d.fixed = append(d.fixed, plot.Tick{Value: v, Label: t.Label})
		}
	}
	return d
}

// axis is one direction of a picture. A logarithmic axis holds log₁₀ of its values, because gonum's
// log scale panics at values that are not positive.
type axis struct {
	label     string
	log       bool
	low, high float64     // log₁₀ of the ends if log
	fixed     []plot.Tick // ticks that the caller gave
	bare      bool        // whether the axis has no line, only the ticks in fixed, which are names
}

// newAxis returns an axis that spans the values with a margin of 4 %. Values that are not finite,
// or not positive on a log axis, are ignored.
func newAxis(label string, log bool, values ...[]float64) axis {
	a := axis{label: label, log: log, low: math.Inf(1), high: math.Inf(-1)}
	for _, vs := range values {
		for _, v := range vs {
			if p := a.at(v); !math.IsNaN(p) {
				a.low, a.high = min(a.low, p), max(a.high, p)
			}
		}
	}
	if a.low > a.high { // no value is usable
		a.low, a.high = 0, 1
	}
	span := a.high - a.low
	// A constant gets equal space on both sides.
	if least := 1e-9 * max(math.Abs(a.low), math.Abs(a.high)); span <= least {
		span = max(math.Abs(a.low), 1)
		if log {
			span = 1
		}
		a.low, a.high = a.low-span/2, a.high+span/2
		return a
	}
	a.low, a.high = a.low-0.04*span, a.high+0.04*span
	return a
}

// at returns the position of v on the axis, or NaN if v has no position there.
func (a axis) at(v float64) float64 {
	if a.log {
		if v <= 0 {
			return math.NaN()
		}
		v = math.Log10(v)
	}
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// wide reports whether all values are positive and span more than two decades. Then a log axis
// suits them.
func wide(values ...[]float64) bool { return spans(100, values...) }

// spans reports whether all values are positive and the largest exceeds ratio times the smallest.
// Values that are not finite are ignored.
func spans(ratio float64, values ...[]float64) bool {
	low, high := math.Inf(1), 0.0
	for _, vs := range values {
		for _, v := range vs {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			if v <= 0 {
				return false
			}
			low, high = min(low, v), max(high, v)
		}
	}
	return high > ratio*low
}

// ticks returns about five round numbers on the axis.
func (a axis) ticks() []plot.Tick {
	if a.fixed != nil || a.bare {
		return a.fixed
	}
	if a.log {
		return a.logTicks()
	}
	var ticks []plot.Tick
	step := roundStep((a.high - a.low) / 5)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	for k := math.Ceil(a.low / step); k*step <= a.high && len(ticks) < 20; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label(k*step, step)})
	}
	return ticks
}

// logTicks returns decades, and 2 and 5 between them if the decades are few.
func (a axis) logTicks() []plot.Tick {
	span := a.high - a.low
	if span < 0.35 { // about a factor of two: use round numbers, as on a linear axis
		lin := axis{low: math.Pow(10, a.low), high: math.Pow(10, a.high)}
		ticks := lin.ticks()
		for i := range ticks {
			ticks[i].Value = math.Log10(ticks[i].Value)
		}
		return ticks
	}
	var ticks []plot.Tick
	every := math.Max(1, math.Ceil(span/6))
	plain := 3
	if a.high < 5 {
		plain = 4
	}
	for d := math.Floor(a.low); d <= math.Ceil(a.high); d++ {
		for _, m := range []float64{1, 2, 5} {
			v := d + math.Log10(m)
			if v < a.low || v > a.high || m > 1 && span > 2.5 {
				continue
			}
			t := plot.Tick{Value: v}
			if math.Mod(d, every) == 0 {
				t.Label = decade(m, int(d), plain)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// roundStep returns the number of the form 1, 2 or 5 × 10ⁿ that is nearest to s in ratio.
func roundStep(s float64) float64 {
	p := math.Pow10(column.Exponent(s))
	switch m := s / p; {
	case m < 1.4:
		return p
	case m < 3.2:
		return 2 * p
	case m < 7.1:
		return 5 * p
	}
	return 10 * p
}

// label formats a tick of a linear axis. step is the distance between ticks; it sets the number of
// digits.
func label(v, step float64) string {
	if math.Abs(v) < step/1e6 {
		return "0"
	}
	if a := math.Abs(v); a < 1e-3 || a >= 1e5 {
		digits := max(0, column.Exponent(a)-column.Exponent(step))
		m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits, 64), "e")
		n, _ := strconv.Atoi(e)
		return minus(m) + "·" + powerOfTen(n)
	}
	return minus(strconv.FormatFloat(v, 'f', max(0, -column.Exponent(step)), 64))
}

// decade formats m × 10ᵈ. If d is from -2 to plain, it writes a plain number.
func decade(m float64, d, plain int) string {
	switch {
	case d >= -2 && d <= plain:
		return strconv.FormatFloat(m*math.Pow(10, float64(d)), 'f', max(0, -d), 64)
	case m == 1:
		return powerOfTen(d)
	}
	return strconv.FormatFloat(m, 'g', -1, 64) + "·" + powerOfTen(d)
}

// powerOfTen returns 10ⁿ with the exponent in braces. Exponents in braces are drawn raised.
func powerOfTen(n int) string { return "10^{" + signed(n) + "}" }

// minus replaces the first hyphen by a minus sign.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }
