package adapt

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
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

// The quantile is that of visits, and what lies below it does not count.
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
	if elite(same, 0.8); same[0].Weight != 2*same[1].Weight || same[1].Weight == 0 {
		t.Errorf("equal rewards weigh %g and %g", same[0].Weight, same[1].Weight)
	}
	elite(nil, 0.8)
}

// R² is adjusted: a constant has 0, a law of as many constants as rows has none.
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

// The settings of the other seeds run: PhysMDT §6, PARR §4 and ARChitects §4, with fewer steps.
func TestOtherSeeds(t *testing.T) {
	qkvo := []string{"query", "key", "value", "output"}
	sys := untrained(t, backendtest.Go(t))
	for name, s := range map[string]Settings{
		"physmdt": {Rank: 32, Alpha: 64, Targets: qkvo[:3], Steps: 128, Batch: 1, LR: 1e-4, Decay: 0.01, MaskMin: 0.3, MaskMax: 0.9, Augment: "physmdt"},
		"parr":    {Rank: 16, Targets: qkvo, Part: "decoder", Steps: 64, LR: 3e-4, Schedule: "cosine", Augment: "parr", Candidates: 16, Top: 2},
		"architects": {Rank: 16, Targets: qkvo, Steps: 64, Objective: SelfConsistency, EarlyStop: 3, Restarts: 2, Decay: 0.01,
			Refresh: 1},
	} {
		s.Steps, s.Candidates, s.Refine = 2, 16, 2
		p := &Proposer{System: sys, Settings: s, Laws: archive}
		n := 0
		for law, err := range p.Propose(t.Context(), pendulum()) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if n++; law.NumParams() == 0 {
				t.Errorf("%s: %s has no scale", name, law)
			}
		}
		if n == 0 || s.Top > 0 && n > s.Top {
			t.Errorf("%s: %d laws", name, n)
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
