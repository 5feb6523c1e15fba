package mdl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Accelerated steps give the same scale as the plain iteration, for errors with and without heavy
// tails.
func TestStudentScaleOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, heavy := range []bool{false, true} {
		res := make([]float64, manyResiduals+1)
		for i := range res {
			res[i] = 0.3 * rng.NormFloat64()
			if heavy {
				res[i] /= math.Sqrt((rng.ExpFloat64() + rng.ExpFloat64()) / 2)
			}
		}
		var s2 float64
		for _, r := range res {
			s2 += r * r / float64(len(res))
		}
		want := s2
		for range 200 {
			sum := 0.0
			for _, r := range res {
				sum += (tails + 1) / (tails + r*r/want) * r * r
			}
			want = sum / float64(len(res))
		}
		if got := studentScale(res, tails, s2); math.Abs(got-want) > 1e-8*want {
			t.Errorf("heavy %v: scale² %v, want %v", heavy, got, want)
		}
	}
}

// The floor of the scale is the rounding. Without this floor, a law that misses one row and fits
// all others to rounding would have fewer bits than a law that fits all rows.
func TestHeavyTailsAboveRounding(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "U"}}
	for i := range 60 {
		x := float64(i) / 5
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, math.Round(5e11*math.Exp(-x/3.3))/1e8)
	}
	s := New(table, unknown{}, false).Scorer()
	bits := func(law string) float64 {
		tree, err := expr.Parse(law, []string{"t"})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := s.Score(tree.WithStarts([]float64{5000, -0.303, 4e5}[:tree.NumParams()]), Effort{Final: true})
		if !ok {
			return math.Inf(1)
		}
		return c.Bits
	}
	if all, without := bits("c0*exp(c1*t)"), bits("c0*exp(c1*t)*min(c2*t, 1)"); all > without {
		t.Errorf("the law of all rows has %.1f bits, that without the first row %.1f", all, without)
	}
}
