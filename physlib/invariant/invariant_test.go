package invariant_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/invariant"
	"github.com/physlib/lab/physlib/require"
)

// find finds invariants of the columns in values, after adding noise. noise is the standard
// deviation of the noise, relative to the largest value of the column.
func find(t *testing.T, names string, noise float64, runs [][]int, values ...[]float64) *invariant.Result {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var columns []dataset.Column
	for i, name := range strings.Fields(names) {
		most := 0.0
		for _, v := range values[i] {
			most = max(most, math.Abs(v))
		}
		for k := range values[i] {
			values[i][k] += noise * most * rng.NormFloat64()
		}
		columns = append(columns, dataset.Column{Name: name, Values: values[i]})
	}
	r, err := invariant.Find(context.Background(), columns, invariant.Settings{Time: -1, Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range r.Found {
		t.Logf("%v at %v, spread %.3g, %.1f bits; %d others", v.Law, v.Levels, v.Spread, v.Bits, len(r.Others[i]))
	}
	return r
}

// constant checks that invariant i has one value along a curve on which the true invariant is
// constant.
func constant(t *testing.T, r *invariant.Result, i int, tol float64, curve ...[]float64) {
	t.Helper()
	if len(r.Found) <= i {
		t.Fatalf("%d invariants", len(r.Found))
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, at := range curve {
		v := r.Found[i].Law.Eval(at...)
		lo, hi = min(lo, v), max(hi, v)
	}
	if hi-lo > tol*max(math.Abs(hi), math.Abs(lo)) {
		t.Errorf("%v is %g to %g on the curve", r.Found[i].Law, lo, hi)
	}
}

func TestCircle(t *testing.T) {
	var x, y []float64
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		x, y = append(x, 2+3*math.Cos(a)), append(y, -1+3*math.Sin(a))
	}
	r := find(t, "x y", 0.002, nil, x, y)
	constant(t, r, 0, 0.02, []float64{5, -1}, []float64{-1, -1}, []float64{2, 2}, []float64{2 + 3*math.Sqrt(0.5), -1 + 3*math.Sqrt(0.5)})
}

func TestVanDerWaals(t *testing.T) {
	const a, b, R = 0.3640, 4.267e-5, 8.314
	var p, V, T []float64
	for i := range 60 {
		v, temperature := 1e-4*(1+0.35*float64(i%10)), 280+20*float64(i/10)
		V, T = append(V, v*1e3), append(T, temperature)
		p = append(p, (R*temperature/(v-b)-a/(v*v))/1e5)
	}
	r := find(t, "p V T", 1e-5, nil, p, V, T)
	if len(r.Found) == 0 || r.Found[0].Spread > 1e-3 {
		t.Errorf("%+v", r.Found)
	}
}

// orbit integrates the equations of motion f by the classical Runge-Kutta method.
func orbit(x []float64, step float64, n int, f func([]float64) []float64) (out [][]float64) {
	add := func(x, d []float64, by float64) []float64 {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = x[i] + by*d[i]
		}
		return y
	}
	const parts = 20
	h := step / parts
	out = make([][]float64, len(x))
	for range n {
		for i := range x {
			out[i] = append(out[i], x[i])
		}
		for range parts {
			a := f(x)
			b := f(add(x, a, h/2))
			c := f(add(x, b, h/2))
			d := f(add(x, c, h))
			for i := range x {
				x[i] += h / 6 * (a[i] + 2*b[i] + 2*c[i] + d[i])
			}
		}
	}
	return out
}

func TestPendulum(t *testing.T) {
	o := orbit([]float64{2.2, 0}, 0.05, 120, func(x []float64) []float64 { return []float64{x[1], -9.81 * math.Sin(x[0])} })
	r := find(t, "theta omega", 0.001, nil, o...)
	e := func(theta float64) float64 { return math.Sqrt(2 * 9.81 * (math.Cos(theta) - math.Cos(2.2))) }
	constant(t, r, 0, 0.03, []float64{2.2, 0}, []float64{1, e(1)}, []float64{0, -e(0)}, []float64{-1.5, e(1.5)})
}

func TestLotkaVolterra(t *testing.T) {
	o := orbit([]float64{10, 5}, 0.1, 150, func(x []float64) []float64 {
		return []float64{1.1*x[0] - 0.4*x[0]*x[1], 0.1*x[0]*x[1] - 0.4*x[1]}
	})
	r := find(t, "prey predator", 0.0005, nil, o...)
	if len(r.Found) == 0 || !strings.Contains(fmt.Sprint(r.Found[0].Law), "log") {
		t.Errorf("%+v", r.Found)
	}
}

// A planet conserves its angular momentum and its energy.
func TestKepler(t *testing.T) {
	var values [][]float64
	var runs [][]int
	for k := range 4 {
		o := orbit([]float64{1 + 0.2*float64(k), 0, 0.1, 0.8 + 0.1*float64(k)}, 0.1, 60, func(x []float64) []float64 {
			r := math.Pow(x[0]*x[0]+x[1]*x[1], 1.5)
			return []float64{x[2], x[3], -x[0] / r, -x[1] / r}
		})
		var rows []int
		for i := range o[0] {
			rows = append(rows, 60*k+i)
		}
		runs = append(runs, rows)
		if values == nil {
			values = o
			continue
		}
		for i := range o {
			values[i] = append(values[i], o[i]...)
		}
	}
	r := find(t, "x y u v", 0, runs, values...)
	if len(r.Found) < 2 {
		t.Fatalf("%d invariants", len(r.Found))
	}
	constant(t, r, 1, 1e-6, []float64{1, 0, 0, 0.8}, []float64{0.5, 0, 0, math.Sqrt(0.64 + 2)}, []float64{0, 0.5, 1, math.Sqrt(0.64 + 1)})
	if text := fmt.Sprint(r.Found[0].Law); text != "invariant = x*v - y*u" && text != "invariant = y*u - x*v" && !strings.Contains(text, "sqrt") {
		t.Error(text)
	}
}

// Unrelated columns have no invariant.
func TestNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, 60), make([]float64, 60)
	for i := range x {
		x[i], y[i] = 1+rng.Float64(), 1+rng.Float64()
	}
	if r := find(t, "x y", 0, nil, x, y); len(r.Found) > 0 {
		t.Errorf("found %v", r.Found[0].Law)
	}
}

