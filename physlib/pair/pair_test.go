package pair

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// random returns n random rows of unit norm and their scalar products r with a random target.
func random(n, points int, seed uint64) (Rows, []float32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := NewRows(n, points)
	v := make([]float64, points)
	for i := range n {
		f.Set(i, gauss(rng, v))
	}
	return f, f.Dot(target(rng, points))
}

func target(rng *rand.Rand, points int) []float32 {
	t := NewRows(1, points)
	t.Set(0, gauss(rng, make([]float64, points)))
	return t.Row(0)
}

func gauss(rng *rand.Rand, v []float64) []float64 {
	for k := range v {
		v[k] = rng.NormFloat64()
	}
	return v
}

// naive calculates the result of Square from its definition: every pair in float64, all pairs
// sorted.
func naive(f Rows, r []float32, o Options) []Pair {
	o = o.withDefaults()
	var all []Pair
	for j := range f.N {
		for i := range j {
			c := dot64(f.Row(i), f.Row(j))
			x, y := float64(r[i]), float64(r[j])
			den := 1 - c*c
			r2 := float32((x*x + y*y - 2*x*y*c) / den)
			if den >= float64(o.MinDen) && r2 >= o.Floor {
				all = append(all, Pair{int32(i), int32(j), r2})
			}
		}
	}
	slices.SortFunc(all, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.R2, a.R2), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	})
	return all[:min(o.K, len(all))]
}

// eachSet runs a test with the loops of every instruction set that this machine and build have.
func eachSet(t *testing.T, test func(t *testing.T, l loops)) {
	for _, l := range simdLoops() {
		t.Run(l.name, func(t *testing.T) { test(t, l) })
	}
}

// samePairs compares scores only, since the rounding of float32 may change the order of pairs with
// almost equal scores.
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
	eachSet(t, func(t *testing.T, l loops) {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 129, 300} {
			for _, points := range []int{5, 16, 50, 64} {
				for _, k := range []int{1, 20, 100_000} {
					f, r := random(n, points, uint64(n*1000+points))
					o := Options{K: k, MinDen: 0.01}
					got, want := tiled{l}.Square(t.Context(), f, r, o), naive(f, r, o)
					t.Run(fmt.Sprintf("n=%d,points=%d,k=%d", n, points, k), func(t *testing.T) { samePairs(t, got, want, 1e-4) })
				}
			}
		}
	})
}

// planted returns random rows and a target that is a combination of a few of them.
func planted(n, points int, seed uint64, parts ...int) (Rows, []float32) {
	rng := rand.New(rand.NewPCG(seed, 2))
	f := NewRows(n, points)
	v := make([]float64, points)
	sum := make([]float64, points)
	for i := range n {
		f.Set(i, gauss(rng, v))
		if slices.Contains(parts, i) {
			weight := 0.5 + rng.Float64()
			for k := range sum {
				sum[k] += weight * float64(f.Row(i)[k])
			}
		}
	}
	t := NewRows(1, points)
	t.Set(0, sum)
	return f, f.Dot(t.Row(0))
}

func TestPlantedPairIsFirst(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		for seed := range uint64(20) {
			i, j := int32(3*seed), int32(100+17*seed)
			f, r := planted(500, 64, seed, int(i), int(j))
			got := tiled{l}.Square(t.Context(), f, r, Options{K: 5})
			if got[0].I != i || got[0].J != j || math.Abs(float64(got[0].R2)-1) > 1e-5 {
				t.Errorf("seed %d: best is %v, want (%d, %d) with R² 1", seed, got[0], i, j)
			}
		}
	})
}

func TestCollinearPairsAreLeftOut(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		f, r := planted(40, 32, 1, 3, 30)
		for k, v := range f.Row(3) { // row 4 is -(row 3), row 5 is row 3 up to 1e-4
			f.Row(4)[k] = -v
			f.Row(5)[k] = v + 1e-4*f.Row(6)[k]
		}
		near := make([]float64, 32)
		for k := range near {
			near[k] = float64(f.Row(5)[k])
		}
		f.Set(5, near)
		r[4], r[5] = -r[3], r[3]+1e-4*r[6]
		for _, p := range (tiled{l}).Square(t.Context(), f, r, Options{MinDen: 1e-6}) {
			if p.I >= 3 && p.J <= 5 {
				t.Errorf("collinear pair %v", p)
			}
		}
	})
}

