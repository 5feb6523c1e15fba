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

// The constant inside a term is shifted to its best value, although the library has the term with
// another one only. The best sum starts at this value, with the coefficient that belongs to it.
func TestBeamShifts(t *testing.T) {
	const rows, bend, coef = 200, 1.4, 3.0
	tree := mustParse("x/(c0 + x)", "x").WithStarts([]float64{1.7})
	x := make([]float64, rows)
	for i := range x {
		x[i] = 5 * float64(i+1) / rows
	}
	column := func(tree expr.Tree) ([]float64, float64) {
		v := tree.Values(rows, [][]float64{x}, tree.Params())
		return v, math.Sqrt(dot(v, v))
	}
	y, _ := column(tree.WithStarts([]float64{bend}))
	for i := range y {
		y[i] *= coef
	}
	m := &matching{integralForm: &integralForm{rows: rows, y: y}, termMatrix: termMatrix{y: y}}
	for _, term := range []expr.Tree{tree, mustParse("x", "x"), mustParse("x**2", "x")} {
		v, whole := column(term)
		m.add(term, v, whole)
	}
	m.addSlopes(column)
	sr := &searcher{names: []string{"x"}, d: &data{sigma: []float64{0.05}}}
	best := sr.newBeam(context.Background(), 0, m).sums(context.Background())[0]
	if n := m.numTerms(best.terms); n != 1 || len(best.terms) != 2 {
		t.Fatalf("columns %v, %d of them terms; want the term and its slope", best.terms, n)
	}
	s := m.fitted(best.terms)
	if got := s.terms[0].Params()[0]; math.Abs(got/bend-1) > 0.05 {
		t.Errorf("the constant inside starts at %g, want about %g", got, bend)
	}
	if math.Abs(s.coefs[0]/coef-1) > 0.05 {
		t.Errorf("the coefficient is %g, want about %g", s.coefs[0], coef)
	}
}

// Three terms that describe the target only together are found among many terms that are each close
// to it.
func TestBeamTriples(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const rows, decoys = 300, 3 * beamWidth
	random := func() []float64 {
		v := make([]float64, rows)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	y, a, b := random(), random(), random()
	c := make([]float64, rows)
	for i := range c {
		c[i] = y[i] - 20*a[i] + 20*b[i]
	}
	m := &matching{integralForm: &integralForm{rows: rows, y: y}, termMatrix: termMatrix{y: y}}
	add := func(tree expr.Tree, v []float64) { m.add(tree, v, math.Sqrt(dot(v, v))) }
	for k, v := range [][]float64{a, b, c} {
		add(expr.X(k), v)
	}
	for k := range decoys {
		v := random()
		for i := range v {
			v[i] = y[i] + 0.1*v[i]
		}
		add(expr.Apply(expr.Sin, expr.X(3+k)), v)
	}
	m.addSlopes(func(expr.Tree) ([]float64, float64) { return nil, 0 })
	sr := &searcher{names: slices.Repeat([]string{"x"}, 3+decoys), d: &data{sigma: []float64{1e-3}}}
	best := sr.newBeam(context.Background(), 0, m).sums(context.Background())[0]
	if !slices.Equal(best.terms, []int{0, 1, 2}) {
		t.Errorf("terms %v, want 0, 1 and 2", best.terms)
	}
}
