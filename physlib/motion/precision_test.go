package motion

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// TestPrecisionBits checks that constants that compensate for one another are priced once, whatever
// their scales.
func TestPrecisionBits(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-6 }
	alone := math.Log2(1 + 100)
	if got := precisionBits(mat.NewSymDense(2, []float64{1e4, 0, 0, 1e4}), 2, 3); !near(got, 2*alone) {
		t.Errorf("two independent constants take %.3f bits, want %.3f", got, 2*alone)
	}
	if got := precisionBits(mat.NewSymDense(2, []float64{1e4, 1e4, 1e4, 1e4}), 2, 3); !near(got, alone+3) {
		t.Errorf("two constants in one combination take %.3f bits, want %.3f", got, alone+3)
	}
	if got := precisionBits(mat.NewSymDense(2, []float64{1e4, 0, 0, 0}), 2, 3); !near(got, alone+3) {
		t.Errorf("a constant without effect takes %.3f bits, want 3", got-alone)
	}
}

// TestInverse inverts Fisher matrices whose constants have very different scales, and a matrix with
// a constant that has no effect.
func TestInverse(t *testing.T) {
	v := inverse(mat.NewSymDense(3, []float64{1e24, 0.5e12, 0, 0.5e12, 1, 0, 0, 0, 0}), 3)
	if v == nil || math.Abs(v.At(1, 1)-4.0/3) > 1e-6 || math.Abs(v.At(0, 0)*1e24-4.0/3) > 1e-6 {
		t.Fatalf("inverse %v", v)
	}
	if !math.IsInf(v.At(2, 2), 1) || v.At(0, 2) != 0 {
		t.Errorf("a constant without effect has variance %g, covariance %g", v.At(2, 2), v.At(0, 2))
	}
}

// TestSimplifications checks that the simplifications of a law include the limit that the law has
// if one of its constants is very large.
func TestSimplifications(t *testing.T) {
	law := mustParse("x0*(c0*x1 + sqrt(c1 - x0))", "x0", "x1")
	want := mustParse("x0*(c0*x1 + c1)", "x0", "x1").Hash()
	for _, s := range simplifications(law) {
		if s.Hash() == want {
			return
		}
	}
	t.Errorf("simplifications of %v are %v", law, simplifications(law))
}

// TestOps checks that the library contains allowed operators only.
func TestOps(t *testing.T) {
	tr, _, err := Read(thrown(30, 1), Options{Group: "run"})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, s: Settings{Search: discover.Settings{Ops: []string{"+", "*"}}}, d: tr.data(context.Background(), nil), names: []string{"y"}}
	for _, a := range sr.termsFor(0) {
		for _, n := range a.Nodes() {
			if n.Op.Arity() > 0 && n.Op != expr.Add && n.Op != expr.Mul && n.Op != expr.Square && n.Op != expr.Cube {
				t.Errorf("the library holds %v", a)
			}
		}
	}
	if n := len(sr.termsFor(0)); n < 4 {
		t.Errorf("the library holds %d terms", n)
	}
}
