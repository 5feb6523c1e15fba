package pair

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns n random rows of unit norm and their r with a random target.
func random(n, points int, seed uint64) (Rows, []float32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := NewRows(n, points)
	v := make([]float64, points)
	for i := range n {
		f.Set(i, gauss(rng, v))
	}
	t := NewRows(1, points)
	t.Set(0, gauss(rng, v))
	return f, f.Dot(t.Row(0))
}

func gauss(rng *rand.Rand, v []float64) []float64 {
	for k := range v {
		v[k] = rng.NormFloat64()
	}
	return v
}

// naive is the definition: every pair in float64, all of them sorted.
func naive(a Rows, ra []float32, b Rows, rb []float32, square bool, o Options) []Pair {
	o = o.withDefaults()
	var all []Pair
	for i := range a.N {
		for j := range b.N {
			if square && j <= i {
				continue
			}
			c := dot64(a.Row(i), b.Row(j))
			x, y := float64(ra[i]), float64(rb[j])
			den := 1 - c*c
			r2 := float32((x*x + y*y - 2*x*y*c) / den)
			if den >= float64(o.MinDen) && r2 >= o.Floor {
				all = append(all, Pair{int32(i), int32(j), r2})
			}
		}
	}
	slices.SortFunc(all, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(q.R2, p.R2), cmp.Compare(p.I, q.I), cmp.Compare(p.J, q.J))
	})
	return all[:min(o.K, len(all))]
}

// eachKernel runs a test with every kernel that this machine and build can run.
func eachKernel(t *testing.T, test func(t *testing.T, l loops)) {
	for _, l := range all() {
		t.Run(l.name, func(t *testing.T) { test(t, l) })
	}
}

// samePairs compares scores; where neighbours are within the rounding of float32 they may have changed places.
func samePairs(t *testing.T, got, want []Pair, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	for n := range want {
		if d := math.Abs(float64(got[n].R2 - want[n].R2)); !(d <= tol) {
			t.Fatalf("pair %d is %v, want %v", n, got[n], want[n])
		}
	}
}

func TestSquareAgainstNaive(t *testing.T) {
	eachKernel(t, func(t *testing.T, l loops) {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 129, 300} {
			for _, points := range []int{1, 5, 16, 50, 64} {
				for _, k := range []int{1, 20, 100000} {
					f, r := random(n, points, uint64(n*1000+points))
					o := Options{K: k, MinDen: 0.01}
					got := tiled{l}.Square(t.Context(), f, r, o)
					want := naive(f, r, f, r, true, o)
					if points == 1 {
						want = nil // all rows are collinear
					}
					t.Run(fmt.Sprintf("n=%d,points=%d,k=%d", n, points, k), func(t *testing.T) { samePairs(t, got, want, 1e-4) })
				}
			}
		}
	})
}

var _ = context.Background
