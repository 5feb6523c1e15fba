package pair

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkSquare reports the speed of the whole join, 2P operations for each pair, and its share
// of the peak of one core, measured right before. Packing, score and list are in the time but not
// in the operations. Both speeds are of the best run, since a shared machine takes time from all
// others.
func BenchmarkSquare(b *testing.B) {
	for _, size := range []struct{ n, points int }{{9000, 64}, {20000, 256}} {
		f, r := random(size.n, size.points, 1)
		for _, l := range simdLoops() {
			if l.name == plain.name && size.n > 9000 {
				continue // 20 s
			}
			b.Run(fmt.Sprintf("%dx%d/%s", size.n, size.points, l.name), func(b *testing.B) {
				pairs := float64(size.n) * float64(size.n-1) / 2
				speed(b, l, 2*float64(f.P)*pairs, func() { tiled{l}.Square(b.Context(), f, r, Options{Workers: 1}) })
			})
		}
	}
}

func BenchmarkRect(b *testing.B) {
	f, r := random(40_000, 64, 1)
	for _, l := range simdLoops() {
		b.Run("1000x40000x64/"+l.name, func(b *testing.B) {
			speed(b, l, 2*64*1000*40_000, func() { tiled{l}.Rect(b.Context(), f.Slice(0, 1000), r[:1000], f, r, Options{Workers: 1}) })
		})
	}
}

// BenchmarkExtend tries 20 000 features on 200 pairs.
func BenchmarkExtend(b *testing.B) {
	f, r := random(20_000, 64, 1)
	bases := pairBases(f, Default().Square(b.Context(), f.Slice(0, 500), r[:500], Options{K: 200}), 64, 1)
	for _, l := range simdLoops() {
		b.Run(l.name, func(b *testing.B) {
			speed(b, l, 2*64*20_000*3*200, func() { extend(b.Context(), l, f, bases, Options{Workers: 1}) })
		})
	}
}

// BenchmarkTriples counts 12 operations for each triple, and gives no credit for the Gram matrix.
func BenchmarkTriples(b *testing.B) {
	for _, n := range []int{250, 600} {
		f, r := random(n, 64, 1)
		for _, l := range simdLoops() {
			b.Run(fmt.Sprintf("%d/%s", n, l.name), func(b *testing.B) {
				speed(b, l, 12*float64(n*(n-1)*(n-2)/6), func() { triples(b.Context(), l, f, r, Options{Workers: 1}) })
			})
		}
	}
}

// speed runs search for the benchmark and reports operations per second.
func speed(b *testing.B, l loops, operations float64, search func()) {
	peak := peakGFLOPs(l.name)
	best := time.Duration(1<<63 - 1)
	for b.Loop() {
		start := time.Now()
		search()
		best = min(best, time.Since(start))
	}
	gflops := operations / best.Seconds() / 1e9
	b.ReportMetric(gflops, "GFLOP/s")
	if peak > 0 {
		b.ReportMetric(100*gflops/peak, "%peak")
	}
}

// BenchmarkPeak reports what one core can do at most.
func BenchmarkPeak(b *testing.B) {
	for _, l := range simdLoops() {
		if peakGFLOPs(l.name) == 0 {
			continue
		}
		b.Run(l.name, func(b *testing.B) {
			var best float64
			for b.Loop() {
				best = max(best, peakGFLOPs(l.name))
			}
			b.ReportMetric(best, "GFLOP/s")
		})
	}
}
