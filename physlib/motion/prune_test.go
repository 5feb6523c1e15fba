package motion

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// A tiny term is removed from a law, a small one is not.
func TestWithoutTiny(t *testing.T) {
	cols := [][]float64{{1, 2, 3, 4}, {2, -1, 5, 1}}
	for text, want := range map[string]string{
		"x - 0.1*x*y + 3e-7":                "x - 0.1*x*y",
		"3e-7*x*y*sin(2*x) + 1.1*x - 2*x*y": "1.1*x - 2*x*y",
		"x - 0.1*x*y + 3e-3":                "",
		"2*x":                               "",
	} {
		got, tiny := withoutTiny(parse(t, text, "x", "y"), cols)
		if tiny != (want != "") {
			t.Errorf("%s: tiny %v", text, tiny)
		}
		if tiny && len(terms(got)) != len(terms(parse(t, want, "x", "y"))) {
			t.Errorf("%s: %s is left, want %s", text, got.Infix([]string{"x", "y"}), want)
		}
	}
}

// The law of a table with the small and smooth errors of an integrator is found, without terms that
// describe these errors.
func TestIntegratorErrors(t *testing.T) {
	noEngine(t)
	const step = 0.05 // step of the integrator in seconds; the rows are 0.01 s apart
	table := &dataset.Table{Name: "swing.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "x"}}, Target: dataset.Column{Name: "v"}}
	for i := range 600 {
		at := 0.01 * float64(i)
		inside := math.Mod(at, step) / step
		table.Vars[0].Values = append(table.Vars[0].Values, at)
		table.Vars[1].Values = append(table.Vars[1].Values, math.Cos(3*at)+1e-7*math.Pow(inside*(1-inside), 2))
		table.Target.Values = append(table.Target.Values, -3*math.Sin(3*at)-1e-7*math.Pow(inside*(1-inside), 2))
	}
	res := discovered(t, table, Options{})
	for k, want := range []string{"v", "-9*x"} {
		e := res.Equations[k]
		same := e.Law.Tree.Len() > 0 && len(terms(e.Law.Tree)) == 1 && len(e.Law.Tree.Vars()) == 1
		if !same || e.Probability < 0.9 {
			t.Errorf("%s for %s: %s", e.Law.Tree.Infix(e.Law.Vars), want, e.Verdict)
		}
	}
}

// Fast oscillation does not count as noise, and noise does not count as oscillation.
func TestNoiseOfOscillation(t *testing.T) {
	for _, c := range []struct{ period, sigma, least, most float64 }{
		{20, 0, 0, 1e-8}, {20, 1e-3, 8e-4, 1.2e-3}, {200, 1e-6, 8e-7, 1.2e-6},
	} {
		x := cosine(600, c.period, c.sigma)
		got := Noise(x.Time.Values, x.States[0].Values)
		if !(got >= c.least && got <= c.most) {
			t.Errorf("%g rows a period with noise %g: %g", c.period, c.sigma, got)
		}
	}
	x := cosine(100, 30, 1e-3)
	if got := Noise(x.Time.Values[:3], x.States[0].Values[:3]); got > 1e-12 || slices.Contains(x.States[0].Values, got) {
		t.Errorf("noise of three rows: %g", got)
	}
}
