package diffusion_test

import (
	"context"
	"math"
	"slices"
	"testing"

	. "github.com/physlib/lab/physlib/diffusion"
)

// watch refines one sample with a network that always returns logits [seq, vocab], where token 0 is
// the mask. It calls see with the state after each step.
func watch(t *testing.T, r Sampler, logits [][]float64, given []int32, see func(s *State, in Input)) Candidate {
	t.Helper()
	seq, vocab := len(logits), len(logits[0])
	var last Input
	d := DenoiserFunc(func(_ context.Context, in Input, out []float32) error {
		last = in
		last.IDs, last.Weights, last.MaskAmount = slices.Clone(in.IDs), slices.Clone(in.Weights), slices.Clone(in.MaskAmount)
		for i, row := range logits {
			for k, l := range row {
				out[i*vocab+k] = float32(l)
			}
		}
		return nil
	})
	r.Vocab = vocab
	r.Step = Chain(r.Step, func(s *State) { see(s, last) })
	var c Candidate
	for got, err := range r.Refine(context.Background(), d, Batch{N: 1, Seq: seq, Given: given, Seed: 7}) {
		if err != nil {
			t.Fatal(err)
		}
		c = got
	}
	return c
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

var peaked = [][]float64{{0, 3, 1, 0}, {0, 1, 5, 2}, {0, 0, 0, 1}, {0, 4, 4, 4}}

func TestLogitSteps(t *testing.T) {
	watch(t, Sampler{Steps: 1, Step: NormalizeLogits(9)}, peaked, nil, func(s *State, _ Input) {
		for i, row := range peaked {
			var norm float64
			for _, l := range row {
				norm += l * l
			}
			for k, l := range row {
				near(t, "normalized", float64(s.Logits[i*4+k]), l/(math.Sqrt(norm)/3+1e-6))
			}
		}
	})
	watch(t, Sampler{Steps: 4, Step: Anneal(1, 0.1)}, peaked, nil, func(s *State, _ Input) {
		near(t, "annealed", s.Temperature, math.Pow(0.1, float64(s.Step+1)/4))
		near(t, "annealed logit", float64(s.Logits[6]), 5/math.Pow(0.1, float64(s.Step+1)/4))
	})
	watch(t, Sampler{Steps: 1, Step: Chain(Temperature(2), Temperature(2))}, peaked, nil, func(s *State, _ Input) {
		near(t, "twice", float64(s.Logits[6]), 5./4)
		near(t, "temperature", s.Temperature, 4)
	})
	watch(t, Sampler{Steps: 1, Step: Restrict([]bool{true, false, true, true})}, peaked, nil, func(s *State, _ Input) {
		p := s.Probs()
		for i := range 4 {
			if p[4*i] != 0 || p[4*i+1] != 0 {
				t.Errorf("excluded tokens have probabilities %v", p[4*i:4*i+4])
			}
			near(t, "rest", float64(p[4*i+2]+p[4*i+3]), 1)
		}
	})
	// Noise of scale 2 has a standard deviation of 2 at the first of two steps, and of 1 at the
	// second.
	flat := make([][]float64, 40)
	for i := range flat {
		flat[i] = make([]float64, 100)
	}
	watch(t, Sampler{Steps: 2, Step: Noise(2)}, flat, nil, func(s *State, _ Input) {
		var square float64
		for _, l := range s.Logits {
			square += float64(l) * float64(l) / 4000
		}
		if want := 2 - float64(s.Step); math.Abs(math.Sqrt(square)-want) > 0.1 {
			t.Errorf("step %d: noise of size %.3f, want %.3f", s.Step, math.Sqrt(square), want)
		}
	})
}

// The temperatures of the samples cover the range evenly for any number of samples.
func TestMixTemperature(t *testing.T) {
	d := dependent()
	var taus []float64
	r := Sampler{Vocab: d.vocab, Mask: d.mask, Steps: 1, Step: Chain(MixTemperature(1, 2), func(s *State) {
		if s.Sample < 8 { // the first block of samples runs on one goroutine
			taus = append(taus, s.Temperature)
		}
	}, MostLikely())}
	collect(t, r, d, Batch{N: 8, Seq: 4})
	slices.Sort(taus)
	for i, tau := range taus {
		if lo, hi := math.Pow(2, float64(i-1)/8), math.Pow(2, float64(i+2)/8); tau < lo || tau > hi {
			t.Errorf("temperatures %v are uneven", taus)
			break
		}
	}
}

func TestConfidence(t *testing.T) {
	z := math.Exp(0) + math.Exp(3) + math.Exp(1) + math.Exp(0)
	for name, c := range map[string]struct {
		step Strategy
		want float64
	}{
		"max":      {ConfidenceMax(), math.Exp(3) / z},
		"sigmoid":  {ConfidenceSigmoid(), 1 / (1 + math.Exp(-3))},
		"proposed": {ConfidenceProposed(), math.Log(math.Exp(3) / z)},
	} {
		watch(t, Sampler{Steps: 1, Step: Chain(MostLikely(), c.step)}, peaked, nil, func(s *State, _ Input) {
			near(t, name, float64(s.Confidence[0]), c.want)
		})
	}
	watch(t, Sampler{Steps: 1, Step: MostLikely()}, peaked, nil, func(s *State, _ Input) {
		if !slices.Equal(s.Proposal, []int32{1, 2, 3, 1}) {
			t.Errorf("likeliest tokens %v", s.Proposal)
		}
	})
}

// confidence gives position i of six the confidence c[i], at every step.
func confidence(c ...float32) Strategy {
	return func(s *State) { copy(s.Confidence, c) }
}

var ranks = confidence(0.3, 0.9, 0.1, 0.9, 0.5, 0.2)

func six() [][]float64 {
	l := make([][]float64, 6)
	for i := range l {
		l[i] = []float64{0, 1, 0}
	}
	return l
}

// shownAfter returns, for each step, which of six positions are visible.
func shownAfter(t *testing.T, steps int, given []int32, step Strategy) (shown []string) {
	watch(t, Sampler{Steps: steps, Step: Chain(MostLikely(), ranks, step)}, six(), given, func(s *State, _ Input) {
		b := make([]byte, 6)
		for i := range b {
			b[i] = '.'
			if !s.Masked(i) {
				b[i] = '0' + byte(s.IDs[i])
			}
		}
		shown = append(shown, string(b))
	})
	return shown
}

func TestUnmask(t *testing.T) {
	for _, c := range []struct {
		name  string
		step  Strategy
		steps int
		given []int32
		want  []string
	}{
		{"linear", UnmaskTop(Linear), 3, nil, []string{".1.1..", "11.11.", "111111"}},
		{"linear, floor", UnmaskTop(Linear), 4, nil, []string{".1....", ".1.11.", "11.11.", "111111"}},
		{"cosine", UnmaskTop(Cosine), 3, nil, []string{"......", ".1.11.", "111111"}},
		{"commit", Commit(Linear), 3, nil, []string{".1.1..", "11.11.", "111111"}},
		{"commit around given", Commit(Linear), 2, []int32{0, 2, 0, 0, 2, 0}, []string{"12.12.", "121121"}},
		{"top around given", UnmaskTop(Linear), 2, []int32{0, 2, 0, 0, 2, 0}, []string{"12.12.", "121121"}},
		// quantiles of 0.9 0.9 0.5 0.3 0.2 0.1 at p = 0, 1/4, 1/2 and 3/4, counted from the
		// largest: 0.9, 0.6, 0.4, 0.225
		{"quantile", UnmaskQuantile(Linear), 4, nil, []string{".1.1..", ".1.1..", ".1.11.", "11.11."}},
		// before each step except the last, half of the visible tokens are masked again
		{"remask", Chain(Commit(Linear), Remask(0.5)), 3, nil, []string{".1....", ".1.1..", "111111"}},
	} {
		// Positions 1 and 3 have equal confidences, 0.9. The first of them becomes visible first,
		// and Remask masks the first of them.
		got := shownAfter(t, c.steps, c.given, c.step)
		if c.name == "remask" {
			c.want[0] = "...1.."
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// UnmaskTop may replace tokens shown earlier, Commit may not.
func TestCommitStays(t *testing.T) {
	changing := func(s *State) { // proposes 1 at the first step, then 2
		for i := range s.Proposal {
			s.Proposal[i] = int32(min(s.Step+1, 2))
		}
	}
	for name, c := range map[string]struct {
		step Strategy
		want []int32
	}{"top": {UnmaskTop(Linear), []int32{2, 2, 2, 2, 2, 2}}, "commit": {Commit(Linear), []int32{2, 1, 2, 1, 1, 2}}} {
		got := watch(t, Sampler{Steps: 2, Step: Chain(changing, ranks, c.step)}, six(), nil, func(*State, Input) {})
		if !slices.Equal(got.IDs, c.want) {
			t.Errorf("%s: %v, want %v", name, got.IDs, c.want)
		}
	}
}

func TestSoftSteps(t *testing.T) {
	z := math.Exp(0) + math.Exp(3) + math.Exp(1) + math.Exp(0)
	p1 := math.Exp(3) / z
	// want holds the weights of the mask and of token 1, and the mask amount, at position 0.
	check := func(name string, r Sampler, want ...[3]float64) {
		r.Soft = true
		watch(t, r, peaked, []int32{0, 2, 0, 0}, func(s *State, in Input) {
			w := want[s.Step]
			near(t, name+": weight of the mask", float64(in.Weights[0]), w[0])
			near(t, name+": weight of token 1", float64(in.Weights[1]), w[1])
			near(t, name+": mask amount", float64(in.MaskAmount[0]), w[2])
			if in.Weights[4+2] != 1 || in.MaskAmount[1] != 0 {
				t.Errorf("%s: the given token has weights %v", name, in.Weights[4:8])
			}
		})
	}
	p0 := 1 / z
	check("soft", Sampler{Steps: 2, Step: SoftEmbed()}, [3]float64{1, 0, 0}, [3]float64{p0, p1, 0})
	check("mask", Sampler{Steps: 3, FirstMask: 1, Step: Chain(SoftEmbed(), AddMask(1, 0, Linear))},
		[3]float64{1, 0, 1}, [3]float64{p0, p1, 2. / 3}, [3]float64{p0, p1, 1. / 3})
	check("blend", Sampler{Steps: 3, Step: Blend(0.5, 1)},
		[3]float64{1, 0, 0}, [3]float64{0.5 + 0.5*p0, 0.5 * p1, 0}, [3]float64{0.25*0.5 + 0.25*0.5*p0 + 0.75*p0, 0.25*0.5*p1 + 0.75*p1, 0})
	// Visible tokens have weight 1.
	watch(t, Sampler{Steps: 2, Soft: true, Step: Chain(MostLikely(), ConfidenceMax(), Commit(Linear), SoftEmbed())}, peaked, nil,
		func(s *State, in Input) {
			if s.Step == 1 && !slices.Equal(in.Weights[4:8], []float32{0, 0, 1, 0}) {
				t.Errorf("a shown token has weights %v", in.Weights[4:8])
			}
		})
}

// Each round starts from masked tokens and yields a candidate; with EachStep each step yields one.
func TestRounds(t *testing.T) {
	d := dependent()
	starts := 0
	spy := DenoiserFunc(func(ctx context.Context, in Input, logits []float32) error {
		if in.Step == 0 {
			starts++
			for _, id := range in.IDs {
				if id != d.mask {
					t.Errorf("round %d starts from %v", in.Round, in.IDs)
				}
			}
		}
		if in.Steps != 3 || in.Progress() != float64(in.Step)/3 {
			t.Errorf("step %d of %d", in.Step, in.Steps)
		}
		return d.Denoise(ctx, in, logits)
	})
	r := Sampler{Vocab: d.vocab, Mask: d.mask, Steps: 7, Rounds: 2, Step: Chain(SampleTokens(), ConfidenceMax(), UnmaskTop(Linear))}
	if got := collect(t, r, spy, Batch{N: 5, Seq: 4}); len(got) != 10 || starts != 2 || got[9].Round != 1 || got[9].Step != 2 {
		t.Errorf("%d candidates in %d rounds", len(got), starts)
	}
	r.EachStep = true
	if got := collect(t, r, spy, Batch{N: 5, Seq: 4}); len(got) != 30 {
		t.Errorf("%d visits", len(got))
	}
}

// LogProb is the log-probability of the tokens that were not given, by the network's last output.
func TestLogProb(t *testing.T) {
	c := watch(t, Sampler{Steps: 1, Step: MostLikely()}, peaked, []int32{0, 0, 2, 0}, func(*State, Input) {})
	want := 3 - math.Log(2+math.Exp(3)+math.Exp(1)) + 5 - math.Log(1+math.Exp(1)+math.Exp(5)+math.Exp(2)) + 4 - math.Log(1+3*math.Exp(4))
	near(t, "log-probability", c.LogProb, want)
}

// HardEmbed feeds the proposed tokens at masked positions, which stay masked.
func TestHardEmbed(t *testing.T) {
	watch(t, Sampler{Steps: 2, Soft: true, Step: Chain(Restrict(nil), MostLikely(), HardEmbed())}, peaked, []int32{0, 3, 0, 0}, func(s *State, _ Input) {
		for i, want := range []int{1, 3, 3, 1} {
			for id := range s.Vocab {
				weight := float64(s.Weights[i*s.Vocab+id])
				if id == want {
					near(t, "weight", weight, 1)
				} else {
					near(t, "weight", weight, 0)
				}
			}
			near(t, "mask", float64(s.MaskAmount[i]), 0)
			if s.Masked(i) != (i != 1) {
				t.Errorf("position %d: masked %v", i, s.Masked(i))
			}
		}
	})
}

// A candidate holds the network's confidence in each token. For a visible token it is the
// confidence at the step that made it visible.
func TestConfidenceOfCandidates(t *testing.T) {
	step := Chain(Restrict(nil), MostLikely(), ConfidenceMax(), Commit(Linear))
	shown := map[int]float64{}
	c := watch(t, Sampler{Steps: 3, Step: step}, peaked, []int32{0, 3, 0, 0}, func(s *State, _ Input) {
		for i := range s.Seq {
			if _, ok := shown[i]; !ok && !s.Masked(i) && !s.Given[i] {
				shown[i] = float64(s.Confidence[i])
			}
		}
	})
	shown[1] = 1
	for i, x := range c.Confidence {
		near(t, "confidence", float64(x), shown[i])
	}
	if len(c.Confidence) != 4 || c.Confidence[0] <= c.Confidence[3] {
		t.Errorf("%v: three equal tokens are as sure as one that stands out", c.Confidence)
	}
}
