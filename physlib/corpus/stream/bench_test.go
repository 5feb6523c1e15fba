package stream

import (
	"sync/atomic"
	"testing"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/token"
)

// BenchmarkProblems measures the stream as training reads it: tables of 64 rows with the tokens of
// their laws, on all cores. ns/core is the time that one core takes for a problem, even if other
// processes use some cores.
func BenchmarkProblems(b *testing.B) {
	s, v := mustNew(b, Config{Rows: 64}), token.Small()
	s.Problem(0, 0)
	var next atomic.Uint64
	used := clock.CPU()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := v.Encode(s.Problem(1, next.Add(1)).Law); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "problems/s")
	if used = clock.CPU() - used; used > 0 {
		b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "ns/core")
	}
}
