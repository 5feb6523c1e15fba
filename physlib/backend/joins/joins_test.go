package joins_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/backend/joins"
	"github.com/physlib/lab/physlib/pair"
)

// features returns n random rows over the given number of points, and a target made of rows 7 and
// n-3. Some rows are nearly equal, and one has NaN.
func features(n, points int, seed uint64) (pair.Rows, []float32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	f, t := pair.NewRows(n, points), pair.NewRows(1, points)
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, points)
		for k := range all[i] {
			all[i][k] = rng.NormFloat64()
		}
		if i%50 == 49 {
			for k := range all[i] {
				all[i][k] = all[i-1][k] + 1e-4*all[i][k]
			}
		}
		if i == 20 {
			all[i][3] = math.NaN()
		}
		f.Set(i, all[i])
	}
	y := make([]float64, points)
	for k := range y {
		y[k] = 2*all[7][k] - 0.5*all[n-3][k] + 0.05*rng.NormFloat64()
	}
	t.Set(0, y)
	return f, f.Dot(t.Row(0)[:points])
}

// same compares pairs with those of the processor's kernel. Scores must be equal up to rounding.
// The pairs must be the same, except those whose score equals that of the last pair.
func same(t *testing.T, got, want []pair.Pair, tol float64) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	known := map[[2]int32]float32{}
	for _, p := range want {
		known[[2]int32{p.I, p.J}] = p.R2
	}
	last := float64(want[len(want)-1].R2)
	for n, p := range got {
		if math.Abs(float64(p.R2-want[n].R2)) > tol {
			t.Fatalf("score %d is %g, want %g", n, p.R2, want[n].R2)
		}
		if _, ok := known[[2]int32{p.I, p.J}]; !ok && float64(p.R2) > last+tol {
			t.Errorf("pair %d of %v is not in the list of the processor", n, p)
		}
	}
}

func TestAsOnTheProcessor(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		k, err := joins.New(b, 64)
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		for _, c := range []struct {
			n, points int
			o         pair.Options
		}{
			{300, 20, pair.Options{K: 40, MinDen: 1e-3}},
			{257, 33, pair.Options{K: 500, MinDen: 1e-2}},
			{65, 16, pair.Options{K: 10, Floor: 0.5, MinDen: 1e-3}},
			{40, 16, pair.Options{K: 10}}, // fewer rows than a block
		} {
			f, r := features(c.n, c.points, uint64(c.n))
			same(t, k.Square(t.Context(), f, r, c.o), pair.Default().Square(t.Context(), f, r, c.o), 1e-4)
		}
		if err := k.Err(); err != nil {
			t.Error(err)
		}
	})
}

func TestEnds(t *testing.T) {
	k, err := joins.New(backendtest.Go(t), 32)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	f, r := features(200, 16, 1)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got := k.Square(ctx, f, r, pair.Options{K: 5}); len(got) > 5 {
		t.Errorf("%d pairs of 5", len(got))
	}
	defer func() {
		if recover() == nil {
			t.Error("rows without correlations: no panic")
		}
	}()
	k.Square(t.Context(), f, r[:7], pair.Options{})
}

func ExampleNew() {
	b, _, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := joins.New(b, 64)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer k.Close()
	f, r := features(200, 32, 3)
	best := k.Square(context.Background(), f, r, pair.Options{K: 1, MinDen: 1e-3})
	fmt.Printf("features %d and %d: %.3f\n", best[0].I, best[0].J, best[0].R2)
	// Output: features 7 and 197: 1.000
}

// BenchmarkSquare also reports the speed of the device relative to the processor's kernel. The two
// are timed alternately.
func BenchmarkSquare(b *testing.B) {
	backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
		k, err := joins.New(backend, 0)
		if err != nil {
			b.Fatal(err)
		}
		defer k.Close()
		f, r := features(8192, 64, 1)
		best, processor := time.Hour, time.Hour
		for b.Loop() {
			start := time.Now()
			k.Square(b.Context(), f, r, pair.Options{K: 100, MinDen: 1e-3})
			best = min(best, time.Since(start))
			start = time.Now()
			pair.Default().Square(b.Context(), f, r, pair.Options{K: 100, MinDen: 1e-3})
			processor = min(processor, time.Since(start))
		}
		b.ReportMetric(8192*8191/2/best.Seconds()/1e6, "Mpairs/s")
		b.ReportMetric(processor.Seconds()/best.Seconds(), "times-processor")
	})
}
