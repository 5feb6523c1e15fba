package match

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/column"
)

// The pairs and triples that are best according to the Gram matrix are also best by least squares,
// even if two features are nearly collinear.
func TestDensePairsAndTriples(t *testing.T) {
	j, _ := joinOf(t, "sqrt(1 + a**2/400) - 1 + b*c", false)
	for name, cs := range map[string][]Combo{
		"pairs": j.PairsInDouble(60, 20), "triples": j.Triples(40, 20),
	} {
		if len(cs) == 0 {
			t.Errorf("%s: none", name)
			continue
		}
		for i, c := range cs[:min(len(cs), 10)] {
			_, _, left := naive(t, j.columnsOf(c.Features), j.Target)
			if got := math.Sqrt(c.Miss) * j.Residual(); math.Abs(got-left) > 1e-6*left {
				t.Errorf("%s: %v leave %g, want %g", name, c.Features, got, left)
			}
			if i > 0 && c.Miss < cs[i-1].Miss {
				t.Errorf("%s: not in order", name)
			}
		}
	}
	least := j.PairsInDouble(60, 1)[0].Miss
	for b := range int32(60) {
		for a := range b {
			set := []int32{a, b}
			if miss := j.score(set, j.projected([][]int32{set})).Miss; miss < least*(1-1e-9) {
				t.Errorf("%v leave %g, less than the best pair's %g", set, miss, least)
			}
		}
	}
}

// A join made by Retarget agrees with least-squares fits to its new target.
func TestRetarget(t *testing.T) {
	j, _ := joinOf(t, "exp(a*b/2) + c", false)
	other := make([]float64, len(j.Target))
	for i := range other {
		other[i] = math.Sin(3 * float64(i))
	}
	o, ok := j.Retarget(other)
	if !ok {
		t.Fatal("refused")
	}
	for _, set := range [][]int32{{0}, {1, 5}, {2, 3, 8}} {
		_, _, left := naive(t, o.columnsOf(set), other)
		if got := math.Sqrt(o.score(set, o.projected([][]int32{set})).Miss) * o.Residual(); math.Abs(got-left) > 1e-6*left {
			t.Errorf("%v leave %g, want %g", set, got, left)
		}
	}
	for i, v := range o.dense.rows {
		if math.Abs(o.dense.r[i]-column.Dot(v, o.tq)) > 1e-12 || math.Abs(o.dense.r[i]-float64(o.r[i])) > 1e-5 {
			t.Errorf("feature %d: products %g and %g", i, o.dense.r[i], o.r[i])
		}
	}
	if again, _ := j.Retarget(other); &again.dense.gram[0] != &o.dense.gram[0] {
		t.Error("the scalar products of the features are calculated for each target")
	}
	if _, ok := j.Retarget(j.Base[0]); ok {
		if o, _ := j.Retarget(j.Base[0]); o.Residual() > 1e-10 {
			t.Error("the base itself leaves something")
		}
	}
}
