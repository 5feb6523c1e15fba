package mdl

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// unknown is a prior in which all forms have the same bits.
type unknown struct{}

func (unknown) Bits(expr.Tree, int) float64 { return 10 }

// A fitted sine is refused if it is nearly linear over all rows.
func TestTurns(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0*cos(c1*x + c2)", []float64{4.5e13, 1.5e-12, 1.5707963}, false},
		{"c0*sin(c1*x)", []float64{2, 0.4}, true},
		{"c0*x + sin(x/1000)", []float64{2}, true}, // no constant in the sine
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.turns(tree.WithStarts(c.params)); got != c.want {
			t.Errorf("%s at %v: %v", c.law, c.params, got)
		}
	}
}

// A law that is constant in most rows is refused if it has more constants than there are other
// rows. An example is a constant with a pole at one row.
func TestVaries(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0 + c1/(x - c2)", []float64{3300, 1e-12, 4.0000001}, false},
		{"c0 + c1/(x - c2)", []float64{3300, 2, 4.1}, true},
		{"c0 + c1*max(x, c2)", []float64{2, 1, 4}, true},
		{"c0 + c1*max(x, c2)", []float64{2, 1, 5}, false},
		{"c0*exp(c1*x)", []float64{1e-9, 30}, true},
		{"c0", []float64{3}, true},
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.varies(tree.WithStarts(c.params)); got != c.want {
			t.Errorf("%s at %v: %v", c.law, c.params, got)
		}
	}
}

// A term that is negligible in all rows is found, whether it is the left or the right operand of
// its sum.
func TestTerms(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law, without string // without: the law without its smaller term; "": no term is negligible
		params       []float64
		needed       bool
	}{
		{"c0*(c1*x - 1)", "c0*(c1*x)", []float64{1e-12, 1e12}, false},
		{"c0*(1 - c1*x)", "c0*(-(c1*x))", []float64{1e-12, 1e12}, false},
		{"c0*(c1 + x)", "c0*c1", []float64{3, 1e3}, true}, // x is small, but not negligible
		{"c0*(c1 + x)", "", []float64{3, 3}, true},
		{"c0*(x + 1e12)", "", []float64{3}, true}, // no constant in the sum, which may convert units
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		tree = tree.WithStarts(c.params)
		if got := s.needsTerms(tree); got != c.needed {
			t.Errorf("%s at %v needs its terms: %v", c.law, c.params, got)
		}
		without := ""
		for _, term := range s.Terms(tree) {
			if term.Share < 0.05 {
				without = term.Without.String()
			}
		}
		want := ""
		if c.without != "" {
			law, err := expr.Parse(c.without, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			want = law.WithStarts(c.params).String()
		}
		if without != want {
			t.Errorf("%s at %v: without a term %s, want %s", c.law, c.params, without, want)
		}
	}
}

// A law is refused if it is the small difference of two large terms with fitted constants. It is
// accepted if only one of the terms has such constants.
func TestCancels(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0*x**c1 - c2*x", []float64{1e7, 1 + 1e-7, 1e7}, true},
		{"c0*exp(c1*x) + c2*x", []float64{3, 0.5, -1}, false},
		{"c0*x - c1*x**2", []float64{6, 1}, false},
		{"sqrt(1e16*x**2 + c0) - 1e8*x", []float64{3e8}, false}, // no constant in the second term
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.cancels(tree.WithStarts(c.params)); got != c.want {
			t.Errorf("%s at %v: %v", c.law, c.params, got)
		}
	}
}

// A term that matters in one row alone imitates an outlier, unless the row is at the end of the
// range, where the term may be a steep exponential.
func TestImitatesOutlier(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0*x + c1 + c2/(x - c3)", []float64{1, 2, 1e-3, 6.0002}, true},
		{"c0*x + c1 + c2*exp(-(x - c3)**2)", []float64{1, 2, 0.2, 6}, true},
		{"c0*x + c1 + c2*exp(-(x - c3)**2)", []float64{1, 2, 5, 6}, false}, // also in neighbouring rows
		{"c0*x + c1 + c2*exp(c3*x)", []float64{1, 2, 1e-17, 4.5}, false},   // at the end of the range
		{"c0*x*(c1 + c2/(x - c3))", []float64{1, 2, 1e-3, 6.0002}, false},  // not a sum of terms
		{"c0/(x - c1)", []float64{1e-3, 6.0002}, false},                    // the whole law
		{"c0*x + c1 + c2/(x - c3)", []float64{1, 2, 1e-3, 6.5}, false},     // below the errors in all rows
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		score := Score{Model: Equal, Tree: tree.WithStarts(c.params), Params: c.params, Size: 0.1}
		if got := s.imitatesOutlier(score); got != c.want {
			t.Errorf("%s at %v: %v, want %v", c.law, c.params, got, c.want)
		}
	}
}