func TestFloor(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		f, r := random(100, 32, 3)
		got := tiled{l}.Square(t.Context(), f, r, Options{K: 10_000, Floor: 0.1})
		want := naive(f, r, Options{K: 10_000, Floor: 0.1})
		samePairs(t, got, want, 1e-5)
		if len(got) == 0 || got[len(got)-1].R2 < 0.1 {
			t.Errorf("%d pairs, worst %v", len(got), got[len(got)-1])
		}
	})
}

// A row that is zero or contains NaN or Inf, or whose r is NaN or Inf, is in no pair of the result.
// It does not change the other pairs.
func TestNaNNeverWins(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		f, r := random(70, 20, 4)
		clean := tiled{l}.Square(t.Context(), f, r, Options{K: 10_000})
		f.Row(5)[3] = float32(math.NaN())
		f.Row(40)[0] = float32(math.Inf(1))
		f.Set(41, make([]float64, 20))
		r[50], r[51] = float32(math.NaN()), float32(math.Inf(-1))
		bad := []int32{5, 40, 41, 50, 51}
		isBad := func(i int32) bool { return slices.Contains(bad, i) }

		want := slices.DeleteFunc(clean, func(p Pair) bool { return isBad(p.I) || isBad(p.J) })
		if got := (tiled{l}).Square(t.Context(), f, r, Options{K: 10_000}); !slices.Equal(got, want) {
			t.Errorf("%d pairs, want %d", len(got), len(want))
		}
	})
}

// There are many ties, since every feature occurs four times. The result is the same for any number
// of workers and in a second run.
func TestSameForAnyNumberOfWorkers(t *testing.T) {
	eachSet(t, func(t *testing.T, l loops) {
		f, r := random(600, 24, 5)
		for i := range f.N {
			copy(f.Row(i), f.Row(i%150))
			r[i] = r[i%150]
		}
		want := tiled{l}.Square(t.Context(), f, r, Options{K: 333, Workers: 1})
		for _, workers := range []int{1, 2, 5} {
			if got := (tiled{l}).Square(t.Context(), f, r, Options{K: 333, Workers: workers}); !slices.Equal(got, want) {
				t.Errorf("other pairs with %d workers", workers)
			}
		}
	})
}

func TestSetsAgree(t *testing.T) {
	f, r := random(700, 100, 6)
	want := tiled{plain}.Square(t.Context(), f, r, Options{K: 500})
	for _, l := range simdLoops() {
		got := tiled{l}.Square(t.Context(), f, r, Options{K: 500})
		samePairs(t, got, want, 1e-5)
		if l.name != plain.name && !slices.Equal(got, Default().Square(t.Context(), f, r, Options{K: 500})) {
			t.Errorf("%s and %v do the same multiplications in the same order, but differ", l.name, Default())
		}
	}
}

// countdown is a context that ends after Err was called a given number of times.
type countdown struct {
	context.Context
	left, asked atomic.Int64
}

func (c *countdown) Err() error {
	c.asked.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A search checks its context after each few thousand pairs, which takes a few µs to ms. Once the
// context has ended, the search returns the best pairs so far.
func TestCancel(t *testing.T) {
	const n, workers = 600, 2
	eachSet(t, func(t *testing.T, l loops) {
		f, r := random(n, 64, 9)
		search := func(ctx context.Context) int { return len(tiled{l}.Square(ctx, f, r, Options{Workers: workers})) }
		whole := &countdown{Context: t.Context()}
		whole.left.Store(math.MaxInt64)
		search(whole)
		if asks, want := int(whole.asked.Load()), n*n/2/(group*tileCols); asks < want*9/10 {
			t.Errorf("asked its context %d times, want about %d", asks, want)
		}
		half := &countdown{Context: t.Context()}
		half.left.Store(whole.asked.Load() / 2)
		if found := search(half); found == 0 {
			t.Error("ended half-way gave nothing")
		}
		if more := half.asked.Load() - whole.asked.Load()/2; more > workers {
			t.Errorf("asked %d times more after its context had ended", more)
		}
		if found := search(&countdown{Context: t.Context()}); found != 0 {
			t.Errorf("gave %d pairs for a context that had ended", found)
		}
	})
}
