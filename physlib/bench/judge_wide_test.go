package bench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Laws are compared only where the columns have the signs of the data, and only as precisely as
// float64 determines the truth.
func TestJudgeWide(t *testing.T) {
	// x = f - a is positive in the data, and negative at some points of the wider ranges
	signs := corpus.Problem{ID: "signs", Law: "x + a", Output: "f",
		Vars:  []corpus.Var{{Name: "a", Low: 1, High: 3}, {Name: "x", Low: 0.2, High: 5}},
		Given: corpus.Given{Name: "x", Law: "f - a", Result: corpus.Var{Name: "f", Low: 3.2, High: 6}}}
	// the rounding error of x and y is a hundred-thousandth of their difference
	near := corpus.Problem{ID: "near", Law: "sin(x)*cos(y) - cos(x)*sin(y)", Output: "f",
		Vars: []corpus.Var{{Name: "x", Low: 1, High: 1 + 1e-11}, {Name: "y", Low: 1, High: 1 + 1e-11}}}
	for _, c := range []struct {
		p     corpus.Problem
		found string
		want  bool
	}{
		{signs, "abs(x) + a", true},
		{signs, "x + abs(a)", true},
		{signs, "x + 1.01*a", false},
		{signs, "a - x", false},
		{near, "sin(x - y)", true},
		{near, "1.01*sin(x - y)", false},
		{near, "sin(y - x)", false},
	} {
		j, err := newJudge(c.p, false, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		found, err := expr.Parse(c.found, c.p.Names())
		if err != nil {
			t.Fatal(err)
		}
		if got := j.judge(law.Law{Tree: found, Vars: c.p.Names()}); got.exact != c.want {
			t.Errorf("true %s, found %s: exact is %v", c.p.Law, c.found, got.exact)
		}
	}
}

func TestSigned(t *testing.T) {
	data := points{cols: [][]float64{{1, 2, 3}, {-1, 0, 2}}}
	wide := points{cols: [][]float64{{1, -1, 0, 5}, {-3, 1, 0, 9}}, y: []float64{10, 11, 12, 13}}
	kept := wide.signed(data)
	if want := []float64{10, 12, 13}; !slices.Equal(kept.y, want) {
		t.Errorf("points %v are kept, want %v", kept.y, want)
	}
	if want := []float64{-3, 0, 9}; !slices.Equal(kept.cols[1], want) {
		t.Errorf("column %v, want %v", kept.cols[1], want)
	}
}

// The slack of a law is large where it depends on a small difference, and small elsewhere.
func TestLoosen(t *testing.T) {
	tree, err := expr.Parse("x - y", []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	p := points{cols: [][]float64{{1e9, 1}, {1e9 - 1, 1e-9}}, y: []float64{1, 1 - 1e-9}}
	p.loosen(tree)
	if p.slack[0] < 1e-7 || p.slack[0] > 1e-5 || p.slack[1] > 1e-14 {
		t.Errorf("slack %v, want about 2e-6 and 1e-15", p.slack)
	}
}
