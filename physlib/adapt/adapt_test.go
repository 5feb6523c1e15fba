package adapt

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/unit"
)

// untrained returns physdiffuse-small with a few neurons and random weights.
func untrained(t testing.TB, b compute.Backend) *system.System {
	t.Helper()
	c, err := system.Preset("../system/testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return must(system.Untrained(b, c, 1))
}

// pendulum returns T = 2π√(l/g).
func pendulum() *dataset.Problem {
	p := &dataset.Problem{Units: true, Vars: []dataset.Quantity{
		{Name: "l", Dim: unit.Powers(0, 1), Known: true, Values: []float64{1, 2, 3, 4, 5, 6, 7, 8}},
		{Name: "g", Dim: unit.Powers(0, 1, -2), Known: true, Values: []float64{3, 1, 4, 1, 5, 9, 2, 6}},
	}, Target: dataset.Quantity{Name: "T", Dim: unit.Powers(0, 0, 1), Known: true}}
	for i, l := range p.Vars[0].Values {
		p.Target.Values = append(p.Target.Values, 2*math.Pi*math.Sqrt(l/p.Vars[1].Values[i]))
	}
	return p
}

// archive returns laws that an archive may hold. They are given by hand, because hardly any law
// that a random network proposes has a finite value.
func archive() (laws []expr.Tree) {
	for _, s := range []string{"c0*l/g", "c0*sqrt(l) + c1*g", "c0*sqrt(l/g)", "g - c0*sqrt(l)"} {
		laws = append(laws, must(expr.Parse(s, []string{"l", "g"})))
	}
	return laws
}

// quick returns settings that learn something in few steps.
func quick() Settings {
	return Settings{Rank: 4, Steps: 8, Batch: 4, Candidates: 8, Refine: 3, LR: 0.02, Targets: []string{"query", "key", "value", "output"}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// adapt returns the result of a.Adapt on the pendulum. The test fails if there is an error.
func adapt(t *testing.T, a *Adapter) Report {
	t.Helper()
	r, err := a.Adapt(t.Context(), pendulum(), archive())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// first returns the first laws proposed for the pendulum.
func first(t *testing.T, p interface {
	Propose(context.Context, *dataset.Problem) iter.Seq2[expr.Tree, error]
}) (all []string) {
	t.Helper()
	for law, err := range p.Propose(t.Context(), pendulum()) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, law.Infix(nil)); len(all) == 12 {
			break
		}
	}
	return all
}

// variables returns all variables of a by path: weights, adapters and moments.
func variables(t *testing.T, a *Adapter) map[string][]byte {
	all := map[string][]byte{}
	for v := range a.t.Store().IterVariables() {
		must(v.Value()).ConstBytes(func(data []byte) { all[v.Path()] = slices.Clone(data) })
	}
	return all
}

func isBase(path string) bool { return !strings.Contains(path, "/lora/") }

func TestLossFalls(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	for _, objective := range []string{Weighted, Pseudo, SelfConsistency} {
		t.Run(objective, func(t *testing.T) {
			s := quick()
			s.Objective, s.Steps = objective, 24
			a := must(New(sys, s))
			defer a.Close()
			before := variables(t, a)
			r := adapt(t, a)
			if first, last := average(r.Losses[:6]), average(r.Losses[18:]); r.Steps != 24 || r.Stopped != "steps" || !(last < 0.9*first) {
				t.Errorf("%d steps, stopped by %s, the loss went from %.3f to %.3f", r.Steps, r.Stopped, first, last)
			}
			for path, was := range before {
				if same := slices.Equal(variables(t, a)[path], was); same != isBase(path) {
					t.Errorf("%s unchanged: %v", path, same)
				}
			}
		})
	}
}

// The target with the best fit has the largest weight, and after learning the copy proposes it.
func TestLearnsItsTargets(t *testing.T) {
	s := quick()
	s.Steps, s.Candidates, s.Targets = 60, 8, nil
	a := must(New(untrained(t, backendtest.Go(t)), s))
	defer a.Close()
	r := adapt(t, a)
	best := slices.MaxFunc(r.Targets, func(x, y Candidate) int { return int(math.Copysign(1, x.Weight-y.Weight)) })
	if got := best.Law.Infix([]string{"l", "g"}); got != "c0*sqrt(l/g)" || best.Weight < 0.9 {
		t.Fatalf("the heaviest target is %s with %.2f", got, best.Weight)
	}
	hits := 0
	for law := range a.Propose(t.Context(), pendulum()) {
		if law.Hash() == best.Law.Hash() {
			hits++
		}
	}
	if hits == 0 {
		t.Error("the law that was learned is not proposed")
	}
}

// One compiled step serves several problems, one after the other. Nothing of one problem affects
// the next.
func TestResetWithoutCompiling(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	a := must(New(sys, quick()))
	defer a.Close()
	start, base := variables(t, a), first(t, a)
	if got := first(t, sys); !slices.Equal(got, base) {
		t.Errorf("a copy proposes %q, the system %q", base, got)
	}
	one := adapt(t, a)
	other := pendulum()
	for i, l := range other.Vars[0].Values {
		other.Target.Values[i] = 3*l*l - other.Vars[1].Values[i]
	}
	if _, err := a.Adapt(t.Context(), other, archive()[1:2]); err != nil {
		t.Fatal(err)
	}
	again := adapt(t, a)
	if !slices.Equal(again.Losses, one.Losses) {
		t.Errorf("the second time the losses are %v, the first %v", again.Losses, one.Losses)
	}
	if a.learner.builds != 1 {
		t.Errorf("the step was compiled %d times", a.learner.builds)
	}
	if slices.Equal(first(t, a), base) {
		t.Error("adaptation changes no proposal")
	}
	if err := a.Reset(); err != nil {
		t.Fatal(err)
	}
	for path, now := range variables(t, a) {
		if !slices.Equal(now, start[path]) {
			t.Errorf("%s does not come back", path)
		}
	}
	if got := first(t, a); !slices.Equal(got, base) {
		t.Errorf("after Reset it proposes %q, before %q", got, base)
	}
	if got := first(t, sys); !slices.Equal(got, base) {
		t.Errorf("the system proposes %q, before %q", got, base)
	}
}

func TestEqualSeedsEqualLaws(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	propose := func(seed int64) []string {
		s := quick()
		s.Steps, s.Restarts, s.Seed = 3, 2, seed
		p := &Proposer{System: sys, Settings: s, Laws: archive}
		defer p.Close()
		laws := first(t, p)
		if again := first(t, p); !slices.Equal(again, laws) {
			t.Errorf("seed %d: %q, then %q", seed, laws, again)
		}
		return laws
	}
	one := propose(1)
	if again := propose(1); !slices.Equal(one, again) {
		t.Errorf("%q, then %q", one, again)
	}
	if other := propose(2); slices.Equal(one, other) {
		t.Error("another seed, the same laws")
	}
}

// The same adaptation on two backends starts with equal adapters, and the losses differ only by
// rounding.
func TestBackendsAgree(t *testing.T) {
	var losses [2][]float64
	for i, b := range []compute.Backend{backendtest.Go(t), backendtest.XLA(t)} {
		s := quick()
		s.LR = 1e-3
		a := must(New(untrained(t, b), s))
		defer a.Close()
		// The system's own candidates are left out, so there is less to compile.
		session := must(a.open(pendulum(), nil, 0))
		for _, law := range archive() {
			session.visit(law)
		}
		session.targets = session.order
		byFit(session.targets, 1)
		session.normalize()
		losses[i] = must(session.learn(t.Context())).Losses
	}
	for i, l := range losses[0] {
		if math.Abs(l-losses[1][i]) > 0.01 {
			t.Errorf("step %d: %g on go, %g on xla", i, l, losses[1][i])
		}
	}
}

func TestSettingsThatCannotWork(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	for _, test := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Rank = 0 }, "rank 0"},
		{func(s *Settings) { s.Steps = 0 }, "no steps"},
		{func(s *Settings) { s.Steps = -1 }, "adapt.steps"},
		{func(s *Settings) { s.Targets = []string{"keys"} }, "no layer is called keys"},
		{func(s *Settings) { s.Objective = "selfconsistency" }, "did you mean self-consistency?"},
		{func(s *Settings) { s.LR = math.NaN() }, "adapt.lr"},
	} {
		s := quick()
		test.change(&s)
		if _, err := New(sys, s); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q in it", err, test.want)
		}
		p := &Proposer{System: sys, Settings: s}
		for _, err := range p.Propose(t.Context(), pendulum()) {
			if err == nil {
				t.Errorf("%s: it proposes", test.want)
			}
		}
		p.Close()
	}
}

