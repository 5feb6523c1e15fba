package pair

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkSquare reports the speed of a whole search for pairs, also as a share of the peak speed
// of one core. A pair counts as 2P operations, where P is the padded number of points (Rows.P). The
// time includes packing, scoring and the list of the best pairs, but their operations are not
// counted. The peak speed is measured just before the searches. Both speeds are those of the
// fastest run, since other programs on a shared machine may slow down some runs.
func BenchmarkSquare(b *testing.B) {
	for _, size := range []struct{ n, points int }{{9000, 64}, {20000, 256}} {
		f, r := random(size.n, size.points, 1)
		for _, l := range simdLoops() {
			if l.name == plain.name && size.n > 9000 {
				continue // it would take 20 s
			}
			b.Run(fmt.Sprintf("%dx%d/%s", size.n, size.points, l.name), func(b *testing.B) {
				pairs := float64(size.n) * float64(size.n-1) / 2
				speed(b, l, 2*float64(f.P)*pairs, func() { tiled{l}.Square(b.Context(), f, r, Options{Workers: 1}) })
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

// BenchmarkPeak reports the peak speed of one core.
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
