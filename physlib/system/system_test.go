package system

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

func TestPresetsAreValid(t *testing.T) {
	for _, name := range Presets() {
		if _, err := Preset(name); err != nil {
			t.Error(err)
		}
	}
}

// The file of a preset holds only what differs from its base.
func TestBase(t *testing.T) {
	c, base := tiny(t), must(Preset("physdiffuse-small"))
	if c.Dim != 16 || c.Encoder.Points != 8 {
		t.Errorf("dim %d, points %d: not those of the file", c.Dim, c.Encoder.Points)
	}
	if c.Tokens != base.Tokens || c.Train != base.Train || c.Decoder.Positions != base.Decoder.Positions || c.Refine.Tau0 != base.Refine.Tau0 {
		t.Errorf("%+v lost values of its base", c)
	}
}

func TestPresetErrors(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct{ name, want string }{
		{"physdifuse", "did you mean physdiffuse?"},
		{write("base: physdiffuse-smal"), "did you mean physdiffuse-small?"},
		{write("base: physdiffuse-small\nencoder: {pionts: 3}"), "did you mean points?"},
		{write("base: physdiffuse-small\nheads: 5"), "is not a multiple of heads"},
		{write("base: physdiffuse-small\ntokens: french"), "french"},
		{write("base: physdiffuse-small\nencoder: {cols: 11}"), "has 10 variables"},
		{write("base: physdiffuse-small\ndim: many"), "mine.yaml"},
		{filepath.Join(t.TempDir(), "none.yaml"), "none.yaml"},
	} {
		_, err := Preset(test.name)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Preset(%q): %v, want %q in it", test.name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("Preset(%q): more than one line: %v", test.name, err)
		}
	}
}

// A batch depends only on the seed and the step.
func TestBatchIsAFunctionOfItsStep(t *testing.T) {
	a, b := must(NewTask(tiny(t), 1)), must(NewTask(tiny(t), 1))
	for _, step := range []int64{0, 5, 2} {
		if _, err := a.Batch(step); err != nil {
			t.Fatal(err)
		}
	}
	x, y := must(a.Batch(4)), must(b.Batch(4))
	for i := range x {
		if !slices.Equal(bytesOf(x[i]), bytesOf(y[i])) {
			t.Errorf("tensor %d of step 4 differs", i)
		}
	}
	z := must(must(NewTask(tiny(t), 2)).Batch(4))
	if slices.Equal(bytesOf(x[5]), bytesOf(z[5])) {
		t.Error("another seed has the same expressions")
	}
}

// In a batch, masked tokens are replaced by the mask, and visible tokens equal the target. Only
// masked tokens have weight.
func TestBatchesAreCorruptedTargets(t *testing.T) {
	task := must(NewTask(tiny(t), 1))
	for step := range int64(4) {
		b := must(task.Batch(step))
		hidden, ids := tensors.MustCopyFlatData[int32](b[4]), tensors.MustCopyFlatData[int32](b[5])
		weights, lengths := tensors.MustCopyFlatData[float32](b[6]), tensors.MustCopyFlatData[int32](b[7])
		seq := b[4].Shape().Dim(1)
		for i := range ids {
			inside := i%seq < int(lengths[i/seq])
			switch {
			case !inside && (weights[i] != 0 || ids[i] != task.net.vocab.Pad()):
				t.Fatalf("step %d: padding is a target", step)
			case inside && weights[i] > 0 && hidden[i] != task.net.vocab.Mask():
				t.Fatalf("step %d: a shown token weighs", step)
			case inside && weights[i] == 0 && hidden[i] != ids[i]:
				t.Fatalf("step %d: a token was replaced", step)
			}
		}
		for r, n := range lengths {
			if _, err := task.net.vocab.Decode(ids[r*seq : r*seq+int(n)]); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		}
	}
}

