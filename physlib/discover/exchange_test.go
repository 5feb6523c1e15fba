package discover

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// exchangeParts replaces a straight line by the cosine that it approximates.
func TestExchangeParts(t *testing.T) {
	const rows = 60
	rng := rand.New(rand.NewPCG(3, 0))
	a, gamma, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range y {
		a[i], gamma[i] = 1+4*rng.Float64(), 0.3+2.4*rng.Float64()
		y[i] = math.Sqrt(a[i]*a[i]+9-6*a[i]*math.Cos(gamma[i])) + 0.01*rng.NormFloat64()
	}
	k := newRanking(task{t: &dataset.Table{
		Vars:   []dataset.Column{{Name: "a", Values: a}, {Name: "gamma", Values: gamma}},
		Target: dataset.Column{Name: "y", Values: y},
	}, s: Settings{Errors: EqualErrors}}, nil)
	line, err := expr.Parse("sqrt(x0**2 + 9 + x0*(4*x1 - 6))", nil)
	if err != nil {
		t.Fatal(err)
	}
	k.add(line, "test")
	for _, late := range []bool{true, false} {
		law := k.scoreAndOrder(paced(t, late))[0].Tree
		cosine := false
		for _, n := range law.Nodes() {
			cosine = cosine || n.Op == expr.Cos
		}
		if cosine == late {
			t.Errorf("time up %t: %s", late, law.Infix(nil))
		}
	}
}

// shifted adds offsets to the target and to each column, except those that a constant of the law
// can absorb.
func TestShifted(t *testing.T) {
	for law, want := range map[string][]string{
		"c0*sqrt(x0)":      {"c0*sqrt(x0) + c1", "c0*sqrt(x0 + c1)"},
		"c0*x0 + c1":       {"c0*x0 + c1"},
		"asin(c0*x0*x1)":   {"asin(c0*x0*x1) + c1", "asin(c0*x1*(x0 + c1))", "asin(c0*x0*(x1 + c1))"},
		"c0*exp(c1*x0)+c2": {"c0*exp(c1*x0) + c2"},
	} {
		tree, err := expr.Parse(law, nil)
		if err != nil {
			t.Fatal(err)
		}
		starts := []float64{1.5, -0.4, 0.7}[:tree.NumParams()]
		var hashes []uint64
		for _, s := range shifted(mdl.Score{Tree: tree, Params: starts}) {
			hashes = append(hashes, s.Hash())
		}
		for _, text := range want {
			form, err := expr.Parse(text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(hashes, form.MergeParams().Hash()) {
				t.Errorf("%s lacks %s", law, text)
			}
		}
	}
}
