package pair

import (
	"fmt"
	"testing"
)

// BenchmarkSquare reports the speed of the whole join (2P operations for each pair: packing, score and list come for free) and its share of
// the peak that BenchmarkPeak measures, taken right before on the same core.
func BenchmarkSquare(b *testing.B) {
	for _, size := range []struct{ n, points int }{{9000, 64}, {20000, 256}} {
		f, r := random(size.n, size.points, 1)
		for _, l := range simdLoops() {
			if l.name == plain.name && size.n > 9000 {
				continue // 20 s
			}
			b.Run(fmt.Sprintf("%dx%d/%s", size.n, size.points, l.name), func(b *testing.B) {
				peak := peakGFLOPs(l.name)
				b.ResetTimer()
				for b.Loop() {
					tiled{l}.Square(b.Context(), f, r, Options{K: 1000, Workers: 1})
				}
				pairs := float64(size.n) * float64(size.n-1) / 2 * float64(b.N)
				report(b, 2*float64(f.P)*pairs, peak)
				b.ReportMetric(pairs/b.Elapsed().Seconds()/1e6, "Mpairs/s")
			})
		}
	}
}

func BenchmarkTriples(b *testing.B) {
	const n = 600
	f, r := random(n, 64, 1)
	for _, l := range simdLoops() {
		b.Run(l.name, func(b *testing.B) {
			for b.Loop() {
				triples(b.Context(), l, f, r, Options{Workers: 1})
			}
			b.ReportMetric(n*(n-1)*(n-2)/6*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtriples/s")
		})
	}
}

func BenchmarkExtend(b *testing.B) {
	f, r := random(20000, 64, 1)
	bases := pairBases(f, tiled{fastest}.Square(b.Context(), f.Slice(0, 500), r[:500], Options{K: 200}), 64, 1)
	for _, l := range simdLoops() {
		b.Run(l.name, func(b *testing.B) {
			peak := peakGFLOPs(l.name)
			b.ResetTimer()
			for b.Loop() {
				extend(b.Context(), l, f, bases, Options{Workers: 1})
			}
			report(b, float64(b.N)*2*float64(f.P)*float64(f.N)*3*float64(len(bases)), peak)
		})
	}
}

func report(b *testing.B, operations, peak float64) {
	speed := operations / b.Elapsed().Seconds() / 1e9
	b.ReportMetric(speed, "GFLOP/s")
	if peak > 0 {
		b.ReportMetric(100*speed/peak, "%peak")
	}
}

// BenchmarkPeak reports what one core can do at most.
func BenchmarkPeak(b *testing.B) {
	for _, l := range simdLoops() {
		b.Run(l.name, func(b *testing.B) {
			var best float64
			for b.Loop() {
				best = max(best, peakGFLOPs(l.name))
			}
			b.ReportMetric(best, "GFLOP/s")
		})
	}
}
