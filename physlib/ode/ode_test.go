package ode_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/physlib/lab/physlib/ode"
)

func times(from, to float64, n int) []float64 {
	at := make([]float64, n)
	for i := range at {
		at[i] = from + (to-from)*float64(i)/float64(n-1)
	}
	return at
}

// The expected values, including errors of the method, are those of solve_ivp of scipy 1.16 with
// its default settings.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     ode.Rates
		at    []float64
		start []float64
		want  []float64 // expected values of the first state
	}{
		{"driven pendulum", func(t float64, y, dy []float64) {
			dy[0], dy[1] = y[1], -math.Sin(y[0])-0.1*y[1]+0.3*math.Cos(t)
		}, times(0, 20, 9), []float64{1, 0},
			[]float64{1, -0.36455534632116693, -0.7687256672522826, 1.3730224003797944, -0.7260534742482792, -1.0609514509005444, 1.904970497043842, -0.9512333573933724, -0.5952664792763668}},
		{"growth", func(_ float64, y, dy []float64) {
			dy[0] = 0.9539969835279999*(1-y[0]/96.90688297671034)*y[0] + 0.9539969835279999*math.Pow(y[0], 0.333333333333333)
		}, times(1, 60, 7), []float64{1},
			[]float64{1, 101.19127092616621, 101.28156885879233, 101.32214963380886, 101.27306004128413, 101.3445247667308, 101.30737806500753}},
	} {
		got, err := ode.Solve(c.f, c.at, c.start, 1e-3, 1e-6)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, want := range c.want {
			if math.Abs(got[i][0]-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s: state at %g is %v, not %v", c.name, c.at[i], got[i][0], want)
			}
		}
	}
}

// Solve returns an error if a state grows beyond all bounds.
func TestSolvePole(t *testing.T) {
	_, err := ode.Solve(func(_ float64, y, dy []float64) { dy[0] = y[0] * y[0] }, times(0, 2, 3), []float64{1}, 1e-6, 1e-9)
	if err == nil {
		t.Error("no error")
	}
}

func ExampleSolve() {
	decay := func(_ float64, y, dy []float64) { dy[0] = -y[0] }
	states, err := ode.Solve(decay, []float64{0, 1, 2}, []float64{1}, 1e-9, 1e-12)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, y := range states {
		fmt.Printf("%.6f\n", y[0])
	}
	// Output:
	// 1.000000
	// 0.367879
	// 0.135335
}
