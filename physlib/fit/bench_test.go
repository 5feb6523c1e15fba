package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// columns returns random columns, uniform on [1, 3].
func columns(vars, rows int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, vars)
	for v := range cols {
		cols[v] = make([]float64, rows)
		for i := range cols[v] {
			cols[v][i] = 1 + 2*rng.Float64()
		}
	}
	return cols
}

// target returns the values of law with the constants params, plus Gaussian noise. noise is the
// standard deviation of the noise, relative to the RMS of the values.
func target(t testing.TB, law string, params []float64, cols [][]float64, noise float64, vars ...string) []float64 {
	t.Helper()
	y := make([]float64, len(cols[0]))
	expr.Compile(parse(t, law, nil, vars...)).Eval(y, cols, params)
	s := 0.0
	for _, v := range y {
		s += v * v
	}
	s = noise * math.Sqrt(s/float64(len(y)))
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range y {
		y[i] += s * rng.NormFloat64()
	}
	return y
}

func BenchmarkFit(b *testing.B) {
	for _, c := range []struct {
		name, law   string
		truth, from []float64
		rows        int
	}{
		{"linear2", "c0*x + c1*x*y", []float64{2, 3}, nil, 256},
		{"linear3", "c0*x + c1*x*y + c2*sin(y)", []float64{2, 3, -1}, nil, 256},
		{"nonlinear1", "c0*exp(-c1*x)", []float64{2, 0.7}, []float64{1, 1}, 256},
		{"nonlinear2", "c0*exp(-c1*x) + c2*exp(-c3*y)", []float64{2, 0.7, 3, 0.3}, []float64{1, 1, 1, 0.5}, 256},
		{"nonlinear3", "c0*x**c1*y**c2*exp(c3*x)", []float64{2, 0.7, 3, 0.3}, []float64{1, 1, 1, 0.1}, 256},
		{"linear3", "c0*x + c1*x*y + c2*sin(y)", []float64{2, 3, -1}, nil, 1000000},
		{"nonlinear1", "c0*exp(-c1*x)", []float64{2, 0.7}, []float64{1, 1}, 1000000},
	} {
		cols := columns(2, c.rows)
		y := target(b, c.law, c.truth, cols, 0.01, "x", "y")
		for _, fresh := range []bool{false, true} {
			name := fmt.Sprintf("%s/rows=%d/compiled=%v", c.name, c.rows, !fresh)
			b.Run(name, func(b *testing.B) {
				var f fit.Fitter
				t := parse(b, c.law, c.from, "x", "y")
				b.ReportAllocs()
				evals := 0
				for b.Loop() {
					if fresh {
						t = t.WithStarts(nil)
					}
					r, err := f.Fit(t, cols, y, nil, fit.Settings{Starts: 1})
					if err != nil {
						b.Fatal(err)
					}
					evals = r.Evaluations
				}
				b.ReportMetric(float64(evals), "passes")
			})
		}
	}
}
