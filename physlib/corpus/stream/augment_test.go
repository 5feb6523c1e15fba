package stream

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// holds reports whether y = Scale·Law(x) in all rows, within the given fraction of y.
func holds(p Problem, tolerance float64) bool {
	y := p.Law.Values(len(p.Y), p.X, p.Law.Params())
	for i := range y {
		if d := math.Abs(p.Scale*y[i] - p.Y[i]); !(d <= tolerance*(math.Abs(p.Y[i])+dataset.RMS(p.Y))) {
			return false
		}
	}
	return true
}

func TestAugmentationsKeepTheLaw(t *testing.T) {
	s := mustNew(t, Config{Rows: 24, NoUnits: -1})
	rng := rand.New(rand.NewPCG(1, 2))
	kept := 0
	for i := range 300 {
		p := s.Problem(21, uint64(i))
		before := p
		x, y := p.X[0][0], p.Y[0]
		if q := WithOrder(p, rng.Perm(len(p.X))); !holds(q, 1e-6) {
			t.Errorf("%s in another order: %g*%s", p.Law, q.Scale, q.Law)
		}
		if q := Subsample(p, 0.5, rng); len(q.Y) != 12 || !holds(q, 1e-6) {
			t.Errorf("%s: %d rows of 24", p.Law, len(q.Y))
		}
		var powers [len(unit.Dim{})]float64
		for b := range powers {
			powers[b] = math.Pow(10, float64(rng.IntN(3)-1))
		}
		q := InUnits(p, powers)
		if !holds(q, 1e-6) {
			t.Errorf("%s in other units: %g*%s", p.Law, q.Scale, q.Law)
		}
		if sameNodes(q.Law.Nodes(), p.Law.Nodes()) {
			kept++
		}
		factors := make([]float64, len(p.X))
		for c := range factors {
			factors[c] = 0.5 + rng.Float64()
		}
		if q := Rescaled(p, factors, 3); !holds(q, 1e-6) {
			t.Errorf("%s rescaled: %g*%s", p.Law, q.Scale, q.Law)
		}
		if q, ok := Resampled(p, rng); ok && !holds(q, 1e-6) {
			t.Errorf("%s resampled", p.Law)
		}
		for _, augment := range []func(Problem, *rand.Rand) Problem{AugmentPhysDiffuse, AugmentPARR, AugmentPhysMDT} {
			augment(p, rng)
		}
		if !reflect.DeepEqual(p, before) || p.X[0][0] != x || p.Y[0] != y {
			t.Fatal("an augmentation changed its argument")
		}
	}
	if kept < 280 {
		t.Errorf("of 300 laws %d keep their form in other units", kept)
	}
}

func TestAugmentWithoutLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := Problem{X: [][]float64{{1, 2, 3}, {4, 5, 6}}, Y: []float64{1, 2, 3}}
	for range 20 {
		for _, augment := range []func(Problem, *rand.Rand) Problem{AugmentPhysDiffuse, AugmentPARR, AugmentPhysMDT} {
			if q := augment(p, rng); len(q.X) != 2 || len(q.Y) != len(q.X[0]) || q.Law.Len() > 0 {
				t.Errorf("%v", q)
			}
		}
	}
}
