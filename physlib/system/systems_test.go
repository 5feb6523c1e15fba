package system

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// shrunk returns a small preset with a few neurons, as testdata/tiny.yaml shrinks
// physdiffuse-small.
func shrunk(t testing.TB, name string) *Config {
	t.Helper()
	c := must(Preset(name))
	tiny := tiny(t)
	c.Dim, c.Heads = 16, 2
	c.Encoder.Cols, c.Encoder.Points, c.Encoder.Layers, c.Encoder.Hidden = 4, 4, 1, 16
	c.Decoder.Layers, c.Decoder.Hidden = 1, 16
	if c.Decoder.Kind == decoder.Shared {
		c.Decoder.Loops, c.Decoder.Backprop = 3, 2
		c.Encoder.Digits, c.Encoder.PerToken = 2, 2
	}
	c.Corpus.Rows, c.Corpus.Buckets = tiny.Corpus.Rows, tiny.Corpus.Buckets
	c.Refine.Samples, c.Refine.Steps = 8, 2
	return c
}

// small lists the presets that can be trained on two cores.
var small = []string{"physdiffuse-small", "architects-small", "physmdt-small", "parr-small"}

// Every system is a Proposer.
func TestSystemsAreProposers(t *testing.T) {
	for _, name := range small[1:] {
		t.Run(name, func(t *testing.T) {
			s := untrained(t, shrunk(t, name))
			discovertest.TestProposer(t, func() discover.Proposer { return s })
			discovertest.TestOperators(t, func() discover.Proposer { return s })
		})
	}
}

// The loss of every system falls when it trains on the same batch again.
func TestSystemsLearn(t *testing.T) {
	for _, name := range append([]string{"pdr-small"}, small...) {
		t.Run(name, func(t *testing.T) {
			task := must(NewTask(shrunk(t, name), 1))
			store := model.NewStore()
			step := must(model.NewExec(goBackend(t), store, func(s *model.Scope, in []*Node) []*Node {
				l, parts := task.Loss(s, in)
				for v, g := range gradients(s, l) {
					v.SetNodeValue(Sub(v.NodeValue(l.Graph()), MulScalar(g, 0.02)))
				}
				return append([]*Node{l}, parts...)
			}))
			batch := anys(must(task.Batch(0)))
			var losses []float32
			for range 4 {
				out := must(step.Call(batch...))
				if len(out) != 1+len(task.Metrics()) {
					t.Fatalf("%d parts of the loss, %d metrics", len(out)-1, len(task.Metrics()))
				}
				losses = append(losses, tensors.ToScalar[float32](out[0]))
			}
			for i := 1; i < len(losses); i++ {
				if !(losses[i] < losses[i-1]) {
					t.Fatalf("losses %v", losses)
				}
			}
		})
	}
}

// gradients returns the gradient of l with respect to each variable.
func gradients(s *model.Scope, l *Node) map[*model.Variable]*Node {
	all := map[*model.Variable]*Node{}
	var list []*model.Variable
	for v := range s.Store().IterVariables() {
		if v.Trainable && v.InUseByGraph(l.Graph()) {
			list = append(list, v)
		}
	}
	var nodes []*Node
	for _, v := range list {
		nodes = append(nodes, v.NodeValue(l.Graph()))
	}
	for i, g := range Gradient(l, nodes...) {
		all[list[i]] = g
	}
	return all
}

// Every system proposes laws by every strategy that its configuration allows.
func TestStrategiesAtInference(t *testing.T) {
	for _, name := range small[1:] {
		for _, strategy := range strategies {
			c := shrunk(t, name)
			c.Refine.Strategy, c.Refine.WellFormed = strategy, true
			if c.check() != nil { // for example, beam does not work with postfix codes
				continue
			}
			n := 0
			for _, err := range untrained(t, c).Propose(context.Background(), pendulum()) {
				if err != nil {
					t.Fatalf("%s by %s: %v", name, strategy, err)
				}
				if n++; n == 3 {
					break
				}
			}
			if n == 0 {
				t.Errorf("%s by %s proposes nothing", name, strategy)
			}
		}
	}
}

