package gaussian

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// wave returns n random points (a, b), and a·sin(b) with a small error.
func wave(n int) (coordinates [][]float64, t, spread []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := make([]float64, n), make([]float64, n)
	t, spread = make([]float64, n), make([]float64, n)
	for i := range n {
		a[i], b[i] = 1+2*rng.Float64(), 1+3*rng.Float64()
		spread[i] = 1 + float64(i%3)
		t[i] = a[i]*math.Sin(b[i]) + 0.01*spread[i]*rng.NormFloat64()
	}
	return [][]float64{a, b}, t, spread
}

// The calculated gradient of the evidence agrees with finite differences.
func TestGradient(t *testing.T) {
	coordinates, values, spread := wave(40)
	gp := New(context.Background(), coordinates, values, spread)
	theta := gp.Start()
	theta[1] = 0.3
	grad := make([]float64, len(theta))
	gp.eval(theta, grad)
	for k := range theta {
		const h = 1e-5
		moved := slices.Clone(theta)
		moved[k] = theta[k] + h
		above := gp.eval(moved, nil)
		moved[k] = theta[k] - h
		below := gp.eval(moved, nil)
		if want := (above - below) / (2 * h); math.Abs(grad[k]-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("derivative %d is %g, want %g", k, grad[k], want)
		}
	}
}

// A fitted process knows the slopes of the function and the size of the errors.
func TestFit(t *testing.T) {
	coordinates, values, spread := wave(100)
	gp := New(context.Background(), coordinates, values, spread)
	gp.Fit(gp.Start(), 40)
	if gp.Theta == nil {
		t.Fatal("the fit failed")
	}
	unit := stat.PopStdDev(values, nil)
	size := 0.01 * math.Sqrt(14./3) / unit // root mean square of the errors, with spreads 1, 2, 3
	if got := math.Exp(gp.Theta[len(coordinates)+OfErrors]); math.Abs(math.Log(got/size)) > 0.3 {
		t.Errorf("errors of %g, want %g", got, size)
	}
	slope := unit / stat.PopStdDev(coordinates[0], nil)
	off := 0.0
	for i, s := range gp.Slopes()[0] {
		off += math.Abs(s*slope-math.Sin(coordinates[1][i])) / 100
	}
	if off > 0.1 {
		t.Errorf("the mean error of ∂t/∂a is %g", off)
	}
	if z := stat.PopStdDev(gp.LeaveOneOut(), nil); z < 0.7 || z > 1.4 {
		t.Errorf("errors of prediction are %g standard deviations", z)
	}
}

func TestNewOfConstant(t *testing.T) {
	coordinates, values, spread := wave(20)
	if New(context.Background(), [][]float64{make([]float64, 20)}, values, spread) != nil {
		t.Error("a constant coordinate gives a process")
	}
	if New(context.Background(), coordinates, make([]float64, 20), spread) != nil {
		t.Error("constant values give a process")
	}
}
