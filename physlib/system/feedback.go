package system

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// prior holds an earlier candidate and its R², for each of several sequences. It is nil if the
// decoder takes no earlier candidates.
type prior struct {
	seq int
	ids []int32   // [sequences, seq]
	r2  []float32 // R² of each candidate; -1: no candidate
}

func (n *network) newPrior(sequences, seq int) *prior {
	if n.Decoder.Feedback == 0 {
		return nil
	}
	p := &prior{seq, slices.Repeat([]int32{n.vocab.Pad()}, sequences*seq), make([]float32, sequences)}
	for i := range p.r2 {
		p.r2[i] = -1
	}
	return p
}

func (p *prior) tensors() []*tensors.Tensor {
	if p == nil {
		return nil
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(p.ids, len(p.r2), p.seq), tensors.FromFlatDataAndDimensions(p.r2, len(p.r2))}
}

// draw stores an earlier candidate for sequence i with probability n.feedback. The candidate looks
// like one that refinement might have found: it is the law with a random share of its tokens
// replaced at random. The share is drawn uniformly from 0 to 1. The expression stays well formed
// and keeps its length. The R² of the candidate is measured on the visible rows of the table. So
// the candidate ranges from unrelated to nearly equal to the law, and its R² says how good it is.
func (p *prior) draw(n *network, i int, law []int32, problem *stream.Problem, seen *features.Table, rng *rand.Rand) {
	if p == nil || n.feedback == 0 || rng.Float64() >= n.feedback {
		return
	}
	kept, exchanged := slices.Clone(law), rng.Float64()
	for j := range kept {
		if rng.Float64() < exchanged {
			kept[j] = n.vocab.Mask()
		}
	}
	alike := make([]float32, len(law)*n.vocab.Size())
	ids, ok := n.vocab.Grammar(n.vocab.Columns(len(problem.X))).Sample(rng, alike, len(law), kept, 1)
	if !ok { // the grammar may lack some tokens of the law
		return
	}
	copy(p.ids[i*p.seq:], ids)
	p.r2[i] = float32(n.measure(ids, seen))
}

// measureRows is the largest number of rows on which a candidate is measured.
const measureRows = 48

// measure returns the R² of the law that ids encode, from 0 to 1, after a short fit of its
// constants and a free factor. It is 0 if ids are not a law, or if the law has no finite values.
func (n *network) measure(ids []int32, t *features.Table) float64 {
	law, err := n.vocab.Decode(ids)
	if err != nil || len(t.Y) < 3 {
		return 0
	}
	law = expr.Apply(expr.Mul, expr.C(law.NumParams(), 1), law)
	rows := min(len(t.Y), measureRows)
	cols, y := make([][]float64, len(t.X)), make([]float64, rows)
	mean := 0.0
	for r := range rows {
		y[r] = t.Y[r*len(t.Y)/rows]
		mean += y[r] / float64(rows)
	}
	for c, x := range t.X {
		cols[c] = make([]float64, rows)
		for r := range rows {
			cols[c][r] = x[r*len(x)/rows]
		}
	}
	variance := 0.0
	for _, v := range y {
		variance += (v - mean) * (v - mean)
	}
	var f fit.Fitter
	r, err := f.Fit(law, cols, y, nil, fit.Settings{Starts: 1, MaxIter: 10})
	r2 := 1 - r.RSS/variance
	if err != nil || !(variance > 0) || math.IsNaN(r2) {
		return 0
	}
	return math.Max(0, r2)
}

// refineAgain is memory.refine with PARR's feedback. Before each round, it measures the R² of the
// candidates of the previous round on the table. The round starts from masked tokens, with the
// previous candidates and their R² as inputs of the network.
func (m *memory) refineAgain(ctx context.Context, sampler diffusion.Sampler, b diffusion.Batch, t *features.Table) iter.Seq2[diffusion.Candidate, error] {
	return func(yield func(diffusion.Candidate, error) bool) {
		defer func() { m.before = nil }()
		rounds := max(sampler.Rounds, 1)
		sampler.Steps, sampler.Rounds = max(1, sampler.Steps/rounds), 1
		for round := range rounds {
			seq := m.s.net.padded(b.Seq)
			next := m.s.net.newPrior(chunk, seq)
			for c, err := range sampler.Refine(ctx, m, b) {
				if err == nil {
					copy(next.ids[c.Sample*seq:], c.IDs)
					next.r2[c.Sample] = float32(m.s.net.measure(c.IDs, t))
					c.Round = round
				}
				if errors.Is(err, diffusion.ErrNoExpression) && round > 0 {
					return
				}
				if !yield(c, err) || err != nil {
					return
				}
			}
			m.before = next
			b.Seed++
		}
	}
}

// padded returns the length to which a sequence of seq tokens is padded at inference. It is the Seq
// of the sequence's training bucket, or that of the next bucket if it is at most 1.5 times as
// large. So fewer programs are compiled, since each length needs its own.
func (n *network) padded(seq int) int {
	buckets := n.Corpus.Buckets
	for i, b := range buckets {
		if b.Seq < seq {
			continue
		}
		if i+1 < len(buckets) && 2*buckets[i+1].Seq <= 3*b.Seq {
			return buckets[i+1].Seq
		}
		return b.Seq
	}
	return seq
}
