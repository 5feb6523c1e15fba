package search

import (
	"context"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/searchtest"
	"github.com/physlib/lab/physlib/search/view"
)

// BenchmarkGrow enumerates up to 3000 expressions, each evaluated at 64 points.
func BenchmarkGrow(b *testing.B) {
	for _, c := range []struct{ name, columns string }{
		{"2 columns", "a:1:3 b:0.5:2"},
		{"6 columns with units", "a:1:3:m b:1:5:m c:1:2:s d:1:4:s e:2:3:m/s f:1:3:kg"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := spaceOf(searchtest.Sampled(b, "a*b", c.columns, 1000))
			n := 0
			for b.Loop() {
				p := dictionary.NewPool(s, everything, false)
				p.Grow(context.Background(), 3000, 9)
				n += p.Len()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "expressions/s")
		})
	}
}

// BenchmarkProductJoin queries a join for the best pairs among 3000 factors. The time includes the
// calculation of the factors' logarithms.
func BenchmarkProductJoin(b *testing.B) {
	ctx := context.Background()
	p := searchtest.Sampled(b, "sin(a*b)+a**2/b", "a:1:3 b:0.5:2 c:1:2", 1000)
	w := &work{Search: &Search{}, space: spaceOf(p), allowed: everything}
	w.pool = dictionary.NewPool(w.space, everything, false)
	w.pool.Grow(ctx, 6000, 12)
	pairs := 0
	for b.Loop() {
		j, ok := w.productJoin(identity, 3000)
		if !ok {
			b.Fatal("no join")
		}
		j.Pairs(ctx, 3000, 300)
		pairs += len(j.Features) * (len(j.Features) - 1) / 2
	}
	b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkPropose measures complete searches for two laws. Each law is found by one of the first
// parts that run.
func BenchmarkPropose(b *testing.B) {
	for _, law := range []string{"2*pi*sqrt(a/b)", "(a + b)/(1 + a*c)"} {
		b.Run(law, func(b *testing.B) {
			p := searchtest.Sampled(b, law, "a:1:3 b:0.5:2 c:1:2", 1000)
			for b.Loop() {
				for range (&Search{Depth: 1}).Propose(context.Background(), p) {
				}
			}
		})
	}
}

// spaceOf returns the space of p at 64 points, the number that joins use for exact data.
func spaceOf(p *dataset.Problem) *view.Space { return view.NewSpace(p, 64, p.Units, nil) }

func everything(op expr.Op) bool { return !op.Operator().Rare }