// A shared block runs any number of loops at inference without another program. More loops change
// the logits. With the number of loops in training, the logits equal those of training.
func TestLoopsAtInference(t *testing.T) {
	c := shrunk(t, "parr-small")
	c.Refine.Strategy = "small"
	s := untrained(t, c)
	table, _ := observed(pendulum())
	in := s.net.newInputs(1)
	in.put(s.net, 0, table)
	m := must(s.remember(in))
	defer m.free()
	v, seq := s.net.vocab, 8
	ids := slices.Repeat([]int32{v.Mask()}, seq)
	ids[2] = v.Var(0)
	logits := func(loops int) []float32 {
		s.net.Refine.Loops = loops
		out := make([]float32, seq*v.Size())
		if err := m.call(s.denoise, ids, 1, seq, []int32{int32(seq)}, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	at := map[int][]float32{}
	for _, loops := range []int{1, 2, 3, 12} {
		at[loops] = logits(loops)
	}
	if apart(at[1], at[2]) < 1e-3 || apart(at[3], at[12]) < 1e-3 {
		t.Error("more loops change nothing")
	}
	whole := must(model.NewExec(s.backend, s.store, func(scope *model.Scope, in []*Node) []*Node { return []*Node{s.net.denoise(scope, in)} }))
	args := []any{tensors.FromFlatDataAndDimensions(ids, 1, seq), tensors.FromFlatDataAndDimensions(ids, 1, seq), tensors.FromValue([]int32{int32(seq)})}
	args = append(args, anys(s.net.newPrior(1, seq).tensors())...)
	args = append(args, m.slots, m.present, m.units)
	want := tensors.MustCopyFlatData[float32](must(whole.Call(args...))[0])
	if d := apart(at[3], want); d > 1e-4 {
		t.Errorf("3 loops from outside and unrolled differ by %g", d)
	}
}

// apart returns the largest difference between elements of a and b.
func apart(a, b []float32) (d float64) {
	for i := range a {
		d = math.Max(d, math.Abs(float64(a[i]-b[i])))
	}
	return d
}

// Weights from training can be opened, including those of the verification head.
func TestWeightsOfSystems(t *testing.T) {
	for _, name := range small[1:] {
		c, store := shrunk(t, name), model.NewStore()
		task := must(NewTask(c, 1))
		exec := must(model.NewExec(goBackend(t), store, func(s *model.Scope, in []*Node) *Node {
			l, _ := task.Loss(s, in)
			return l
		}))
		must(exec.Call(anys(must(task.Batch(0)))...))
		var file bytes.Buffer
		if err := safetensors.WriteSealed(&file, safetensors.File{Tensors: must(safetensors.FromStore(store, nil))}); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(goBackend(t), c, &file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The tree positions in a batch follow from its visible tokens. Only the oracle ablation uses the
// positions in the law.
func TestPlacesOfBatches(t *testing.T) {
	for _, oracle := range []bool{false, true} {
		c := shrunk(t, "architects-small")
		c.Decoder.Oracle = oracle
		task := must(NewTask(c, 1))
		b := must(task.Batch(0))
		hidden, truth, lengths, places := tensors.MustCopyFlatData[int32](b[4]), tensors.MustCopyFlatData[int32](b[5]),
			tensors.MustCopyFlatData[int32](b[7]), tensors.MustCopyFlatData[int32](b[8])
		seq := b[4].Shape().Dim(1)
		unknown := 0
		for r, n := range lengths {
			from := hidden
			if oracle {
				from = truth
			}
			want := make([]int32, int(n)*decoder.NumPlaces)
			decoder.Places(task.net.vocab, from[r*seq:][:n], want)
			got := places[r*seq*decoder.NumPlaces:][:len(want)]
			if !slices.Equal(got, want) {
				t.Fatalf("oracle %v: places %v, want %v", oracle, got, want)
			}
			for i := range int(n) {
				unknown += 1 - int(got[i*decoder.NumPlaces+3])
			}
		}
		if (unknown == 0) != oracle {
			t.Errorf("oracle %v: %d places are unknown", oracle, unknown)
		}
	}
}

// A soft token counts as visible if its probability is above one half.
func TestVisible(t *testing.T) {
	n := must(newNetwork(tiny(t)))
	w := make([]float32, 3*n.vocab.Size())
	put := func(i int, id int32, weight float32) { w[i*n.vocab.Size()+int(id)] = weight }
	put(0, 3, 1)
	put(1, 4, 0.5)
	put(1, 5, 0.5)
	put(2, 6, 0.6)
	put(2, n.vocab.Mask(), 0.9)
	if got := n.visible(w); !slices.Equal(got, []int32{3, n.vocab.Mask(), 6}) {
		t.Errorf("visible %v", got)
	}
}

// Changed decoding settings change the proposals, with the same weights and programs. Restored
// settings give the old proposals.
func TestRefineOfAblations(t *testing.T) {
	c := shrunk(t, "architects-small")
	c.Refine.Steps, c.Refine.Passes = 6, 1
	s := untrained(t, c)
	base := s.Refine()
	laws := func(change func(*RefineConfig)) (all []string) {
		t.Helper()
		r := base
		change(&r)
		s.SetRefine(r)
		for p, err := range s.Proposals(context.Background(), pendulum()) {
			if err != nil {
				t.Fatal(err)
			}
			if !p.Last {
				t.Error("a proposal before the end of its round")
			}
			if len(p.Confidence) != len(p.Tokens) || slices.Min(p.Confidence) <= 0 || slices.Max(p.Confidence) > 1 {
				t.Errorf("confidence %v of %d tokens", p.Confidence, len(p.Tokens))
			}
			all = append(all, p.Law.String())
		}
		return all
	}
	same := func(*RefineConfig) {}
	want := laws(same)
	if len(want) != base.Samples {
		t.Errorf("%d proposals in one pass of %d", len(want), base.Samples)
	}
	for name, change := range map[string]func(*RefineConfig){
		"argmax":      func(r *RefineConfig) { r.Feed = "argmax" },
		"mask":        func(r *RefineConfig) { r.Feed = "mask" },
		"no mask":     func(r *RefineConfig) { r.NoMask = true },
		"two passes":  func(r *RefineConfig) { r.Passes = 2 },
		"free tokens": func(r *RefineConfig) { r.WellFormed = false },
	} {
		if got := laws(change); slices.Equal(got, want) {
			t.Errorf("%s changes nothing", name)
		}
		if got := laws(same); !slices.Equal(got, want) {
			t.Errorf("after %s the laws are others", name)
		}
	}
	if got := laws(func(r *RefineConfig) { r.Feed = "soft" }); !slices.Equal(got, want) {
		t.Error("soft is what the strategy does by itself")
	}
}

// A strategy that counts visits proposes at every step and reports which proposals are the last of
// their round.
func TestProposalsOfSteps(t *testing.T) {
	c := shrunk(t, "physmdt-small")
	c.Refine.Steps, c.Refine.Rounds, c.Refine.Passes = 6, 2, 1
	all, last := 0, 0
	for p, err := range untrained(t, c).Proposals(context.Background(), pendulum()) {
		if err != nil {
			t.Fatal(err)
		}
		all++
		if p.Last {
			last++
		}
	}
	if all != 6*c.Refine.Samples || last != 2*c.Refine.Samples {
		t.Errorf("%d proposals, %d the last of a round; want %d and %d", all, last, 6*c.Refine.Samples, 2*c.Refine.Samples)
	}
}

// With a limit, proposals end after so many candidates, those included that are dropped.
func TestMostProposals(t *testing.T) {
	c := shrunk(t, "physmdt-small")
	c.Refine.Passes = 1
	for _, allowed := range [][]string{nil, {"erf"}} {
		p, n := pendulum(), 0
		p.MaxCandidates, p.Ops = 3, allowed
		for _, err := range untrained(t, c).Proposals(context.Background(), p) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n > 3 || allowed == nil && n == 0 {
			t.Errorf("functions %v: %d proposals, want at most 3", allowed, n)
		}
	}
}

// The filter drops laws whose units cannot balance for any constants. Without units it keeps all
// laws.
func TestFilter(t *testing.T) {
	c := tiny(t)
	s := untrained(t, c)
	r := s.Refine()
	r.Filter = true
	s.SetRefine(r)
	for text, want := range map[string]bool{"l*g": true, "sqrt(l/g)": true, "l + g": false, "sin(l)": false, "sin(c0*l)": true} {
		law, err := expr.Parse("c9*("+text+")", []string{"l", "g"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.balanced(pendulum())(law); got != want {
			t.Errorf("%s balances: %v", text, got)
		}
		p := pendulum()
		p.Units = false
		if !s.balanced(p)(law) {
			t.Errorf("%s is left out though no units are known", text)
		}
	}
}

// Unknown parts and parts that do not fit each other return clear errors.
func TestPartErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"encoder: {kind: deepset}", "did you mean deepsets?"},
		{"decoder: {kind: share}", "did you mean shared?"},
		{"decoder: {axes: [deep, sibling]}", "did you mean depth?"},
		{"decoder: {axes: [sequence, depth]}", "sequence stands alone"},
		{"decoder: {axes: [depth, sibling, across, diagonal, antidiagonal]}", "do not share heads of 24"},
		{"decoder: {oracle: true}", "needs axes of the tree"},
		{"decoder: {kind: shared, loops: 40}", "must be 1 to 32"},
		{"decoder: {kind: shared, loops: 4, backprop: 5}", "must be 0 to decoder.loops"},
		{"decoder: {verify: 0.1}", "verification learns from its candidates"},
		{"decoder: {feed: swiglou}", "did you mean swiglu?"},
		{"encoder: {kind: numbers, digits: 3}", "digits"},
		{"encoder: {kind: deepsets, summary: 4}", "one vector"},
		{"tokens: physmdt", "take small"},
		{"refine: {strategy: archtects}", "did you mean architects?"},
		{"refine: {feed: hard}", "There are soft, argmax, mask"},
		{"refine: {strategy: physmdt, feed: mask}", "take soft or argmax"},
		{"refine: {passes: -1}", "refine.passes: is -1"},
		{"corpus: {mask_min: 0.9, mask_max: 0.1}", "is not a range"},
	} {
		path := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(path, []byte("base: physdiffuse-small\n"+test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Preset(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q in it", test.text, err, test.want)
		}
	}
}

// Every system can be adapted: the layers of its parts get adapters, and the copy draws candidates.
func TestSystemsAreTunable(t *testing.T) {
	for _, name := range small[1:] {
		c := shrunk(t, name)
		tunable, err := untrained(t, c).Tunable(c.Adapt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := "/decoder/block_0/self/query/lora/a"
		if c.Decoder.Kind == decoder.Shared {
			want = "/decoder/block/layer_0/self/query/lora/a"
		}
		if !slices.ContainsFunc(tunable.Adapters(), func(v *model.Variable) bool { return v.Path() == want }) {
			t.Errorf("%s: no adapter %s", name, want)
		}
		table, _ := observed(pendulum())
		n := 0
		for _, err := range tunable.Draw(t.Context(), []*features.Table{table}, 8, 1, 0, 1) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%s: nothing drawn", name)
		}
		tunable.Close()
	}
}
