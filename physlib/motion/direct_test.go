package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// rates returns a table of the rate of x under a law, with the given relative errors. The states
// are random numbers between 0.2 and 0.2 + spread.
func rates(law expr.Tree, spread, errors float64) (*searcher, *dataset.Table) {
	tr := &Trajectories{Order: 1, Time: dataset.Column{Name: "t"}, States: []dataset.Column{{Name: "x"}, {Name: "y"}}}
	sr := &searcher{tr: tr, names: []string{"x", "y"}}
	t := &dataset.Table{Target: dataset.Column{Name: "dx_dt"}, Vars: tr.vars()}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 160 {
		for i := range t.Vars {
			t.Vars[i].Values = append(t.Vars[i].Values, 0.2+spread*rng.Float64())
		}
	}
	y := law.Values(160, [][]float64{t.Vars[0].Values, t.Vars[1].Values}, law.Params())
	for _, v := range y {
		t.Target.Values = append(t.Target.Values, v*(1+errors*rng.NormFloat64()))
		t.Sigma = append(t.Sigma, 4*errors*math.Abs(v)+1e-12)
	}
	return sr, t
}

// Accurate rates determine sums of terms, denominators of one and of two states, and exponentials
// with a constant inside, without a search. A sum that is only close to the rates does not count as
// an exact law.
func TestDirect(t *testing.T) {
	for text, want := range map[string]bool{
		"1.1*x - 0.4*x*y":                                  true,
		"0.7 - 0.3*x*abs(x - y) - 0.2*x":                   true,
		"1.3 - 0.2*x - 1.1*x*y/(1 + x + 0.4*x**2)":         true,
		"0.7*x - 0.1*x**2 - 0.9*x*y/(1 + 0.3*x + 0.4*y)":   true,
		"0.5*x*y/(x + 0.7*y) - 0.3*x":                      true,
		"2/(1 + y**3) - 0.5*x":                             true,
		"1 + x + 4*x*exp(-0.8/y)":                          true,
		"0.03*exp(1.7*x) + 0.4*y":                          true,
		"-1.3*sinh(x)":                                     false,
		"0.25*(3.4 - x) - 1.4*y*tanh(0.45*x)":              false,
		"x*sin(1.7*y) - 0.3*y*exp(-0.7*x) - 0.2*sqrt(x*y)": false,
	} {
		truth := mustParse(text, "x", "y")
		sr, table := rates(truth, 3, 1e-10)
		found, exact, near := sr.direct(t.Context(), 0, table, nil)
		if near {
			t.Errorf("%s: close to %s", text, found.Tree.Bind(found.Params()).Infix(sr.names))
		}
		if exact != want {
			t.Errorf("%s: exact %v by %s", text, exact, found.Tree.Bind(found.Params()).Infix(sr.names))
			continue
		}
		if !exact {
			continue
		}
		fitted, y := make([]float64, table.Rows()), table.Target.Values
		expr.Compile(found.Tree).Eval(fitted, [][]float64{table.Vars[0].Values, table.Vars[1].Values}, found.Params())
		for i, v := range fitted {
			if math.Abs(v-y[i]) > 1e-7*(1+math.Abs(y[i])) {
				t.Fatalf("%s: %s is %g in row %d, not %g", text, found.Tree.Bind(found.Params()).Infix(sr.names), v, i, y[i])
			}
		}
		if n := found.Tree.NumParams(); n > 6 {
			t.Errorf("%s: %d constants in %s", text, n, found.Tree.Bind(found.Params()).Infix(sr.names))
		}
	}
}

// If tables are rounded, the derivatives have relative errors of some 1e-5. They still determine
// short rates with one denominator.
func TestDirectRational(t *testing.T) {
	for _, text := range []string{
		"2/(1 + y**3) - 0.5*x",
		"3.6/(1 + y**2) - x",
		"0.9*x*y/(0.7 + x) - 0.4*x*y",
	} {
		truth := mustParse(text, "x", "y")
		sr, table := rates(truth, 3, 5e-5)
		found, _, near := sr.direct(t.Context(), 0, table, nil)
		law := found.Tree.Bind(found.Params()).Infix(sr.names)
		if near || found.Tree.NumParams() > 3 || !(scaledRMS(found, table) < mostRMS) {
			t.Errorf("%s: %s", text, law)
		}
	}
}

// The errors of derivatives are sometimes larger than their standard errors. A short rate with one
// denominator that is close to them may then be the law.
func TestDirectNear(t *testing.T) {
	sr, table := rates(mustParse("2/(1 + y**3) - 0.5*x", "x", "y"), 3, 5e-5)
	for i := range table.Sigma {
		table.Sigma[i] /= 8
	}
	found, _, near := sr.direct(t.Context(), 0, table, nil)
	if !near || found.Tree.NumParams() != 3 {
		t.Errorf("near %v: %s", near, found.Tree.Bind(found.Params()).Infix(sr.names))
	}
}

// A term of the law of another state is a term of the library, with the constants that it has
// there.
func TestDirectTermsOfOthers(t *testing.T) {
	truth := mustParse("1.3 + 2*y + 5*x*tanh(0.45*x*y)", "x", "y")
	sr, table := rates(truth, 3, 1e-10)
	if found, exact, _ := sr.direct(t.Context(), 0, table, nil); exact {
		t.Fatalf("without the term: %s", found.Tree.Bind(found.Params()).Infix(sr.names))
	}
	terms := []termColumn{{tree: mustParse("x*tanh(0.45*x*y)", "x", "y")}}
	found, exact, _ := sr.direct(t.Context(), 0, table, terms)
	want := mustParse("c0 + c1*y + c2*x*tanh(0.45*x*y)", "x", "y")
	if !exact || found.Tree.NumParams() != 3 {
		t.Errorf("exact %v by %s, want the form %s", exact, found.Tree.Infix(sr.names), want.Infix(sr.names))
	}
}
