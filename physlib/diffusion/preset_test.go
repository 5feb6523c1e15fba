package diffusion_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/token"
)

var _ Grammar = (*token.Grammar)(nil)

// clueless acts like an untrained network. Its logits are noise of a given size that depends only
// on the step and the sample.
func clueless(vocab int, size float32) DenoiserFunc {
	return func(_ context.Context, in Input, logits []float32) error {
		row := in.Seq * vocab
		for n := range in.N {
			rng := rand.New(rand.NewPCG(uint64(in.Step+100*in.Round), uint64(n)))
			for i := range row {
				logits[n*row+i] = size * float32(rng.NormFloat64())
			}
		}
		return nil
	}
}

// Whatever logits the network returns, every sequence from Small is an expression of the existing
// columns and contains the given tokens.
func TestSmallIsWellFormed(t *testing.T) {
	for _, v := range []*token.Vocabulary{token.Small(), token.PhysMDT()} {
		toks := NewTokens(v, v.Columns(3))
		for _, seq := range []int{1, 2, 7, 24} {
			for _, steps := range []int{1, 5, 16} {
				given := make([]int32, seq)
				for i := range given {
					given[i] = v.Mask()
				}
				if seq > 2 {
					given[seq/2] = v.Var(2)
				}
				n := 0
				for c, err := range Small(toks, steps).Refine(context.Background(), clueless(v.Size(), 5), Batch{N: 32, Seq: seq, Given: given}) {
					if err != nil {
						t.Fatal(err)
					}
					n++
					tree, err := v.Decode(c.IDs)
					if err != nil {
						t.Fatalf("%v: %v", c.IDs, err)
					}
					if vars := tree.Vars(); len(vars) > 0 && slices.Max(vars) > 2 || seq > 2 && c.IDs[seq/2] != v.Var(2) {
						t.Fatalf("%s from %v", tree, given)
					}
				}
				if n != 32 {
					t.Errorf("%s, %d tokens: %d of 32 samples", v.Name(), seq, n)
				}
			}
		}
	}
}

func TestNoExpression(t *testing.T) {
	v := token.Small()
	add, _ := v.ID("add")
	var last error
	for _, err := range Small(NewTokens(v, nil), 4).Refine(context.Background(), clueless(v.Size(), 1),
		Batch{N: 3, Seq: 3, Given: []int32{add, add, v.Mask()}}) {
		last = err
	}
	if !errors.Is(last, ErrNoExpression) {
		t.Errorf("error %v", last)
	}
}

// hopeful is a network that has learned laws of one length, with their probabilities.
func hopeful(v *token.Vocabulary, laws ...string) *toy {
	d := &toy{vocab: v.Size(), mask: v.Mask()}
	for _, law := range laws {
		var ids []int32
		for _, w := range strings.Fields(law) {
			id, ok := v.ID(w)
			if !ok {
				panic(w)
			}
			ids = append(ids, id)
		}
		d.seqs = append(d.seqs, ids)
		d.p = append(d.p, 1/float64(len(laws)))
	}
	return d
}

// With a network that has learned the laws, every preset finds them.
func TestPresetsFind(t *testing.T) {
	v := token.Small()
	d := hopeful(v, "mul x_0 sq x_1", "div x_0 sq x_1", "div sqrt x_0 x_1")
	toks := NewTokens(v, v.Columns(2))
	for name, c := range map[string]struct {
		s     Sampler
		least int // least number of laws that must be found
	}{
		"physdiffuse": {PhysDiffuse(toks, 512), 1}, "physmdt": {PhysMDT(toks, 1, 0.5), 1}, "architects": {ARChitects(toks), 2},
		"parr": {PARR(toks), 1}, "small": {Small(toks, 12), 3},
	} {
		tally := Tally{Decode: v.Decode}
		for _, c := range collect(t, c.s, d, Batch{N: 64, Seq: 4, Seed: 1}) {
			tally.Visit(c.IDs)
		}
		found := 0
		for _, e := range tally.Ranked() {
			if d.index(e.IDs) >= 0 {
				found++
			}
		}
		if found < c.least {
			t.Errorf("%s found %d of the laws", name, found)
		}
		if name == "small" && tally.Invalid > 0 {
			t.Errorf("small: %d are not expressions", tally.Invalid)
		}
	}
}

func ExampleSampler_Refine() {
	v := token.Small()
	// A network that has learned two laws of four tokens. Package system makes real networks.
	network := hopeful(v, "mul x_0 sq x_1", "div x_0 sq x_1")
	tally := Tally{Decode: v.Decode}
	for c, err := range Small(NewTokens(v, v.Columns(2)), 4).Refine(context.Background(), network, Batch{N: 20, Seq: 4, Seed: 1}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		tally.Visit(c.IDs)
	}
	for _, e := range tally.Ranked() {
		fmt.Println(e.Visits, e.Tree)
	}
	// Output:
	// 12 x0*square(x1)
	// 8 x0/square(x1)
}
