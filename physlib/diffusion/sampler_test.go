package diffusion_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
)

func collect(t *testing.T, r Sampler, d Denoiser, b Batch) []Candidate {
	t.Helper()
	var cs []Candidate
	for c, err := range r.Refine(context.Background(), d, b) {
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return cs
}

// If one token per step is drawn from exact conditionals, the samples have the exact distribution.
// This holds for any order of positions that does not depend on the drawn tokens.
func TestOneTokenAStepIsExact(t *testing.T) {
	for name, order := range map[string]Strategy{"random": ConfidenceRandom(), "most certain": ConfidenceMax()} {
		d := dependent()
		r := Sampler{Vocab: d.vocab, Mask: d.mask, Step: Chain(SampleTokens(), order, Commit(Linear))}
		const n = 20000
		counts := make([]float64, len(d.seqs))
		for _, c := range collect(t, r, d, Batch{N: n, Seq: 4, Seed: 3}) {
			k := d.index(c.IDs)
			if k < 0 {
				t.Fatalf("%s: %v has probability 0", name, c.IDs)
			}
			counts[k]++
		}
		if d.calls != 4 {
			t.Errorf("%s: %d calls for 4 tokens", name, d.calls)
		}
		chi2 := 0.0
		for k, p := range d.p {
			chi2 += (counts[k] - n*p) * (counts[k] - n*p) / (n * p)
		}
		if chi2 > 20.5 { // 0.1 % point of χ² with 5 degrees of freedom
			t.Errorf("%s: χ² = %.1f, counts %v", name, chi2, counts)
		}
	}
}

// If all tokens are drawn in one step, they are independent, and sequences of probability 0 occur.
// This shows that the test above can fail.
func TestAllAtOnceIsNot(t *testing.T) {
	d := dependent()
	r := Sampler{Vocab: d.vocab, Mask: d.mask, Steps: 1, Step: Chain(SampleTokens(), ConfidenceRandom(), Commit(Linear))}
	impossible := 0
	for _, c := range collect(t, r, d, Batch{N: 1000, Seq: 4, Seed: 3}) {
		if d.index(c.IDs) < 0 {
			impossible++
		}
	}
	if impossible < 300 {
		t.Errorf("%d of 1000 impossible sequences", impossible)
	}
}

// The same seed gives the same sequences for any number of cores and any batch size.
func TestDeterministic(t *testing.T) {
	d := dependent()
	for name, r := range presets(d) {
		want := collect(t, r, d, Batch{N: 40, Seq: 4, Seed: 9})
		old := runtime.GOMAXPROCS(1)
		one := collect(t, r, d, Batch{N: 40, Seq: 4, Seed: 9})
		runtime.GOMAXPROCS(old)
		if !reflect.DeepEqual(want, one) {
			t.Errorf("%s: one core gives something else", name)
		}
		part := collect(t, r, d, Batch{N: 3, Seq: 4, Seed: 9})
		for _, c := range part {
			found := false
			for _, w := range want {
				found = found || reflect.DeepEqual(c, w)
			}
			if !found {
				t.Errorf("%s: sample %d of 3 is not among those of 40", name, c.Sample)
			}
		}
		if other := collect(t, r, d, Batch{N: 40, Seq: 4, Seed: 10}); name == "architects" && reflect.DeepEqual(want, other) {
			t.Errorf("%s: another seed gives the same", name)
		}
	}
}

func presets(d *toy) map[string]Sampler {
	t := Tokens{Size: d.vocab, Mask: d.mask}
	return map[string]Sampler{
		"physdiffuse": PhysDiffuse(t, 512), "physmdt": PhysMDT(t, 1, 0), "architects": ARChitects(t), "parr": PARR(t),
	}
}

func TestGivenTokensStay(t *testing.T) {
	d := dependent()
	given := []int32{0, 2, 0, 0}
	for name, r := range presets(d) {
		for _, c := range collect(t, r, d, Batch{N: 20, Seq: 4, Seed: 1, Given: given}) {
			if c.IDs[1] != 2 {
				t.Fatalf("%s: %v has not the given token", name, c.IDs)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	d := dependent()
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	stop := DenoiserFunc(func(ctx context.Context, in Input, logits []float32) error {
		if calls++; calls == 3 {
			cancel()
		}
		return d.Denoise(ctx, in, logits)
	})
	var last error
	for _, err := range PhysDiffuse(Tokens{Size: d.vocab, Mask: d.mask}, 512).Refine(ctx, stop, Batch{N: 2, Seq: 4}) {
		last = err
	}
	if calls != 3 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d calls, error %v", calls, last)
	}
}

func TestBadInput(t *testing.T) {
	d := dependent()
	good := PhysDiffuse(Tokens{Size: d.vocab, Mask: d.mask}, 512)
	nan := DenoiserFunc(func(_ context.Context, in Input, logits []float32) error {
		logits[len(logits)-1] = float32(math.NaN())
		return nil
	})
	fails := DenoiserFunc(func(context.Context, Input, []float32) error { return errors.New("out of memory") })
	for _, c := range []struct {
		r    Sampler
		d    Denoiser
		b    Batch
		want string
	}{
		{good, d, Batch{}, "a batch of 0 sequences"},
		{Sampler{}, d, Batch{N: 1, Seq: 1}, "lacks its Step"},
		{good, d, Batch{N: 2, Seq: 4, Given: []int32{1}}, "1 given tokens"},
		{good, d, Batch{N: 2, Seq: 1, Given: []int32{77}}, "given token 77"},
		{good, nan, Batch{N: 2, Seq: 4}, "logits of sample 1 are not finite"},
		{good, fails, Batch{N: 2, Seq: 4}, "round 0, step 0: out of memory"},
	} {
		n := 0
		for _, err := range c.r.Refine(context.Background(), c.d, c.b) {
			n++
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		}
		if n != 1 {
			t.Errorf("%q: %d values", c.want, n)
		}
	}
}
