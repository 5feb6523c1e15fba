package diffusion_test

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/diffusion"
)

// toy is a Denoiser for sequences with known probabilities, whose posterior is exact. It returns
// the marginals of each masked position given the visible tokens, as a perfectly trained network
// would.
type toy struct {
	vocab int
	mask  int32
	seqs  [][]int32
	p     []float64
	calls int
}

func (t *toy) Denoise(_ context.Context, in diffusion.Input, logits []float32) error {
	t.calls++
	for n := range in.N {
		ids := in.IDs[n*in.Seq : (n+1)*in.Seq]
		out := logits[n*in.Seq*t.vocab : (n+1)*in.Seq*t.vocab]
		sums := make([]float64, len(out))
		for k, s := range t.seqs {
			if !t.agrees(s, ids) {
				continue
			}
			for i, id := range s {
				sums[i*t.vocab+int(id)] += t.p[k]
			}
		}
		for i, v := range sums {
			out[i] = float32(math.Log(v))
		}
		for i := range ids {
			if row := out[i*t.vocab : (i+1)*t.vocab]; slices.Max(row) == float32(math.Inf(-1)) {
				clear(row) // no sequence agrees with the visible tokens, so the logits are uniform
			}
		}
	}
	return nil
}

func (t *toy) agrees(s, shown []int32) bool {
	for i, id := range shown {
		if id != t.mask && s[i] != id {
			return false
		}
	}
	return true
}

// index returns the number of the sequence with these ids, -1 for none.
func (t *toy) index(ids []int32) int {
	return slices.IndexFunc(t.seqs, func(s []int32) bool { return slices.Equal(s, ids) })
}

// dependent returns a toy with tokens 1…4 and mask 0, in which the positions depend strongly on
// each other.
func dependent() *toy {
	return &toy{
		vocab: 6, mask: 0,
		seqs: [][]int32{{1, 1, 1, 1}, {2, 2, 2, 2}, {1, 2, 3, 4}, {4, 3, 2, 1}, {1, 2, 1, 2}, {5, 1, 5, 1}},
		p:    []float64{0.3, 0.2, 0.15, 0.15, 0.15, 0.05},
	}
}
