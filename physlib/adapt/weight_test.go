package adapt

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/system"
)

func TestByFit(t *testing.T) {
	list := []*Candidate{{R2: 1}, {R2: 0.99}, {R2: 0}, {R2: math.Inf(-1)}, {R2: 1 + 1e-15}}
	byFit(list, 1)
	for i, want := range []float64{1000, 1 / 0.101, 1 / 1.001, 0, 1000} {
		if math.Abs(list[i].Weight-want) > 1e-9*want {
			t.Errorf("R² %g weighs %g, want %g", list[i].R2, list[i].Weight, want)
		}
	}
}

// The quantile is taken over visits. Candidates below it have weight zero.
func TestElite(t *testing.T) {
	of := func(e float64, visits int) *Candidate { return &Candidate{R2: 1 - e*e, Visits: visits} }
	list := []*Candidate{of(9, 70), of(1, 15), of(0.25, 10), of(0, 5)} // rewards 0.1, 0.5, 0.8, 1
	mean := elite(list, 0.8)
	if want := (15*0.5 + 10*0.8 + 5) / 30; math.Abs(mean-want) > 1e-9 {
		t.Errorf("mean reward %g, want %g", mean, want)
	}
	for i, want := range []float64{0, 15e-6, 10*0.3 + 10e-6, 5*0.5 + 5e-6} {
		if math.Abs(list[i].Weight-want) > 1e-9 {
			t.Errorf("%d weighs %g, want %g", i, list[i].Weight, want)
		}
	}
	same := []*Candidate{of(1, 2), of(1, 1)}
	elite(same, 0.8)
	if same[0].Weight != 2*same[1].Weight || same[1].Weight == 0 {
		t.Errorf("equal rewards weigh %g and %g", same[0].Weight, same[1].Weight)
	}
	elite(nil, 0.8)
}

// R² is adjusted for constants: a constant law has 0, and a law with as many constants as there are
// rows has no R².
func TestAdjustedR2(t *testing.T) {
	p := pendulum()
	j, ok := newJudge(p)
	if !ok {
		t.Fatal("the target does not vary")
	}
	for i, want := range []float64{-1, -1, 1, -1} {
		c := j.fit(archive()[i])
		if want == 1 && math.Abs(c.R2-1) > 1e-12 || want < 0 && !(c.R2 < 0.99) {
			t.Errorf("%s has R² %g", c.Law, c.R2)
		}
	}
	p.Target.Values = p.Target.Values[:1]
	for i := range p.Vars {
		p.Vars[i].Values = p.Vars[i].Values[:1]
	}
	if _, ok := newJudge(p); ok {
		t.Error("one row varies")
	}
}

// Every small preset adapts with its own settings, here with a few neurons and fewer steps.
func TestPresetsAdapt(t *testing.T) {
	tiny := must(system.Preset("../system/testdata/tiny.yaml"))
	for _, name := range []string{"physdiffuse-small", "architects-small", "physmdt-small", "parr-small"} {
		c := must(system.Preset(name))
		c.Dim, c.Heads, c.Decoder.Layers, c.Decoder.Hidden = tiny.Dim, tiny.Heads, 1, 16
		c.Encoder.Cols, c.Encoder.Points, c.Encoder.Layers, c.Encoder.Hidden = 4, 4, 1, 16
		c.Decoder.Loops, c.Decoder.Backprop = min(c.Decoder.Loops, 2), min(c.Decoder.Backprop, 1)
		c.Encoder.Digits, c.Encoder.PerToken = min(c.Encoder.Digits, 2), min(c.Encoder.PerToken, 2)
		c.Corpus.Buckets, c.Refine.Samples, c.Refine.Steps = tiny.Corpus.Buckets, 8, 2
		c.Adapt.Steps, c.Adapt.Candidates, c.Adapt.Refine = 2, 8, 2
		p := &Proposer{System: must(system.Untrained(backendtest.Go(t), c, 1)), Settings: c.Adapt, Laws: archive}
		n := 0
		for law, err := range p.Propose(t.Context(), pendulum()) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n++
			if law.NumParams() == 0 {
				t.Errorf("%s: %s has no scale", name, law)
			}
		}
		if n == 0 || c.Adapt.Top > 0 && n > c.Adapt.Top {
			t.Errorf("%s: %d laws", name, n)
		}
		if p.adapter == nil || p.adapter.learner.builds == 0 {
			t.Errorf("%s: it learned nothing", name)
		}
		p.Close()
	}
}

func TestMeasure(t *testing.T) {
	one, two := quick(), quick()
	one.Steps, two.Steps, two.Rank, two.Objective = 2, 2, 2, Pseudo
	calls := 0
	result, err := Measure(t.Context(), untrained(t, backendtest.Go(t)), []Settings{one, two}, 3, 1, func(int, []Row) { calls++ })
	if err != nil || len(result) != 2 || calls != 3 {
		t.Fatalf("%v, %d rows, %d calls", err, len(result), calls)
	}
	for _, r := range result {
		if r.Laws == 0 || r.TwiceFound < r.Found || r.AdaptedFitted < r.Fitted || r.TwiceFitted > r.Laws {
			t.Errorf("%+v", r)
		}
	}
	if result[0].Found != result[1].Found || result[0].TwiceFitted != result[1].TwiceFitted {
		t.Error("the system itself depends on how it is adapted")
	}
}
