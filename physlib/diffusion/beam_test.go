package diffusion_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/diffusion"
)

// arity returns the arity of a token: 0 and 1 are leaves, 2 has one operand, 3 has two, 4 is the
// mask.
func arity(id int32) int { return []int{0, 0, 1, 2, -1}[id] }

// pairs returns all expressions of three of these tokens, with their probabilities.
func pairs() *toy {
	t := &toy{vocab: 5, mask: 4}
	for a := range int32(2) {
		t.seqs = append(t.seqs, []int32{2, 2, a})
		for b := range int32(2) {
			t.seqs = append(t.seqs, []int32{3, a, b})
		}
	}
	for i := range t.seqs {
		t.p = append(t.p, float64(1+i*i)/97)
	}
	return t
}

func TestBeamFindsTheLikeliest(t *testing.T) {
	d := pairs()
	b := diffusion.Beam{Vocab: 5, Mask: 4, Arity: arity, Width: 6}
	found, err := b.Search(t.Context(), d, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 6 {
		t.Fatalf("%d found, there are 6", len(found))
	}
	total := 0.0
	for _, p := range d.p {
		total += p
	}
	order := slices.Clone(d.p)
	slices.SortFunc(order, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	for i, c := range found {
		k := d.index(c.IDs)
		if k < 0 {
			t.Fatalf("%v is not an expression", c.IDs)
		}
		if math.Abs(c.LogProb-math.Log(d.p[k]/total)) > 1e-5 || d.p[k] != order[i] {
			t.Errorf("place %d: %v with log p %.4f, truth %.4f", i, c.IDs, c.LogProb, math.Log(d.p[k]/total))
		}
	}
}

// A stochastic beam of width one draws each sequence with its probability. A beam of width six
// draws all six sequences.
func TestStochasticBeamDraws(t *testing.T) {
	d := pairs()
	total := 0.0
	for _, p := range d.p {
		total += p
	}
	const n = 4000
	count := make([]float64, len(d.seqs))
	rng := rand.New(rand.NewPCG(5, 6))
	for range n {
		b := diffusion.Beam{Vocab: 5, Mask: 4, Arity: arity, Width: 1, Random: rng}
		found, err := b.Search(t.Context(), d, 3)
		if err != nil {
			t.Fatal(err)
		}
		count[d.index(found[0].IDs)]++
	}
	chi := 0.0
	for i, p := range d.p {
		want := n * p / total
		chi += (count[i] - want) * (count[i] - want) / want
	}
	if chi > 20.5 { // 0.1 % point of χ² with 5 degrees of freedom
		t.Errorf("χ² = %.1f for %v", chi, count)
	}
	b := diffusion.Beam{Vocab: 5, Mask: 4, Arity: arity, Width: 6, Random: rng}
	if found, err := b.Search(t.Context(), d, 3); err != nil || len(found) != 6 {
		t.Errorf("%d of 6 drawn: %v", len(found), err)
	}
}

func TestBeamOfAnImpossibleLength(t *testing.T) {
	b := diffusion.Beam{Vocab: 5, Mask: 4, Arity: arity, Allowed: []bool{true, true, false, true, false}, Width: 4}
	none := diffusion.DenoiserFunc(func(context.Context, diffusion.Input, []float32) error { return nil })
	if _, err := b.Search(t.Context(), none, 2); !errors.Is(err, diffusion.ErrNoExpression) {
		t.Errorf("an expression of two tokens without functions: %v", err)
	}
}

// Lengths that are searched together give the same results as when each is searched alone. A length
// without expressions gives no result.
func TestBeamOfSeveralLengths(t *testing.T) {
	calls := 0
	d := diffusion.DenoiserFunc(func(_ context.Context, in diffusion.Input, logits []float32) error {
		calls++
		for r, length := range in.Lengths {
			h := uint64(length)
			for i := range int(length) {
				h = h*31 + uint64(in.IDs[r*in.Seq+i])
			}
			for k := range int(length) * 5 {
				logits[r*in.Seq*5+k] = float32((h+uint64(k))*2654435761%1000) / 200
			}
		}
		return nil
	})
	for _, seed := range []uint64{0, 1} {
		random := func(seq int) *rand.Rand {
			if seed == 0 {
				return nil
			}
			return rand.New(rand.NewPCG(seed, uint64(seq)))
		}
		b := diffusion.Beam{Vocab: 5, Mask: 4, Arity: arity, Allowed: []bool{true, true, false, true, false}}
		var lengths []diffusion.Length
		for i, seq := range []int{1, 4, 5, 7} {
			lengths = append(lengths, diffusion.Length{Seq: seq, Width: 3 + 4*i, Random: random(seq)})
		}
		calls = 0
		all, err := b.SearchLengths(t.Context(), d, lengths)
		if err != nil || calls != 7 {
			t.Fatalf("%d calls: %v", calls, err)
		}
		for i, l := range lengths {
			b.Width, b.Random = l.Width, random(l.Seq)
			alone, err := b.Search(t.Context(), d, l.Seq)
			if l.Seq == 4 {
				if !errors.Is(err, diffusion.ErrNoExpression) || len(all[i]) > 0 {
					t.Errorf("without functions there is no expression of 4 tokens: %v, %v", all[i], err)
				}
				continue
			}
			if err != nil || !reflect.DeepEqual(all[i], alone) || len(alone) == 0 {
				t.Errorf("%d tokens: %v side by side, %v alone: %v", l.Seq, all[i], alone, err)
			}
		}
	}
}
