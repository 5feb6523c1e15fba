package periodogram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/periodogram"
)

func uniform(rng *rand.Rand, n int, high float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = high * rng.Float64()
	}
	return v
}

func TestAxis(t *testing.T) {
	grid := make([]float64, 0, 63)
	for i := range 63 {
		grid = append(grid, 1950+0.1*float64(i%21))
	}
	a, ok := periodogram.NewAxis(grid, 100)
	// There are 21 values, so the Nyquist frequency is 20 steps.
	if !ok || math.Abs(a.Step-math.Pi/2) > 1e-9 || a.Steps != 19 {
		t.Errorf("%+v, %v", a, ok)
	}
	for name, v := range map[string][]float64{"none": nil, "constant": {2, 2}, "infinite": {1, math.Inf(1)}, "no number": {1, math.NaN()}, "two": {1, 2}} {
		if a, ok := periodogram.NewAxis(v, 10); ok {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// The highest peak is within half a step of the true frequency. Peaks of noise seldom exceed
// Chance.
func TestPeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, u := uniform(rng, 500, 30), uniform(rng, 500, 4)
	a, _ := periodogram.NewAxis(x, 400)
	b, _ := periodogram.NewAxis(u, 60)
	y, z := make([]float64, 500), make([]float64, 500)
	for i := range y {
		y[i] = math.Cos(17.3*x[i]+0.4) + 0.5*rng.NormFloat64()
		z[i] = math.Cos(17.3*x[i]-31*u[i]) + 0.5*rng.NormFloat64()
	}
	p := periodogram.Line(a, y, 1)[0]
	if math.Abs(p.Omega[0]-17.3) > 0.6*a.Step || p.Share < 0.4 || p.Share > 0.9 {
		t.Errorf("along one axis: %+v", p)
	}
	p = periodogram.Plane(a, b, z, 1)[0]
	if math.Abs(p.Omega[0]-17.3) > 0.6*a.Step || math.Abs(p.Omega[1]-31) > 0.6*b.Step {
		t.Errorf("along two: %+v", p)
	}
	over := 0
	for range 300 {
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		if periodogram.Line(a, y, 1)[0].Share > periodogram.Chance(a.Steps, len(y)) {
			over++
		}
	}
	if over > 4 { // 0.3 tables are expected
		t.Errorf("%d of 300 tables of noise have a peak beyond chance", over)
	}
}

func BenchmarkPlane(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, u, y := uniform(rng, 1000, 30), uniform(rng, 1000, 4), uniform(rng, 1000, 1)
	one, _ := periodogram.NewAxis(x, 500)
	two, _ := periodogram.NewAxis(u, 500)
	for b.Loop() {
		periodogram.Plane(one, two, y, 1)
	}
}

func ExampleLine() {
	t, y := make([]float64, 200), make([]float64, 200)
	for i := range t {
		t[i] = float64(i) / 10
		y[i] = 3 * math.Sin(7*t[i])
	}
	axis, _ := periodogram.NewAxis(t, 1000)
	peak := periodogram.Line(axis, y, 1)[0]
	fmt.Printf("%.0f of 7 ± %.2f\n", peak.Omega[0], axis.Step)
	// Output: 7 of 7 ± 0.16
}
