package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/memory"
)

var small = pdr.Config{Layers: 2, Dim: 16, Rank: 4, Heads: 2, Hidden: 32}

// TestDue: the correct outputs follow from the tokens alone, at any length.
func TestDue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kind := range memory.Kinds {
		task := memory.Task{Kind: kind, Network: small, Items: 3, Symbols: 5, Noise: 2}
		for _, seq := range []int{9, 10, 50} {
			tokens, due := task.Draw(rng, seq)
			if len(tokens) != seq || len(due) != 3 {
				t.Fatalf("%s: %d tokens, %d due", kind, len(tokens), len(due))
			}
			var want []int32
			if kind == memory.Copy { // tokens: noise 0 and 1, go 2, symbols 3 to 7
				for _, x := range tokens {
					if x > 2 {
						want = append(want, x)
					}
				}
				if !slices.Equal(tokens[seq-3:], []int32{2, 2, 2}) {
					t.Errorf("%v does not end in three questions", tokens)
				}
			} else { // tokens: keys 3 to 7, values 8 to 12
				for _, key := range tokens[seq-3:] {
					at := slices.Index(tokens, key)
					if at >= seq-3 || tokens[at+1] < 8 {
						t.Fatalf("key %d has no value in %v", key, tokens)
					}
					want = append(want, tokens[at+1])
				}
			}
			if !slices.Equal(due, want) {
				t.Errorf("%s: %v due after %v, want %v", kind, due, tokens, want)
			}
		}
	}
}

// TestCheck: series too short for their items, and unknown kinds, are reported as errors.
func TestCheck(t *testing.T) {
	for want, task := range map[string]memory.Task{
		"use recall or copy": {Kind: "sort", Network: small},
		"13 keys":            {Kind: memory.Recall, Network: small, Items: 14, Symbols: 13, Seq: 128},
		"it takes 24":        {Kind: memory.Recall, Network: small, Items: 8, Seq: 40},
		"dim 0":              {Kind: memory.Copy},
	} {
		if err := task.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := (memory.Task{Kind: memory.Copy, Network: small}).Check(); err != nil {
		t.Error(err)
	}
}

// TestVariant: all variants have about as many parameters as the network they vary.
func TestVariant(t *testing.T) {
	for _, words := range []string{"full", "diagonal", "low", "fixed", "full+gqa", "fixed+keep=0.5+plain"} {
		c, err := memory.Variant(small, words)
		if err != nil {
			t.Fatal(err)
		}
		if far := max(c.Params()-small.Params(), small.Params()-c.Params()); far > 100 {
			t.Errorf("%s: %d parameters, want %d", words, c.Params(), small.Params())
		}
	}
	for _, words := range []string{"", "wide", "keep=2", "keep"} {
		if _, err := memory.Variant(small, words); err == nil {
			t.Errorf("%q is not an error", words)
		}
	}
}

// TestJudge: an untrained network is right about as often as by chance, at each length.
func TestJudge(t *testing.T) {
	task := memory.Task{Kind: memory.Copy, Network: small, Items: 2, Symbols: 4, Noise: 2, Lengths: []int{8, 20}, Validation: 64}
	got, err := task.Validate(t.Context(), backendtest.Go(t), model.NewStore())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got["accuracy"] != got["accuracy_8"] || got["accuracy_20"] > 0.6 {
		t.Error(got)
	}
}

func ExampleTask_Draw() {
	task := memory.Task{Kind: memory.Copy, Items: 2, Symbols: 9, Noise: 1}
	tokens, due := task.Draw(rand.New(rand.NewPCG(1, 1)), 10) // 0: noise, 1: go, 2 to 10: symbols
	fmt.Println(tokens, due)
	// Output: [8 0 0 10 0 0 0 0 1 1] [8 10]
}

// TestLenses: there is one gate for each layer, token and channel. In an untrained network all
// gates are near σ(b).
func TestLenses(t *testing.T) {
	c := small
	c.Layers, c.Every, c.QHeads, c.Keep = 3, 3, 2, 0.8
	task := memory.Task{Kind: memory.Recall, Network: c, Items: 2}
	tokens, gates, err := task.Lenses(backendtest.Go(t), model.NewStore(), 12)
	if err != nil {
		t.Fatal(err)
	}
	if len(tokens) != 12 || len(gates) != 2 || len(gates[1]) != 12 || len(gates[1][11]) != c.Dim {
		t.Fatalf("%d tokens, %d layers", len(tokens), len(gates))
	}
	var sum float64
	for _, row := range gates[0] {
		for _, g := range row {
			if !(g > 0 && g < 1) {
				t.Fatal(g)
			}
			sum += float64(g)
		}
	}
	if mean := sum / float64(12*c.Dim); mean < 0.7 || mean > 0.9 {
		t.Errorf("mean gate %g, want about 0.8", mean)
	}
	words := task.Word(0) + task.Word(4) + task.Word(5) + task.Word(16) + task.Word(17)
	if words != "~gok1k12v1" {
		t.Error(words)
	}
}