// A loss that is not finite ends the adaptation with an error that names the step. The adapters are
// then reset.
func TestLossNotFinite(t *testing.T) {
	s := quick()
	s.LR = 1e30
	a := must(New(untrained(t, backendtest.Go(t)), s))
	defer a.Close()
	start := variables(t, a)
	_, err := a.Adapt(t.Context(), pendulum(), archive())
	if err == nil || !strings.Contains(err.Error(), "step 1: loss NaN") {
		t.Errorf("%v", err)
	}
	for path, now := range variables(t, a) {
		if !slices.Equal(now, start[path]) {
			t.Errorf("%s is not reset", path)
		}
	}
}

func TestStops(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	for _, test := range []struct {
		name   string
		change func(*Settings)
		steps  func(n int) bool
	}{
		{"time", func(s *Settings) { s.Steps, s.Time = 1<<30, 200*time.Millisecond }, func(n int) bool { return n < 1<<20 }},
		{"early", func(s *Settings) { s.Steps, s.EarlyStop, s.LR = 1<<30, 2, 1e-9 }, func(n int) bool { return n == 3*checkEvery }},
		{"early", func(s *Settings) { s.Steps, s.EarlyStop, s.LR, s.Objective = 1<<30, 1, 1e-9, SelfConsistency }, func(n int) bool { return n < 100 }},
		{"steps", func(s *Settings) { s.Steps, s.EarlyStop, s.Schedule = 16, 2, "cosine" }, func(n int) bool { return n == 16 }},
	} {
		s := quick()
		test.change(&s)
		a := must(New(sys, s))
		if r := adapt(t, a); r.Stopped != test.name || !test.steps(r.Steps) {
			t.Errorf("%s: stopped by %s after %d steps", test.name, r.Stopped, r.Steps)
		}
		a.Close()
	}
}

