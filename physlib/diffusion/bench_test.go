package diffusion_test

import (
	"context"
	"math/rand/v2"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

// BenchmarkStep measures the part of a step that the host computes, for 128 samples of 24 tokens.
// The network's output is only copied.
func BenchmarkStep(b *testing.B) {
	v := token.Small()
	toks := NewTokens(v, v.Columns(5))
	const n, seq = 128, 24
	rng := rand.New(rand.NewPCG(1, 1))
	answer := make([]float32, n*seq*v.Size())
	for i := range answer {
		answer[i] = float32(rng.NormFloat64())
	}
	steps := 0
	copied := DenoiserFunc(func(_ context.Context, in Input, logits []float32) error {
		steps++
		copy(logits, answer)
		return nil
	})
	for _, p := range []struct {
		name string
		s    Sampler
	}{
		{"physdiffuse", PhysDiffuse(toks, 512)}, {"physmdt", PhysMDT(toks, 1, 0)}, {"physmdt-noise", PhysMDT(toks, 1, 0.5)},
		{"architects", ARChitects(toks)}, {"parr", PARR(toks)}, {"small", Small(toks, 16)},
	} {
		b.Run(p.name, func(b *testing.B) {
			steps = 0
			for b.Loop() {
				for _, err := range p.s.Refine(context.Background(), copied, Batch{N: n, Seq: seq, Seed: 1}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(steps), "µs/step")
		})
	}
}

func BenchmarkMaskBatch(b *testing.B) {
	ids := make([]int32, 64*24)
	masked, weights := make([]int32, len(ids)), make([]float32, len(ids))
	rng := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		Corruption{Stratified: true}.MaskBatch(rng, ids, 24, 1, -1, masked, weights)
	}
}

func BenchmarkTallyVisit(b *testing.B) {
	v := token.Small()
	t, _ := expr.Parse("c0*x0*x1**2/sqrt(x2 + x3**2)", nil)
	ids, err := v.Encode(t)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			y := Tally{Decode: v.Decode}
			y.Visit(ids)
		}
	})
	b.Run("again", func(b *testing.B) {
		y := Tally{Decode: v.Decode}
		for b.Loop() {
			y.Visit(ids)
		}
	})
}
