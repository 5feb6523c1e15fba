package motion

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// curved is true for laws with a constant inside a function, a root or a denominator.
func TestCurved(t *testing.T) {
	for text, want := range map[string]bool{
		"2*x - 0.1*y*abs(y)":           false,
		"x*y - 8*x/3":                  false,
		"-x/(x**2 + y**2)**(3/2)":      false,
		"cos(x)/tan(y) - 0.3*sin(x-y)": false,
		"exp(-x) - exp(x)":             true,
		"2 - 3/x":                      false,
		"x*y/(1 + x)":                  true,
		"x*y/(c0 + x**2)":              true,
		"3*exp(-0.2*x)":                true,
		"y*cos(1/x)**2/x":              true,
		"x*exp(-y**2)":                 true,
		"x*log(3/sqrt(x))":             false,
		"x*log(3 + x)":                 true,
		"sqrt(1 - y**2)*x":             true,
	} {
		if got := curved(parse(t, text, "x", "y")); got != want {
			t.Errorf("%s: curved %v, want %v", text, got, want)
		}
	}
}

// The neighbours of a law are one edit away. For example, a 1 becomes a constant, a denominator
// gets an addend, or a factor is removed.
func TestNeighbours(t *testing.T) {
	law := parse(t, "c0*x*y/(x + 1)", "x", "y").WithStarts([]float64{2})
	found := map[uint64]bool{}
	for _, n := range neighbours(law, 2) {
		found[n.Hash()] = true
	}
	for _, want := range []string{"c0*x*y/(x + c1)", "c0*x*y/(c1*x**2 + x + 1)", "c0*y/(x + 1)", "c0*x*y/(y + 1)", "c0*x*y"} {
		if !found[parse(t, want, "x", "y").AbsorbParams().Hash()] {
			t.Errorf("%s is not a neighbour of %s", want, law.Infix([]string{"x", "y"}))
		}
	}
	if found[law.Hash()] {
		t.Error("a law is its own neighbour")
	}
}

// Terms of a sum with a common coefficient, or with the coefficient 1, get separate coefficients.
func TestUntied(t *testing.T) {
	for text, want := range map[string]string{
		"x/(c0*(x + y) - 1)":       "x/(c0*x + c1*y + c2)",
		"c0*x/(x + y + 1)":         "c0*x/(c1*x + c2*y + c3)",
		"c0*sqrt(x**2 + y**2) - x": "c0*sqrt(c1*x**2 + c2*y**2) - x",
	} {
		law, found := parse(t, text, "x", "y"), false
		hash := parse(t, want, "x", "y").AbsorbParams().Hash()
		for _, n := range neighbours(law, 2) {
			found = found || n.Hash() == hash
		}
		if !found {
			t.Errorf("%s is not a neighbour of %s", want, text)
		}
	}
}

// A term that one state loses and another gains is described once. A term of another form, or with
// another constant inside, is not shared.
func TestMutual(t *testing.T) {
	sr := &searcher{names: []string{"x", "y"}, d: &data{order: 1, sigma: make([]float64, 2)}}
	cols := [][]float64{{1, 2, 3, 4, 5, 6}, {3, 1, 4, 1, 5, 9}}
	loss := parse(t, "c0*x - c1*x*y/(c2 + x)", "x", "y")
	for text, want := range map[string]bool{"c0*x*y/(c1 + x) - c2*y": true, "c0*x*y - c2*y": false} {
		gain := parse(t, text, "x", "y")
		params := append([]float64{1, 2, 0.5}, 3, 0.5, 1)[:3+gain.NumParams()]
		if got := sr.mutual([]expr.Tree{loss, gain}, params, nil, cols); got > 10 != want {
			t.Errorf("%s: %.1f bits saved", text, got)
		}
	}
	gain := parse(t, "c0*x*y/(c1 + x) - c2*y", "x", "y")
	if got := sr.mutual([]expr.Tree{loss, gain}, []float64{1, 2, 0.5, 3, 5, 1}, nil, cols); got > 0 {
		t.Errorf("another constant inside: %.1f bits saved", got)
	}
}

// A product that contains a sum has several terms that recur. Together these terms save less than
// the complexity of the product plus the bits of one constant.
func TestMutualProduct(t *testing.T) {
	sr := &searcher{names: []string{"x", "y"}, d: &data{order: 1, sigma: make([]float64, 2)}}
	cols := [][]float64{{1, 2, 3, 4, 5, 6}, {3, 1, 4, 1, 5, 9}}
	a, b := parse(t, "c0*x*(x**2 + y**2)", "x", "y"), parse(t, "c0*y*(x**2 + y**2)", "x", "y")
	got, most := sr.mutual([]expr.Tree{a, b}, []float64{-1, -1}, nil, cols), sr.mostSaved(b)
	if got <= 0 || got > most {
		t.Errorf("%.1f bits saved, want more than none and at most %.1f", got, most)
	}
	if limit := sr.complexity(b); most >= limit+sharedConstantBits+sameCoefBits {
		t.Errorf("at most %.1f bits saved by a term of %.1f bits and a constant", most, limit)
	}
}

// A law is confirmed if a complete further search finds its form again. It is also confirmed if all
// finalists of that search were scored and the law was kept. A confirmed law stays confirmed until
// it changes.
func TestConfirm(t *testing.T) {
	law := func(text string) *candidate { return &candidate{tree: parse(t, text, "x")} }
	for _, c := range []struct {
		before, best, top                  string
		searched, compared, stable, wanted bool
	}{
		{"x", "x", "x", true, false, false, true},
		{"x", "x", "x**2", true, true, false, true},
		{"x", "x", "x**2", true, false, false, false},
		{"x", "x", "x", false, true, false, false},
		{"x", "x", "x**2", false, false, true, true},
		{"x", "x**2", "x**2", true, true, true, false},
	} {
		sr := &searcher{d: &data{sigma: []float64{1}}, best: []*candidate{law(c.best)},
			pools: []pool{{top: law(c.top)}}, stable: []bool{c.stable}, compared: c.compared}
		sr.confirm(snapshot{candidates: []candidate{*law(c.before)}}, c.searched)
		if sr.stable[0] != c.wanted {
			t.Errorf("%+v: %v", c, sr.stable[0])
		}
	}
}

// farFromPole distinguishes a quotient of states far from its pole from a quotient near its pole.
func TestFarFromPole(t *testing.T) {
	cols := [][]float64{{5, 10, 20}, {1, 2, 3}, {0.1, 1, 2}}
	for text, want := range map[string]bool{
		"3 - 2*y/x": true, "x - y/x**2": true, "y/z": false, "3/x": false, "x*y": false, "y/(x + 1)": false,
	} {
		if got := farFromPole(parse(t, text, "x", "y", "z"), cols); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
