package motion

import (
	"math/rand/v2"
	"testing"
)

// A constant that is zero within its error is removed, even if two laws share the term that
// contains it. A constant that differs from zero stays.
func TestDropUnresolved(t *testing.T) {
	for _, c := range []struct {
		truth, law string
		constants  int
	}{
		{"x", "c0*x/(c1*x + 1)", 1},
		{"x/(0.3*x + 1)", "c0*x/(c1*x + 1)", 2},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		table := path([]string{"x", "y"}, []string{"1 - " + c.truth, "x - y"},
			[][]float64{{5, 1}, {0.2, 3}}, times(100, 0.06, 0, rng))
		for i := range table.Target.Values {
			table.Vars[2].Values[i] += 0.01 * rng.NormFloat64()
			table.Target.Values[i] += 0.01 * rng.NormFloat64()
		}
		law := parse(t, "1 - "+c.law, "x", "y").WithStarts([]float64{1, 0.01})
		sr := searcherOf(t, table, law, parse(t, "x - y/(c0*y + 1)", "x", "y").WithStarts([]float64{0.01}))
		sr.dropUnresolved(t.Context())
		if got := sr.best[0].tree; got.NumParams() > c.constants {
			t.Errorf("dx/dt = %s", got.Bind(got.Params()).Infix(sr.names))
		}
		if got := sr.best[1].tree; got.NumParams() > 0 {
			t.Errorf("dy/dt = %s", got.Bind(got.Params()).Infix(sr.names))
		}
	}
}
