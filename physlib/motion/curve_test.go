package motion

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A smooth input follows a polynomial between the rows, even if these are unevenly spaced. An input
// with errors, with corners or with jumps follows straight lines.
func TestCurveInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	smooth := func(t float64) float64 { return 1.1 + 0.6*math.Sin(0.41*t) + 0.35*math.Sin(1.13*t+1) }
	for _, c := range []struct {
		name   string
		input  func(t float64) float64
		uneven float64
		curved bool
	}{
		{"smooth", smooth, 0, true},
		{"smooth, uneven rows", smooth, 0.3, true},
		{"noisy", func(t float64) float64 { return smooth(t) + 0.05*rng.NormFloat64() }, 0, false},
		{"corners", func(t float64) float64 { return math.Abs(math.Mod(t, 2) - 1) }, 0, false},
		{"square wave", func(t float64) float64 { return math.Copysign(1, math.Sin(t)) }, 0, false},
		{"straight", func(t float64) float64 { return 2 - 0.3*t }, 0, true},
	} {
		r := run{x: [][]float64{nil, nil}}
		for i := range 80 {
			at := 0.2 * (float64(i) + c.uneven*rng.Float64())
			r.t = append(r.t, at)
			r.x[0], r.x[1] = append(r.x[0], 0), append(r.x[1], c.input(at))
		}
		d := &data{runs: []run{r}, inputs: 1, order: 1, sigma: []float64{0, 0}, scale: []float64{1, 1}}
		d.curveInputs()
		if c.name != "straight" && (d.curved[1] > 2) != c.curved {
			t.Errorf("%s: the curve passes through %d rows", c.name, d.curved[1])
		}
		worst := 0.0
		for row := range len(r.t) - 1 {
			step := r.t[row+1] - r.t[row]
			q := d.between(&r, row, 1)
			mid := q[0] + q[1]/2 + q[2]/4 + q[3]/8 + q[4]/16 + q[5]/32
			worst = max(worst, math.Abs(mid-c.input(r.t[row]+step/2)))
			if first, last := q[0], q[0]+q[1]+q[2]+q[3]+q[4]+q[5]; math.Abs(first-r.x[1][row])+math.Abs(last-r.x[1][row+1]) > 1e-12 {
				t.Errorf("%s: row %d: the curve passes %g and %g, not %g and %g", c.name, row, first, last, r.x[1][row], r.x[1][row+1])
			}
		}
		if c.curved && worst > 1e-5 {
			t.Errorf("%s: the curve is off by up to %g", c.name, worst)
		}
	}
}
