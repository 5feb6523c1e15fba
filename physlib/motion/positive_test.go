package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// A state is nonnegative if it is below 0 only by its errors, and far above 0 elsewhere.
func TestLeastValue(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{100, 30, -0.3, 0.2}, 1e-7},
		{[]float64{100, 30, 0.3, 0.2}, math.Inf(-1)}, // no value is changed
		{[]float64{100, 30, -8, 0.2}, math.Inf(-1)},
		{[]float64{3, 2, -0.3, 0.2}, math.Inf(-1)},
	} {
		if got := leastValue(c.x, 1, 100); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.x, got, c.want)
		}
	}
}

// The root of a level is found although errors make the lowest levels negative.
func TestRootOfNegative(t *testing.T) {
	noEngine(t)
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(7, seed))
		table := path([]string{"h"}, []string{"-0.35*sqrt(h)"}, [][]float64{{100}, {80}}, times(150, 0.34, 0, rng))
		h := table.Target.Values
		for i := range h {
			h[i] += 0.6 * rng.NormFloat64()
		}
		h[len(h)-4] = -0.5
		res := discovered(t, table, Options{})
		want := parse(t, "c0*sqrt(h)", "h")
		if got := res.Equations[0].Law; got.Tree.Len() == 0 || got.Tree.Hash() != want.Hash() {
			t.Errorf("%s, want %s", got.Tree.Infix(got.Vars), want.Infix(got.Vars))
		}
	}
}

// A tank with a root in its rate runs empty and stays empty.
func TestEmptyTank(t *testing.T) {
	f := NewField([]expr.Tree{parse(t, "-0.35*sqrt(h)", "h")}, 0, false)
	f.least = []float64{1e-9}
	x := Simulate(f, []float64{1}, []float64{0, 2, 8, 20}, nil)[0]
	if want := math.Pow(1-0.35, 2); math.Abs(x[1]-want) > 1e-8 || !(math.Abs(x[3]) < 1e-3) {
		t.Errorf("levels %v, want %g after 2 and 0 in the end", x, want)
	}
}
