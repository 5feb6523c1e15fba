package nn_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// TestLoRA: an adapted model starts with the outputs of the base. Only the target layers have
// adapters. The outputs change by A·B.
func TestLoRA(t *testing.T) {
	layer := func(s *model.Scope, in []*Node) []*Node {
		x := nn.Attention{Heads: 2}.Apply(s.In("decoder").In("self"), in[0], nil, nil)
		return []*Node{nn.FeedForward(s.In("encoder").In("feed"), x, 8, nil)}
	}
	x := normal(1, 1, 3, 4)
	b := backendtest.Go(t)
	base := run(t, b, seeded(1), layer, x)[0]
	store := seeded(1)
	store.SetParams(map[string]any{nn.ParamLoRARank: 2, nn.ParamLoRAAlpha: 4.0, nn.ParamLoRATargets: "query, value"})
	if d := maxDiff(base, run(t, b, store, layer, x)[0]); d > 1e-6 {
		t.Errorf("the adapted model starts %g off the base", d)
	}
	var adapters int
	for v := range store.IterVariables() {
		if v.Scope() == "/decoder/self/query/lora" || v.Scope() == "/decoder/self/value/lora" {
			adapters++
		} else if v.Name() == "a" {
			t.Errorf("%s is not a target", v.Path())
		}
	}
	if adapters != 4 {
		t.Errorf("%d adapter variables, want 4", adapters)
	}
	// the weight w + (α/r)·A·B gives the same outputs as w with adapters A and B
	q := "/decoder/self/query/"
	setFlat(t, store, q+"lora/b", func(i int) float64 { return float64(i%3) - 0.7 })
	merged := seeded(1)
	run(t, b, merged, layer, x)
	w, a, bb := values(store, q+"w"), values(store, q+"lora/a"), values(store, q+"lora/b")
	setFlat(t, merged, q+"w", func(i int) float64 {
		row, col, sum := i/4, i%4, w[i]
		for k := range 2 {
			sum += 4.0 / 2 * a[row*2+k] * bb[k*4+col]
		}
		return sum
	})
	if d := maxDiff(run(t, b, merged, layer, x)[0], run(t, b, store, layer, x)[0]); d > 1e-5 {
		t.Errorf("merged and adapted differ by %g", d)
	}
}

// TestLoRAOfOneScope: the rank set on a scope adapts that scope alone.
func TestLoRAOfOneScope(t *testing.T) {
	store := seeded(1)
	store.Scope("/decoder").SetParam(nn.ParamLoRARank, 1)
	run(t, backendtest.Go(t), store, func(s *model.Scope, in []*Node) []*Node {
		return []*Node{nn.Linear(s.In("decoder").In("head"), nn.Linear(s.In("encoder"), in[0], 3), 2)}
	}, normal(1, 1, 4))
	if store.GetVariable("/decoder/head/lora/a") == nil || store.GetVariable("/encoder/lora/a") != nil {
		t.Error("adapters are not in the decoder alone")
	}
}

func values(store *model.Store, path string) []float64 {
	return floats(store.GetVariable(path).MustValue())
}

// setFlat gives a variable new elements.
func setFlat(t *testing.T, store *model.Store, path string, f func(i int) float64) {
	t.Helper()
	v := store.GetVariable(path)
	x := make([]float64, v.Shape().Size())
	for i := range x {
		x[i] = f(i)
	}
	if err := v.SetValue(tensor(v.DType(), x, v.Shape().Dimensions...)); err != nil {
		t.Fatal(err)
	}
}
