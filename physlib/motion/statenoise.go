package motion

import (
	"math"
	"slices"
)

// noise returns an estimate of the standard deviation of the errors of state k, over all runs.
func (tr *Trajectories) noise(k int) float64 {
	sum := 0.0
	for _, r := range tr.Runs {
		e := Noise(tr.Time.Values[r[0]:r[1]], tr.States[k].Values[r[0]:r[1]])
		sum += e * e * float64(r[1]-r[0])
	}
	return math.Sqrt(sum / float64(tr.Rows()))
}

// rounding returns the root mean square of the rounding errors of state k. Rounded times contribute
// their errors times the derivative of the state. The estimate of the noise may be smaller, since
// it is a median, and most rows may have much smaller rounding errors than the others.
func (tr *Trajectories) rounding(k int) float64 {
	times, x := tr.Time.Values, tr.States[k].Values
	ofTime, ofState := tr.Time.Rounding(), tr.States[k].Rounding()
	squares := 0.0
	for _, r := range tr.Runs {
		for i := r[0]; i < r[1]; i++ {
			if ofState != nil {
				squares += ofState[i] * ofState[i]
			}
			before, after := max(i-1, r[0]), min(i+1, r[1]-1)
			if ofTime != nil && times[after] > times[before] {
				e := ofTime[i] * (x[after] - x[before]) / (times[after] - times[before])
				squares += e * e
			}
		}
	}
	return math.Sqrt(squares / float64(tr.Rows()))
}

// Noise returns an estimate of the standard deviation of the errors of x at times t. It uses the
// residuals of polynomials through few rows. If the curvature of x enlarges these residuals, it
// uses polynomials through more rows.
func Noise(t, x []float64) float64 {
	least := math.Inf(1)
	for _, w := range []int{4, 5, 7, 9} {
		least = min(least, residual(t, x, w))
	}
	for _, w := range []int{11, 13, 15} { // in noise, slightly smaller residuals arise by chance
		if r := residual(t, x, w); r < least/3 {
			least = r
		}
	}
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if math.IsInf(least, 0) {
		least = 0
	}
	return max(least, 1e-13*largest)
}

// residual fits polynomials of degree w-2 through w consecutive rows. It returns an estimate of the
// standard deviation of the errors from their residuals, or infinity if there are too few rows.
func residual(t, x []float64, w int) float64 {
	var rest []float64
	even := evenly(t)
	var b *basis
	for a := 0; a+w <= len(t); a += max(1, len(t)/noiseWindows) {
		if b == nil || !even {
			b = newBasis(t[a:a+w], t[a+w/2])
		}
		if len(b.q) >= w {
			rest = append(rest, math.Abs(dot(b.q[w-1], x[a:a+w])))
		}
	}
	if len(rest) == 0 {
		return math.Inf(1)
	}
	slices.Sort(rest)
	return rest[len(rest)/2] / 0.6745
}

// noiseWindows is the number of windows that suffice for an estimate of the noise.
const noiseWindows = 10_000
