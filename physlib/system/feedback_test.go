package system

import (
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/encoder/features"
)

// The true law has R² 1, whatever the scale and the constants. Another law has a smaller R², and
// tokens that are not a law have R² 0.
func TestMeasure(t *testing.T) {
	n := must(newNetwork(must(Preset("parr-small"))))
	ids := func(names ...string) (all []int32) {
		for _, name := range names {
			id, ok := n.vocab.ID(name)
			if !ok {
				t.Fatal(name)
			}
			all = append(all, id)
		}
		return all
	}
	table := &features.Table{X: [][]float64{{1, 2, 3, 4, 5}}, Y: []float64{3, 12, 27, 48, 75}}
	for _, test := range []struct {
		ids  []int32
		low  float64
		high float64
	}{
		{ids("sq", "x_0"), 0.999999, 1},
		{ids("x_0"), 0.5, 0.99},
		{ids("add", "x_0"), 0, 0},
		{ids("log", "sub", "x_0", "x_0"), 0, 0},
	} {
		if r := n.measure(test.ids, table); r < test.low || r > test.high {
			t.Errorf("R² of %s is %v, want %v to %v", n.vocab.Text(test.ids), r, test.low, test.high)
		}
	}
}

// A share of the examples has an earlier candidate, an expression as long as the law. If the
// candidate is the law itself, R² is near 1.
func TestPriors(t *testing.T) {
	c := must(Preset("parr-small"))
	n := must(newNetwork(c))
	st := must(c.stream(false))
	rng := rand.New(rand.NewPCG(1, 1))
	with, right := 0, 0
	for i := range 60 {
		problem := st.Problem(1, uint64(i))
		law, err := n.encodeTarget(problem.Law)
		if err != nil {
			continue
		}
		p := n.newPrior(1, c.Seq)
		p.draw(n, 0, law, &problem, n.observe(problem, rng), rng)
		if p.r2[0] < 0 {
			continue
		}
		with++
		if _, err := n.vocab.Decode(p.ids[:len(law)]); err != nil || p.r2[0] > 1 {
			t.Errorf("candidate %s has R² %v: %v", n.vocab.Text(p.ids[:len(law)]), p.r2[0], err)
		}
		if problem.Noise == 0 && n.vocab.Text(p.ids[:len(law)]) == n.vocab.Text(law) {
			right++
			if p.r2[0] < 0.9 {
				t.Errorf("the law %s itself has R² %v", problem.Law, p.r2[0])
			}
		}
	}
	if with < 15 || with > 45 || right == 0 {
		t.Errorf("of 60 examples %d have a candidate, %d the law", with, right)
	}
}

// The logits depend on the earlier candidate and on its R².
func TestFeedbackEnters(t *testing.T) {
	s := untrained(t, shrunk(t, "parr-small"))
	s.net.Refine.Strategy = "small"
	table, _ := observed(pendulum())
	in := s.net.newInputs(1)
	in.put(s.net, 0, table)
	m := must(s.remember(in))
	defer m.free()
	const seq = 8
	ids := make([]int32, seq)
	logits := func(r2 float32) []float32 {
		m.before = s.net.newPrior(1, seq)
		m.before.r2[0] = r2
		out := make([]float32, seq*s.net.vocab.Size())
		if err := m.call(s.denoise, ids, 1, seq, []int32{seq}, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	none, low, high := logits(-1), logits(0.2), logits(0.9)
	if apart(none, low) < 1e-3 || apart(low, high) < 1e-3 {
		t.Error("feedback changes nothing")
	}
}

// BenchmarkDrawPrior measures the host's time to draw the earlier candidate of a training example.
func BenchmarkDrawPrior(b *testing.B) {
	c := must(Preset("parr-small"))
	c.Decoder.Feedback = 1
	n, st, rng := must(newNetwork(c)), must(c.stream(false)), rand.New(rand.NewPCG(1, 1))
	var problems []stream.Problem
	var laws [][]int32
	for i := uint64(0); len(laws) < 64; i++ {
		p := st.Problem(1, i)
		if law, err := n.encodeTarget(p.Law); err == nil {
			problems, laws = append(problems, p), append(laws, law)
		}
	}
	for i := 0; b.Loop(); i++ {
		p := n.newPrior(1, c.Seq)
		p.draw(n, 0, laws[i%64], &problems[i%64], n.observe(problems[i%64], rng), rng)
	}
}
