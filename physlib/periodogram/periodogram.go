// Package periodogram computes least-squares periodograms along one, two or three coordinates at
// once (N. R. Lomb, Astrophys. Space Sci. 39 (1976) 447; J. D. Scargle, Astrophys. J. 263 (1982)
// 835). The values of a coordinate need not be evenly spaced.
//
// For speed, sines and cosines are treated as orthogonal, as they nearly are unless rows are few or
// badly distributed. So the frequencies of the peaks are only starting values for a fit. Along
// several coordinates, the target is projected on all products of one sine or cosine for each
// coordinate. This finds running and standing waves alike.
package periodogram

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/dataset"
)

// Axis is a coordinate and the angular frequencies along it: Step, 2·Step, … Steps·Step.
type Axis struct {
	Values []float64
	Step   float64 // angular frequency of half a period over the whole range
	Steps  int
}

// NewAxis returns the axis of values. The parameter most is the largest number of frequencies. If
// the values are evenly spaced, all frequencies are below the Nyquist frequency. Otherwise there
// are up to two frequencies for each distinct value. ok is false if the values are constant or not
// finite.
func NewAxis(values []float64, most int) (a Axis, ok bool) {
	if len(values) == 0 {
		return Axis{}, false
	}
	distinct := slices.Clone(values)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	low, high := distinct[0], distinct[len(distinct)-1]
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) || math.IsNaN(low) {
		return Axis{}, false
	}
	limit := 2 * len(distinct)
	if dataset.Even(distinct, 0) {
		limit = len(distinct) - 2
	}
	return Axis{Values: values, Step: math.Pi / span, Steps: min(most, limit)}, limit > 0
}

// Affordable returns the number of frequencies along each axis for which all periodograms together
// take at most work multiplications. There is one periodogram for each group of axes. The
// parameters are the number n of rows, the number of groups, and the number k of axes in a group.
func Affordable(work, n, groups, k int) int {
	return int(math.Pow(float64(work)/float64(n*max(1, groups)<<k), 1/float64(k)))
}

// Short limits the axes to their lowest frequencies. The parameter most is the largest number of
// frequencies for each axis. It also returns the number of combinations of these frequencies.
func Short(most int, axes ...Axis) (short []Axis, all int) {
	all = 1
	for _, a := range axes {
		a.Steps = min(a.Steps, most)
		short = append(short, a)
		all *= a.Steps
	}
	return short, all
}

// Peak is a local maximum of a periodogram.
type Peak struct {
	Omega [3]float64 // angular frequency along each axis; 0 for axes that are not used
	// Approximate share of the target's sum of squares that a wave of these frequencies explains.
	Share float64
}

// Chance returns a threshold for the share of a peak. frequencies is the number of frequencies
// examined, and n is the number of rows. If the target is pure noise, the largest share of all
// frequencies exceeds the threshold in only one table of a thousand. For a single frequency, the
// share is χ²/n, where χ² has two degrees of freedom along one axis, four along two, and eight
// along three.
func Chance(frequencies, n int) float64 {
	l := math.Log(float64(max(frequencies, 1))) + 7
	return 2 * (l + 2*math.Log(l)) / float64(n)
}

// Line returns the highest peaks, at most the given number, of the periodogram of y along a. y has
// one value for each of a.Values.
func Line(a Axis, y []float64, most int) []Peak {
	n := len(y)
	c1, s1 := make([]float64, n), make([]float64, n)
	c, s := make([]float64, n), make([]float64, n)
	for i, v := range a.Values {
		s1[i], c1[i] = math.Sincos(a.Step * v)
		c[i] = y[i]
	}
	share := make([]float64, a.Steps)
	norm := float64(n) / 2 * floats.Dot(y, y)
	// The columns c and s are y times the cosine and y times the sine. Each iteration of the loop
	// rotates them to the next frequency.
	for k := range share {
		turn(c, s, c, s, c1, s1)
		p, q := floats.Sum(c), floats.Sum(s)
		share[k] = (p*p + q*q) / norm
	}
	var peaks []Peak
	for k, x := range share {
		if (k == 0 || share[k-1] < x) && (k == len(share)-1 || share[k+1] <= x) {
			peaks = append(peaks, Peak{Omega: [3]float64{float64(k+1) * a.Step}, Share: x})
		}
	}
	return highest(peaks, most)
}

