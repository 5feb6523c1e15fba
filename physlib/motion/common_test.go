package motion

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// commonSearcher returns a searcher for the states x and y, with the sampled rows cols and the
// chosen laws.
func commonSearcher(cols [][]float64, laws ...expr.Tree) *searcher {
	sr := &searcher{names: []string{"x", "y"}, d: &data{order: 1, sigma: make([]float64, 2)}, sample: cols}
	sr.once.Do(func() {}) // keeps the method some from replacing the sample
	for _, t := range laws {
		sr.best = append(sr.best, &candidate{tree: t})
	}
	return sr
}

// commonTerms finds a term that two laws share, with its sign. The replacements of the term include
// a saturating term whose limit is the common term. With its starting constants, the saturating
// term has nearly the values of the common term.
func TestCommonTerms(t *testing.T) {
	cols := [][]float64{{4, 6, 8, 10, 13, 16}, {20, 10, 40, 15, 30, 12}}
	sr := commonSearcher(cols, parse(t, "20 - x - 2*y/x", "x", "y"), parse(t, "10 - 2*y/x", "x", "y"))
	common := sr.commonTerms(1, 0)
	if len(common) != 1 || !expr.Equal(common[0].term, parse(t, "y/x", "x", "y")) || common[0].exchanged {
		t.Fatalf("common terms %+v, want y/x", common)
	}
	c := common[0]
	if math.Abs(c.inK.coef+2) > 1e-9 || math.Abs(c.inJ.coef+2) > 1e-9 {
		t.Errorf("coefficients %g and %g, want -2", c.inK.coef, c.inJ.coef)
	}
	want := parse(t, "x*y/(1 + c0*x**2)", "x", "y").AbsorbParams().Hash()
	for _, r := range sr.replacements(c) {
		if r.free || r.term.AbsorbParams().Hash() != want {
			continue
		}
		law := c.inJ.with(r.term, r.coef, r.free)
		value := law.Values(len(cols[0]), cols, law.Params())
		for i, x := range cols[0] {
			if y := 20 - x - 2*cols[1][i]/x; math.Abs(value[i]-y) > 0.2*2*cols[1][i]/x {
				t.Errorf("row %d: %g is far from %g", i, value[i], y)
			}
		}
		return
	}
	t.Error("x*y/(1 + c*x²) does not replace y/x")
}

// The two components of a force share a term in which the two states are exchanged.
func TestCommonTermsExchanged(t *testing.T) {
	cols := [][]float64{{4, 6, 8, 10, 13, 16}, {20, 10, 40, 15, 30, 12}}
	sr := commonSearcher(cols, parse(t, "3*x**2*y", "x", "y"), parse(t, "5 - 3*y**2*x", "x", "y"))
	if common := sr.commonTerms(1, 0); len(common) != 1 || !common[0].exchanged {
		t.Errorf("common terms %+v, want one with the states exchanged", common)
	}
}

// A linear drag of both components may be replaced by a quadratic drag, and a linear force by a
// force that falls with the distance.
func TestCentral(t *testing.T) {
	cols := [][]float64{{4, 6, 8, 10, 13, 16}, {20, 10, 40, 15, 30, 12}}
	sr := commonSearcher(cols, parse(t, "-0.2*x", "x", "y"), parse(t, "-9.8 - 0.3*y", "x", "y"))
	common := sr.commonTerms(1, 0)
	if len(common) != 1 || !common[0].exchanged {
		t.Fatalf("common terms %+v, want y with the states exchanged", common)
	}
	list := sr.replacements(common[0])
	for _, text := range []string{"y*sqrt(x**2 + y**2)", "y/(x**2 + y**2)**(3/2)"} {
		want := parse(t, text, "x", "y").Simplify()
		if !slices.ContainsFunc(list, func(r replacement) bool { return expr.Equal(r.term, want) }) {
			t.Errorf("%s does not replace y", text)
		}
	}
	sr = commonSearcher(cols, parse(t, "-0.2*x", "x", "y"), parse(t, "-9.8 - 0.3*x", "x", "y"))
	if common := sr.commonTerms(1, 0); len(common) != 0 {
		t.Errorf("common terms %+v, want none for a state that is in both laws", common)
	}
}
