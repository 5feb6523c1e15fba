package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// The beam search finds a sum of four powers among twelve that are nearly collinear. A greedy
// selection begins with wrong powers.
func TestBeam(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rows = 300
	m := &matching{integralForm: &integralForm{rows: rows}}
	x := make([]float64, rows)
	for i := range x {
		x[i] = 0.2 + 1.6*rng.Float64()
	}
	y := make([]float64, rows)
	want := map[int]float64{0: 1, 2: -3, 5: 2, 9: -0.4}
	for p := range 12 {
		v := make([]float64, rows)
		for i := range v {
			v[i] = math.Pow(x[i], float64(p)/2)
			y[i] += want[p] * v[i]
		}
		size := math.Sqrt(dot(v, v))
		for i := range v {
			v[i] /= size
		}
		m.trees = append(m.trees, expr.Apply(expr.Pow, expr.X(0), expr.Num(float64(p)/2)))
		m.cols, m.size = append(m.cols, v), append(m.size, size)
	}
	for i := range y {
		y[i] += 1e-5 * rng.NormFloat64()
	}
	m.integralForm.y, m.termMatrix.y = y, y
	sr := &searcher{names: []string{"x"}, d: &data{sigma: []float64{1e-5}}}
	best := sr.newBeam(context.Background(), 0, m).sums(context.Background())[0]
	if !slices.Equal(best.terms, []int{0, 2, 5, 9}) {
		t.Fatalf("terms %v", best.terms)
	}
	for i, c := range m.fitted(best.terms).coefs {
		if w := want[best.terms[i]]; math.Abs(c-w) > 0.05 {
			t.Errorf("coefficient %d is %g, want %g", i, c, w)
		}
	}
}

// factored takes common factors out of sums if this makes the law shorter. The values of the law
// stay the same.
func TestFactored(t *testing.T) {
	sr := &searcher{names: []string{"x", "y"}}
	for text, want := range map[string]string{
		"c0*x + c1*x*y":                    "x*(c0 + c1*y)",
		"c0*y + c1*y*x/(c2 + x)":           "y*(c0 + c1*x/(c2 + x))",
		"c0*x**2 + c1*x*y + c2*x + c3":     "x*(c0*x + c1*y + c2) + c3",
		"c0*x - c1*x*y*y - x*x*c2":         "x*(c0 - c1*y*y - c2*x)",
		"c0 + c1*y":                        "c0 + c1*y",
		"c0*sin(x) + c1*y":                 "c0*sin(x) + c1*y",
		"c0*x**2*y + c1*x**2/y - x**3 + y": "x**2*(c0*y + c1/y - x) + y",
	} {
		tree, shorter := parse(t, text, "x", "y"), parse(t, want, "x", "y")
		got := factored(tree, 2, sr.complexity)
		if !expr.Equal(got, tree) {
			t.Errorf("%s is no longer the same law: %s", text, got.Infix([]string{"x", "y"}))
		}
		if a, b := sr.complexity(got), sr.complexity(shorter); a > b+1e-9 {
			t.Errorf("%s takes %.1f bits as %s, and %.1f as %s", text, a, got.Infix([]string{"x", "y"}), b, want)
		}
	}
}

// A 1 in a sum costs bits, a 1 in a product does not.
func TestUnity(t *testing.T) {
	for text, want := range map[string]bool{
		"1 + x": true, "x + 1": true, "y*(x - 1)": true, "1 - x*y": true, "y/(1 + x**2)": true,
		"x*y": false, "1/x": false, "x + y": false, "x + 1/y": false,
	} {
		nodes := parse(t, text, "x", "y").Nodes()
		found := false
		for i, n := range nodes {
			found = found || n.Op == expr.Number && math.Abs(n.Value) == 1 && isAddend(nodes, i)
		}
		if found != want {
			t.Errorf("%s: %v, want %v", text, found, want)
		}
	}
}