// Plane returns the highest peaks, at most the given number, of the periodogram of y over pairs of
// frequencies along a and b.
func Plane(a, b Axis, y []float64, most int) []Peak {
	share := make([]float64, a.Steps*b.Steps)
	addPlane(share, a.sines(), b.sines(), y)
	floats.Scale(4/(float64(len(y))*floats.Dot(y, y)), share)
	return highest(peaksOf(share, a, b), most)
}

// Volume returns the highest peaks, at most the given number, of the periodogram of y along three
// axes at once. It returns at most one peak for each frequency along c.
func Volume(a, b, c Axis, y []float64, most int) []Peak {
	one, two, three := a.sines(), b.sines(), c.sines()
	share, part := make([]float64, a.Steps*b.Steps), make([]float64, len(y))
	var peaks []Peak
	for k := range c.Steps {
		clear(share)
		for _, row := range [2][]float64{three.RawRowView(2 * k), three.RawRowView(2*k + 1)} {
			floats.MulTo(part, y, row)
			addPlane(share, one, two, part)
		}
		floats.Scale(8/(float64(len(y))*floats.Dot(y, y)), share)
		for _, p := range highest(peaksOf(share, a, b), 1) {
			p.Omega[2] = float64(k+1) * c.Step
			peaks = append(peaks, p)
		}
	}
	return highest(peaks, most)
}

// addPlane adds to share, for each pair of frequencies, the squares of the scalar products of y
// with four functions: cosine or sine along the first axis, times cosine or sine along the second.
// a and b are results of Axis.sines.
func addPlane(share []float64, a, b *mat.Dense, y []float64) {
	var left, all mat.Dense
	left.CloneFrom(a)
	twice, _ := a.Dims()
	for k := range twice {
		floats.Mul(left.RawRowView(k), y)
	}
	all.Mul(&left, b.T())
	_, columns := all.Dims()
	columns /= 2
	for i := range twice / 2 {
		cosines, sines := all.RawRowView(2*i), all.RawRowView(2*i+1)
		for j := range columns {
			for _, x := range [4]float64{cosines[2*j], cosines[2*j+1], sines[2*j], sines[2*j+1]} {
				share[i*columns+j] += x * x
			}
		}
	}
}

// peaksOf returns the local maxima of share, a periodogram over pairs of frequencies along a and b.
func peaksOf(share []float64, a, b Axis) (peaks []Peak) {
	for i := range a.Steps {
		for j := range b.Steps {
			if top(share, a.Steps, b.Steps, i, j) {
				peaks = append(peaks, Peak{Omega: [3]float64{float64(i+1) * a.Step, float64(j+1) * b.Step}, Share: share[i*b.Steps+j]})
			}
		}
	}
	return peaks
}

// top reports whether entry (i, j) of a periodogram is a local maximum. If neighbours are equal,
// only the first of them counts.
func top(share []float64, rows, cols, i, j int) bool {
	x := share[i*cols+j]
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			k, l := i+di, j+dj
			if (di != 0 || dj != 0) && k >= 0 && k < rows && l >= 0 && l < cols {
				if y := share[k*cols+l]; y > x || y == x && (di < 0 || di == 0 && dj < 0) {
					return false
				}
			}
		}
	}
	return true
}

func highest(peaks []Peak, most int) []Peak {
	slices.SortStableFunc(peaks, func(a, b Peak) int { return cmp.Compare(b.Share, a.Share) })
	return peaks[:min(most, len(peaks))]
}

// sines returns a matrix with the cosines of k·Step·v in row 2(k-1) and the sines in row 2(k-1)+1,
// for all values v. The rows for k are calculated by rotation from the rows for k-1.
func (a Axis) sines() *mat.Dense {
	n := len(a.Values)
	m := mat.NewDense(2*a.Steps, n, nil)
	c1, s1 := m.RawRowView(0), m.RawRowView(1)
	for i, v := range a.Values {
		s1[i], c1[i] = math.Sincos(a.Step * v)
	}
	for k := 1; k < a.Steps; k++ {
		turn(m.RawRowView(2*k), m.RawRowView(2*k+1), m.RawRowView(2*k-2), m.RawRowView(2*k-1), c1, s1)
	}
	return m
}

// turn rotates the points (c0, s0) by the angles whose cosines and sines are c1 and s1, and writes
// them to c and s. c and s may be the slices c0 and s0.
func turn(c, s, c0, s0, c1, s1 []float64) {
	for i := range c {
		c[i], s[i] = c0[i]*c1[i]-s0[i]*s1[i], s0[i]*c1[i]+c0[i]*s1[i]
	}
}
