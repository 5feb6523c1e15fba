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

// A rival with the form of the chosen law and a further constant that hardly differs from zero is
// the chosen law again.
func TestWithSpareConstant(t *testing.T) {
	names := []string{"s", "p"}
	sr := &searcher{best: []*candidate{{tree: parse(t, "-s/(c0*s + c1*p + c2)", names...)}}}
	for _, test := range []struct {
		law            string
		params, stderr []float64
		want           bool
	}{
		{"(c0 - s)/(c1*s + c2*p + c3)", []float64{2e-5, 1.2, 2.1, 0.6}, []float64{6e-4, 0.01, 0.01, 0.01}, true},
		{"(s + c0*p**2)/(c1*s + c2*p + c3)", []float64{1e-3, -1.2, -2.1, -0.6}, []float64{6e-4, 0.01, 0.01, 0.01}, true},
		{"(c0 - s)/(c1*s + c2*p + c3)", []float64{0.1, 1.2, 2.1, 0.6}, []float64{0.01, 0.01, 0.01, 0.01}, false},
		{"c0*s + c1*p + c2*p**2 + c3", []float64{1, 1, 1e-5, 1}, []float64{0.1, 0.1, 0.1, 0.1}, false},
		{"c0*s", []float64{1e-5}, []float64{1}, false},
	} {
		c := &candidate{tree: parse(t, test.law, names...), shot: &trajectoryFit{Params: test.params, StdErr: test.stderr}}
		if got := sr.withSpareConstant(0, c); got != test.want {
			t.Errorf("%s with %v ± %v: %v", test.law, test.params, test.stderr, got)
		}
	}
}