func TestErrors(t *testing.T) {
	short := []dataset.Column{{Name: "x", Values: []float64{1, 2}}, {Name: "y", Values: []float64{1, 2}}}
	if _, err := invariant.Find(context.Background(), short, invariant.Settings{}); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Error(err)
	}
	if _, err := invariant.Find(context.Background(), short[:1], invariant.Settings{}); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Error(err)
	}
}

// ellipse returns columns x and y whose rows are points on an ellipse, and an unrelated column u.
func ellipse() (columns []dataset.Column) {
	columns = []dataset.Column{{Name: "x"}, {Name: "y"}, {Name: "u"}}
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		for k, v := range []float64{4 * math.Cos(a), 2 * math.Sin(a), 3 + math.Sin(float64(i*i))} {
			columns[k].Values = append(columns[k].Values, v)
		}
	}
	return columns
}

// The settings limit the number of sums, their complexity, their functions and their columns.
func TestSettings(t *testing.T) {
	run := func(s invariant.Settings) *invariant.Result {
		t.Helper()
		s.Time, s.Most = -1, 1
		if s.Evaluations == 0 {
			s.Evaluations = 10_000
		}
		r, err := invariant.Find(context.Background(), ellipse(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(invariant.Settings{Seed: 3}); len(r.Found) != 1 {
		t.Fatalf("%d found of %d sums", len(r.Found), r.Evaluations)
	}
	if r := run(invariant.Settings{Evaluations: 5}); r.Evaluations != 5 || !r.Cut {
		t.Errorf("%d evaluations, cut %v", r.Evaluations, r.Cut)
	}
	for name, s := range map[string]invariant.Settings{
		"complexity": {MaxComplexity: 5},
		"column":     {Shape: require.Shape{Without: []int{0}}},
		"needed":     {Shape: require.Shape{Need: []int{0, 2}}},
		"functions":  {Shape: require.Shape{No: []expr.Op{expr.Square, expr.Cube, expr.Sqrt, expr.Inv, expr.Cos, expr.Sin}}},
	} {
		for _, v := range run(s).Found {
			vars := v.Law.Tree.Vars()
			switch {
			case s.MaxComplexity > 0 && v.Law.Complexity > s.MaxComplexity, !s.Shape.Allows(v.Law.Tree):
				t.Errorf("%s: %v of %.1f bits in the columns %v", name, v.Law, v.Law.Complexity, vars)
			}
		}
	}
	if _, err := invariant.Find(context.Background(), ellipse(), invariant.Settings{Shape: require.Shape{Without: []int{0, 1, 2}}}); err == nil {
		t.Error("no column is allowed, and no error says so")
	}
}
