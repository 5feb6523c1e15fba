package pursuit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// A quick fit succeeds from starting values that are three times too large or too small, with and
// without weights.
func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := Problem{X: [][]float64{make([]float64, 200), make([]float64, 200)}, Y: make([]float64, 200), Weights: make([]float64, 200)}
	for i := range p.Y {
		x, z := 0.1+2*rng.Float64(), 3*rng.Float64()
		p.X[0][i], p.X[1][i] = x, z
		p.Y[i], p.Weights[i] = 2*x*math.Exp(-1.3*z)-0.5/(0.7+x*x), 0.5+rng.Float64()
	}
	s := New(p)
	terms := make([]term, 2)
	for i, start := range []string{"x0*exp(-c0*x1)", "1/(c0 + x0**2)"} {
		tree, err := expr.Parse(start, nil)
		if err != nil {
			t.Fatal(err)
		}
		terms[i] = term{tree: tree.WithStarts([]float64{[]float64{0.5, 2}[i]}), family: uint64(i)}
	}
	left, at := s.newQuick().fit(terms)
	if left > 1e-12 || math.Abs(at[0]-1.3) > 1e-4 || math.Abs(at[1]-0.7) > 1e-4 {
		t.Errorf("left %g at %v", left, at)
	}
}
