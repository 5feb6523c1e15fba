package discover_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// A power law over decades with errors of half the value is found with its exponent. R² is small,
// since the largest values deviate most.
func TestLargeRelativeErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var mass, light []float64
	for i := range 16 {
		m := 0.2 * math.Pow(60/0.2, float64(i)/15)
		mass, light = append(mass, m), append(light, 1.2*math.Pow(m, 3.4)*math.Exp(0.4*rng.NormFloat64()))
	}
	light[15] *= 0.3
	table := &dataset.Table{Name: "stars", Target: dataset.Column{Name: "L", Values: light},
		Vars: []dataset.Column{{Name: "M", Values: mass}}}
	r := found(t, table, discover.Settings{Evaluations: 2000})
	c := r.Best.Constants
	if r.Best.Tree.Len() == 0 || len(c) != 2 || math.Abs(c[1].Value-3.4) > 3*c[1].StdErr || c[1].StdErr > 0.15 {
		t.Fatalf("%s with %v; %s", r.Best.Infix(), c, r.Verdict)
	}
	if !strings.Contains(r.Verdict, "of the logarithms 0.9") {
		t.Errorf("verdict %q", r.Verdict)
	}
}
