package system

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/encoder/features"
)

func TestAdaptKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte("base: physdiffuse-small\nadapt: "+text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("{rank: 3, targets: [value], time: 90s, objective: pseudo}")
	a := must(Preset(path)).Adapt
	if a.Rank != 3 || !slices.Equal(a.Targets, []string{"value"}) || a.Time != 90*time.Second || a.Objective != "pseudo" || a.Augmentations != 64 {
		t.Errorf("%+v", a)
	}
	for _, test := range []struct{ text, want string }{
		{"{objective: weigted}", "did you mean weighted?"},
		{"{augment: parrr}", "did you mean parr?"},
		{"{part: decodr}", "did you mean decoder?"},
		{"{rank: -1}", "adapt.rank"},
		{"{quantile: 1}", "adapt.quantile"},
		{"{mask_min: 0.9, mask_max: 0.3}", "adapt.mask_min"},
		{"{ranks: 8}", "did you mean rank?"},
		{"{top: 3}", "adapt.top"},
	} {
		write(test.text)
		if _, err := Preset(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q in it", test.text, err, test.want)
		}
	}
}

// answers returns what the network of s computes for the pendulum: the memory, the lengths and the
// logits.
func answers(t *testing.T, s *System) (all []float32) {
	t.Helper()
	table, _ := observed(pendulum())
	in := s.net.newInputs(1)
	in.put(s.net, 0, table)
	m := must(s.remember(in))
	defer m.free()
	all = append(tensors.MustCopyFlatData[float32](m.slots), m.length...)
	rng := rand.New(rand.NewPCG(1, 2))
	const n, seq = chunk, 8
	ids := make([]int32, n*seq)
	for i := range ids {
		ids[i] = rng.Int32N(int32(s.net.vocab.Size()))
	}
	logits := make([]float32, n*seq*s.net.vocab.Size())
	if err := m.call(s.denoise, ids, n, seq, slices.Repeat([]int32{seq}, n), logits); err != nil {
		t.Fatal(err)
	}
	return append(all, logits...)
}

// A copy with adapters gives the same bits as the system, both before the adapters are trained and
// after they are reset to zero. Training them does not change the system itself.
func TestAdaptersLeaveTheSystemAlone(t *testing.T) {
	s := untrained(t, tiny(t))
	base := answers(t, s)
	tunable := must(s.Tunable(AdaptConfig{Rank: 2, Steps: 1}))
	defer tunable.Close()
	set := func(value float32) {
		for _, v := range tunable.Adapters() {
			flat := slices.Repeat([]float32{value}, v.Shape().Size())
			if err := v.SetValue(tensors.FromFlatDataAndDimensions(flat, v.Shape().Dimensions...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(answers(t, tunable.System), base) {
		t.Error("adapters that nobody trained change the answers")
	}
	set(0.1)
	if slices.Equal(answers(t, tunable.System), base) {
		t.Error("adapters change nothing")
	}
	if !slices.Equal(answers(t, s), base) {
		t.Error("the system changes with its copy")
	}
	set(0)
	if !slices.Equal(answers(t, tunable.System), base) {
		t.Error("with zero adapters the answers are others")
	}
}

// The adapters of PhysDiffuse have the size that its §7 states, about 2 M.
func TestAdaptersOfPhysDiffuse(t *testing.T) {
	c := must(Preset("physdiffuse"))
	tunable := must(untrained(t, c).Tunable(c.Adapt))
	n := 0
	for _, v := range tunable.Adapters() {
		n += v.Shape().Size()
		if !strings.HasPrefix(v.Path(), "/decoder/") {
			t.Errorf("%s is not in the decoder", v.Path())
		}
	}
	const layers, attentions, maps, dim, rank = 8, 2, 4, 512, 32
	if want := layers * attentions * maps * 2 * dim * rank; n != want {
		t.Errorf("%d numbers, want %d", n, want)
	}
}

func TestNoLayerOfThatName(t *testing.T) {
	s := untrained(t, tiny(t))
	_, err := s.Tunable(AdaptConfig{Rank: 2, Targets: []string{"querry"}, Part: "decoder"})
	if err == nil || !strings.Contains(err.Error(), "querry") {
		t.Errorf("%v", err)
	}
	if _, err := s.Tunable(AdaptConfig{}); err == nil || !strings.Contains(err.Error(), "rank 0") {
		t.Errorf("rank 0: %v", err)
	}
}

// Each of several tables gets one candidate; a single table gets as many as are requested.
func TestDraw(t *testing.T) {
	table, columns := observed(pendulum())
	for _, name := range small {
		t.Run(name, func(t *testing.T) {
			tunable := must(untrained(t, shrunk(t, name)).Tunable(AdaptConfig{Rank: 2}))
			for _, n := range []int{1, 3, chunk + 1} {
				found := make([]int, n)
				for d, err := range tunable.Draw(t.Context(), slices.Repeat([]*features.Table{table}, n), n, 2, 0, 1) {
					if err != nil {
						t.Fatal(err)
					}
					found[d.Table]++
					if law, ok := tunable.Law(d.IDs, columns); ok && law.NumParams() == 0 {
						t.Errorf("%v is a law without a scale", d.IDs)
					}
				}
				if slices.Contains(found, 0) {
					t.Errorf("%d tables got %v candidates", n, found)
				}
			}
			n := 0
			for _, err := range tunable.Draw(t.Context(), []*features.Table{table}, 2*chunk, 0, 1, 1) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n < chunk {
				t.Errorf("%d candidates of %d", n, 2*chunk)
			}
		})
	}
}