// When learning stops early, the adapters are set back to those of the best check.
func TestEarlyStopKeepsTheBest(t *testing.T) {
	s := quick()
	s.Steps, s.EarlyStop = 1<<30, 1
	a := must(New(untrained(t, backendtest.Go(t)), s))
	defer a.Close()
	session := must(a.start(t.Context(), pendulum(), archive(), 0))
	must(session.learn(t.Context()))
	w, r := watch{patience: 1}, Report{Steps: checkEvery}
	must(session.check(&w, &r))
	kept := variables(t, a)
	for v := range a.t.Store().IterVariables() {
		if strings.HasSuffix(v.Path(), "/lora/b") { // simulate learning that makes the system worse
			flat := slices.Repeat([]float32{3}, v.Shape().Size())
			if err := v.SetValue(tensors.FromFlatDataAndDimensions(flat, v.Shape().Dimensions...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if stop := must(session.check(&w, &r)); !stop {
		t.Fatal("goes on")
	}
	for path, now := range variables(t, a) {
		if strings.Contains(path, "/lora/") && !slices.Equal(now, kept[path]) {
			t.Errorf("%s is not that of the best check", path)
		}
	}
}

// Ctrl-C ends learning within a step and keeps what was learned.
func TestInterrupted(t *testing.T) {
	s := quick()
	s.Steps = 1 << 30
	a := must(New(untrained(t, backendtest.Go(t)), s))
	defer a.Close()
	adaptable, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	r, err := a.Adapt(adaptable, pendulum(), archive())
	if err != nil || r.Stopped != "interrupted" || time.Since(began) > 5*time.Second {
		t.Errorf("%v, stopped by %s after %s", err, r.Stopped, time.Since(began))
	}
	cancel()
	if r, err := a.Adapt(adaptable, pendulum(), nil); err != nil || r.Steps != 0 || r.Stopped != "interrupted" {
		t.Errorf("cancelled before: %v, %d steps, stopped by %s", err, r.Steps, r.Stopped)
	}
}

// The archive may hold useless laws: of columns that do not vary or do not exist, or without a
// finite value.
func TestAwkwardLaws(t *testing.T) {
	p := pendulum()
	p.Vars = append(p.Vars, dataset.Quantity{Name: "c", Const: true, Values: slices.Repeat([]float64{3}, 8)})
	p.Target.Values[2] = math.NaN()
	var given []expr.Tree
	for _, s := range []string{"c0*l*c", "c0*sqrt(0-l)", "c0*z", "c0", "c0*abs(l)", "c0*c1*l", "l**c0"} {
		given = append(given, must(expr.Parse(s, []string{"l", "g", "c", "z"})))
	}
	given = append(given, expr.Tree{})
	a := must(New(untrained(t, backendtest.Go(t)), quick()))
	defer a.Close()
	r, err := a.Adapt(t.Context(), p, given)
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, c := range r.Targets {
		targets = append(targets, c.Law.Infix([]string{"l", "g", "c", "z"}))
	}
	if !slices.Contains(targets, "c0*l*c") || slices.Contains(targets, "c0*z") {
		t.Errorf("targets %q", targets)
	}
}

func ExampleTop() {
	law := func(s string) expr.Tree { return must(expr.Parse(s, []string{"l", "g"})) }
	for _, l := range Top([]*Candidate{
		{Law: law("c0*l"), R2: 0.7, Visits: 5},
		{Law: law("c0*sqrt(l)/g"), R2: 0.8, Visits: 5},
		{Law: law("c0*sqrt(l/g)"), R2: 1, Visits: 2},
	}) {
		fmt.Println(l.Infix([]string{"l", "g"}))
	}
	// Output:
	// c0*sqrt(l)/g
	// c0*sqrt(l/g)
}