// The memory of a table does not change with the order of its rows.
func TestMemoryIsPermutationInvariant(t *testing.T) {
	s := untrained(t, tiny(t))
	rng := rand.New(rand.NewPCG(1, 1))
	table, _ := observed(pendulum())
	var first []float32
	for range 3 {
		in := s.net.newInputs(1)
		in.put(s.net, 0, table)
		m := must(s.remember(in))
		got := tensors.MustCopyFlatData[float32](m.slots)
		m.free()
		if first == nil {
			first = got
		}
		for i := range got {
			if math.Abs(float64(got[i]-first[i])) > 1e-4 {
				t.Fatalf("number %d of the memory was %v, is %v", i, first[i], got[i])
			}
		}
		rng.Shuffle(len(table.Y), func(i, j int) {
			for _, c := range append(slices.Clone(table.X), table.Y) {
				c[i], c[j] = c[j], c[i]
			}
		})
	}
}

func TestUntrainedSystemIsAProposer(t *testing.T) {
	s := untrained(t, tiny(t))
	discovertest.TestProposer(t, func() discover.Proposer { return s })
	discovertest.TestOperators(t, func() discover.Proposer { return s })
}

// A table with more columns than the network takes returns an error that names the limit.
func TestTooManyColumns(t *testing.T) {
	s := untrained(t, tiny(t))
	p := pendulum()
	for len(p.Vars) < 5 {
		p.Vars = append(p.Vars, p.Vars[0])
	}
	for _, err := range s.Propose(t.Context(), p) {
		if err == nil || !strings.Contains(err.Error(), "at most 4 variables") {
			t.Errorf("proposed with %v", err)
		}
	}
}

// Exported weights can be opened. Weights of another preset, and files that hold no weights, give
// clear errors.
func TestOpen(t *testing.T) {
	c := tiny(t)
	s := untrained(t, c)
	want := laws(t, s)
	var file bytes.Buffer
	all := must(safetensors.FromStore(s.store, nil))
	if err := safetensors.WriteSealed(&file, safetensors.File{Tensors: all}); err != nil {
		t.Fatal(err)
	}
	again, err := Open(goBackend(t), c, bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if got := laws(t, again); !slices.Equal(got, want) {
		t.Errorf("proposes %q, before %q", got, want)
	}
	other := *c
	other.Dim = 32
	if _, err := Open(goBackend(t), &other, bytes.NewReader(file.Bytes())); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("weights of another preset: %v", err)
	}
	if _, err := Open(goBackend(t), c, strings.NewReader("no weights")); err == nil {
		t.Error("text was read as weights")
	}
}

func laws(t *testing.T, s *System) (all []string) {
	for law, err := range s.Propose(context.Background(), pendulum()) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, law.Infix(nil)); len(all) == 20 {
			break
		}
	}
	return all
}

// Some training tables have few rows, and some have hidden units.
func TestObserveHidesSome(t *testing.T) {
	task := must(NewTask(tiny(t), 1))
	rng := rand.New(rand.NewPCG(1, 1))
	few, hidden := 0, 0
	for i := range 400 {
		var seen *features.Table = task.net.observe(task.stream.Problem(1, uint64(i)), rng)
		if len(seen.Y) < 16 {
			few++
		}
		if !seen.Units {
			hidden++
		}
	}
	if few < 40 || few > 140 || hidden < 20 || hidden > 200 {
		t.Errorf("of 400 tables %d have few rows and %d no units", few, hidden)
	}
}

func bytesOf(t *tensors.Tensor) (b []byte) {
	t.ConstBytes(func(data []byte) { b = slices.Clone(data) })
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The loss of PhysDiffuse, with padding and the dimensional loss, has a finite value. A random
// network violates dimensions.
func TestDimensionalLoss(t *testing.T) {
	c := tiny(t)
	c.Lengths, c.Tokens, c.Train.DimLoss = "pad", "physdiffuse", 0.1
	c.Corpus.Buckets = []Bucket{{Seq: c.Seq, Tables: 8, Batches: 1}}
	b := goBackend(t)
	task := must(NewTask(c, 1))
	exec := must(model.NewExec(b, model.NewStore(), func(s *model.Scope, in []*Node) []*Node {
		l, parts := task.Loss(s, in)
		return append([]*Node{l}, parts...)
	}))
	var args []any
	for _, x := range must(task.Batch(0)) {
		args = append(args, x)
	}
	var got []float64
	for _, o := range must(exec.Call(args...)) {
		got = append(got, float64(tensors.ToScalar[float32](o)))
	}
	if len(got) != 3 || math.IsNaN(got[0]) || got[2] <= 0 {
		t.Errorf("loss and parts %v", got)
	}
}
