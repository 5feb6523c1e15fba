package diffusion_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "github.com/physlib/lab/physlib/diffusion"
)

func TestMaskTokens(t *testing.T) {
	const mask, pad = 3, 0
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.SampledFrom([]int32{5, 6, 7, 8}), 1, 12).Draw(t, "ids")
		ids = append(ids, make([]int32, rapid.IntRange(0, 3).Draw(t, "padding"))...)
		c := Corruption{Min: rapid.Float64Range(0, 0.5).Draw(t, "min"), ELBO: rapid.Bool().Draw(t, "elbo")}
		c.Max = rapid.Float64Range(c.Min, 1).Draw(t, "max")
		masked, weights := make([]int32, len(ids)), make([]float32, len(ids))
		seed := rapid.Uint64().Draw(t, "seed")
		ratio := c.MaskTokens(rand.New(rand.NewPCG(seed, 1)), ids, mask, pad, masked, weights)
		if c.Max > 0 && (ratio < c.Min || ratio > c.Max) {
			t.Fatalf("ratio %v outside %v", ratio, c)
		}
		want, count := float32(1), 0
		if c.ELBO {
			want = float32(1 / ratio)
		}
		for i, id := range ids {
			switch {
			case masked[i] == mask && id != pad && weights[i] == want:
				count++
			case masked[i] != id || weights[i] != 0:
				t.Fatalf("position %d: token %d became %d with weight %v", i, id, masked[i], weights[i])
			}
		}
		if count == 0 && !c.ELBO {
			t.Fatal("nothing is masked")
		}
		again, w := make([]int32, len(ids)), make([]float32, len(ids))
		c.MaskTokens(rand.New(rand.NewPCG(seed, 1)), ids, mask, pad, again, w)
		if !slices.Equal(again, masked) || !slices.Equal(w, weights) {
			t.Fatal("the same random numbers mask something else")
		}
	})
}

// In long sequences, the share of masked tokens is the mean of the ratio's distribution. At ratio t
// a share t of a sequence is masked.
func TestMaskShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ids := make([]int32, 64)
	for i := range ids {
		ids[i] = 1
	}
	for _, c := range []Corruption{{}, {Min: 0.3, Max: 0.9}, {Stratified: true}} {
		const n = 2000
		all := slices.Repeat(ids, n)
		masked, weights := make([]int32, len(all)), make([]float32, len(all))
		c.MaskBatch(rng, all, len(ids), 0, -1, masked, weights)
		rows, mean := make([]float64, n), 0.0
		for i, id := range masked {
			if id == 0 {
				rows[i/len(ids)] += 1. / float64(len(ids))
				mean += 1. / float64(len(all))
			}
		}
		want := (c.Min + c.Max) / 2
		if c.Max == 0 {
			want = 0.5
		}
		if math.Abs(mean-want) > 0.02 {
			t.Errorf("%+v masks %.3f, want %.3f", c, mean, want)
		}
		if lo, hi := slices.Min(rows), slices.Max(rows); c.Max == 0 && (lo > 0.05 || hi < 0.95) {
			t.Errorf("%+v: shares of rows from %.2f to %.2f only", c, lo, hi)
		}
	}
}

// Stratified ratios cover the range evenly in every batch.
func TestStratified(t *testing.T) {
	const n, seq = 10, 2000
	ids := make([]int32, n*seq)
	masked, weights := make([]int32, n*seq), make([]float32, n*seq)
	Corruption{Stratified: true}.MaskBatch(rand.New(rand.NewPCG(5, 5)), ids, seq, 1, -1, masked, weights)
	var tenths [n]int
	for b := range n {
		share := 0.0
		for _, id := range masked[b*seq : (b+1)*seq] {
			share += float64(id) / seq
		}
		tenths[min(n-1, int(share*n))]++
	}
	if slices.Max(tenths[:]) > 2 { // a share may deviate a little from its ratio
		t.Errorf("rows in each tenth of the range: %v", tenths)
	}
}

func ExampleCorruption_MaskTokens() {
	ids := []int32{7, 12, 30, 31, 7} // the tokens of a law; 2 is the mask, and there is no padding
	masked, weights := make([]int32, 5), make([]float32, 5)
	Corruption{Min: 0.5, Max: 0.5}.MaskTokens(rand.New(rand.NewPCG(1, 4)), ids, 2, -1, masked, weights)
	fmt.Println(masked, weights)
	// Output: [2 2 30 31 7] [1 1 0 0 0]
}
