package pursuit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// uniform returns n values between lo and hi.
func uniform(rng *rand.Rand, n int, lo, hi float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*rng.Float64()
	}
	return v
}

func TestLaws(t *testing.T) {
	for _, c := range []struct {
		name string
		low  float64 // lower end of the range of the variables; the upper end is 2
		law  func(a, b float64) float64
	}{
		{"powers of a size", -2, func(a, b float64) float64 { return 0.7*math.Cbrt(math.Abs(a)) - 1.1*b*b*b + 0.3*a*math.Abs(b) }},
		{"sine and decay", 0.1, func(a, b float64) float64 { return 0.5*math.Sin(3.3*b) + 1.5*a*math.Exp(-0.8*b) - 0.2*a*a }},
		{"logarithm of a size", -2, func(a, b float64) float64 { return -0.6*a - 0.4*math.Log(1+math.Abs(a)) + 0.9*math.Sin(b) }},
		{"saturation", 0.1, func(a, b float64) float64 { return 2.1*a/(0.4+a) - 0.3*b + 0.8*b*math.Exp(-a) }},
		{"five terms", -2, func(a, b float64) float64 {
			return 1.3*a - 0.8*b + 0.5*a*a*b - 0.3*math.Sin(a) + 0.25*b*math.Exp(-math.Abs(a))
		}},
		{"a step beside a polynomial", 0.1, func(a, b float64) float64 { return 1.2*a - 0.1*a*a + 0.5*a/(1+math.Exp(-3*(a-1.1))) + 0*b }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			p := Problem{X: [][]float64{uniform(rng, 200, c.low, 2), uniform(rng, 200, c.low, 2)}}
			for i := range 200 {
				p.Y = append(p.Y, c.law(p.X[0][i], p.X[1][i]))
			}
			least := math.Inf(1)
			s := New(p)
			for depth := range Depths {
				for l := range s.Laws(context.Background(), depth) {
					if l.Error < least {
						t.Logf("%.1e %s", l.Error, l.Tree.Bind(l.Tree.Params()).Infix([]string{"a", "b"}))
						least = l.Error
					}
				}
				if least < 1e-7 {
					return
				}
			}
			t.Errorf("relative error %g", least)
		})
	}
}
