package evolve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/token"
)

// tiny returns physdiffuse-small with a few neurons, untrained.
func tiny(t testing.TB) *system.System {
	t.Helper()
	c, err := system.Preset("../system/testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Refine.Steps, c.Refine.Samples = 2, 16
	s, err := system.Untrained(backendtest.Go(t), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEvolveIsAProposer(t *testing.T) {
	s := tiny(t)
	make := func() discover.Proposer {
		return &Proposer{System: s, Settings: Settings{Children: 16, Steps: 2, Patience: 4}}
	}
	discovertest.TestProposer(t, make)
	discovertest.TestOperators(t, make)
}

// table returns a problem: y = 3·exp(-x₀/2)·x₁ on a few rows.
func table(laws ...string) *dataset.Problem {
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x0"}, {Name: "x1"}}, Target: dataset.Quantity{Name: "y"}, Seed: 1}
	law := parse("3*exp(-0.5*x0)*x1")
	for i := range 30 {
		p.Vars[0].Values = append(p.Vars[0].Values, 1+float64(i%7)/2)
		p.Vars[1].Values = append(p.Vars[1].Values, 2+float64(i%5))
	}
	p.Target.Values = make([]float64, 30)
	expr.Compile(law).Eval(p.Target.Values, p.Cols(), nil)
	if laws != nil {
		p.Laws = func() (list []expr.Tree) {
			for _, l := range laws {
				list = append(list, parse(l))
			}
			return list
		}
	}
	return p
}

func parse(text string) expr.Tree {
	t, err := expr.Parse(text, []string{"x0", "x1", "x2", "x3"})
	if err != nil {
		panic(err)
	}
	return t
}

// Children from the network keep the visible tokens of their parents and the values of the
// constants among them.
func TestChildrenResembleTheirParents(t *testing.T) {
	s := tiny(t)
	parent := parse("c0*x1*exp(c1*x0)").WithStarts([]float64{3, 0.7})
	p := table("x0")
	p.Laws = func() []expr.Tree { return []expr.Tree{parent} }
	e := &Proposer{System: s, Settings: Settings{Share: 1, NoFirst: true, Patience: 6}}
	kept, n := 0, 0
	for law, err := range e.Propose(t.Context(), p) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if slices.Contains(law.Params(), 0.7) {
			kept++
		}
	}
	if n < 20 || kept < n/5 {
		t.Errorf("of %d children %d have the constant of their parent", n, kept)
	}
}

// The fraction of children from the network is that of the settings. If the network makes none,
// evolution is plain genetic programming and needs no system.
func TestShares(t *testing.T) {
	s := tiny(t)
	count := func(e *Proposer) (laws map[string]bool) {
		laws = map[string]bool{}
		for law, err := range e.Propose(t.Context(), table("x1", "c0*x1/x0", "x1*exp(x0)")) {
			if err != nil {
				t.Fatal(err)
			}
			if laws[law.String()] {
				t.Fatalf("%s came twice", law)
			}
			laws[law.String()] = true
			if len(laws) == 150 {
				break
			}
		}
		return laws
	}
	plain := count(&Proposer{Settings: Settings{Patience: 3}})
	none := count(&Proposer{System: s, Settings: Settings{Share: -1, NoFirst: true, Patience: 3}})
	if len(plain) < 50 || fmt.Sprint(plain) != fmt.Sprint(none) {
		t.Errorf("%d laws without a system, %d with one that has no share", len(plain), len(none))
	}
	mixed, all := count(&Proposer{System: s, Settings: Settings{NoFirst: true}}), count(&Proposer{System: s, Settings: Settings{Share: 1, NoFirst: true}})
	common := func(a, b map[string]bool) (n int) {
		for law := range a {
			if b[law] {
				n++
			}
		}
		return n
	}
	if m, a := common(mixed, plain), common(all, plain); m <= a {
		t.Errorf("%d laws of the mix are those of the genetic operators, %d of the network's", m, a)
	}
}

// In a run of package discover, a Proposer improves laws of the archive. Equal runs find equal
// laws.
func TestEvolveInTheEngine(t *testing.T) {
	p := table()
	data := &dataset.Table{Target: dataset.Column{Name: "y", Values: p.Target.Values}}
	for _, v := range p.Vars {
		data.Vars = append(data.Vars, dataset.Column{Name: v.Name, Values: v.Values})
	}
	s := tiny(t)
	var texts []string
	for range 2 {
		e := &Proposer{System: s, Settings: Settings{Patience: 8}}
		r, err := discover.Discover(t.Context(), data, discover.Settings{Evaluations: 600, Errors: discover.EqualErrors, Time: -1,
			Proposers: []string{e.Name()}, Extra: []discover.NamedProposer{{Name: e.Name(), Proposer: e}}})
		if err != nil || len(r.Front) == 0 {
			t.Fatalf("%d laws, %v", len(r.Front), err)
		}
		if r.Proposers[0].Laws <= 16 { // 16 laws come from the first pass
			t.Errorf("%d laws: no generation came behind the first pass", r.Proposers[0].Laws)
		}
		texts = append(texts, r.Best.Infix())
	}
	if texts[0] != texts[1] {
		t.Errorf("equal runs find %s and %s", texts[0], texts[1])
	}
}

// A gap has the requested length. Its visible tokens are the tokens of the parent that the field
// kept lists.
func TestGaps(t *testing.T) {
	for _, v := range []*token.Vocabulary{token.Small(), token.PhysMDT(), token.PARR()} {
		law := parse("x0*sin(x1 + x0) - x1/x0")
		ids, err := v.Encode(law)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range subtrees(v, ids) {
			if _, err := v.Decode(ids[s.from:s.to]); err != nil {
				t.Errorf("%s: tokens %d to %d are not a subtree: %v", v.Name(), s.from, s.to, err)
			}
		}
		x := &individual{ids: ids}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			seq := 1 + rng.IntN(20)
			for _, make := range []func(*token.Vocabulary, *rand.Rand, *individual, int) (gap, bool){replace, widen} {
				g, ok := make(v, rng, x, seq)
				if !ok {
					continue
				}
				if len(g.given) != seq {
					t.Fatalf("%s: %d tokens, want %d", v.Name(), len(g.given), seq)
				}
				for i, at := range g.kept {
					if at >= 0 && g.given[at] != ids[i] {
						t.Fatalf("%s: token %d is not at %d", v.Name(), i, at)
					}
				}
				logits := scores(seq * v.Size())
				if out, ok := v.Grammar(nil).Sample(rng, logits, seq, g.given, 1); !ok {
					t.Errorf("%s: %s cannot be completed", v.Name(), v.Text(g.given))
				} else if _, err := v.Decode(out); err != nil {
					t.Error(err)
				}
			}
		}
		logp := floats(len(ids))
		logp[2] = -50
		if g := uncertainGap(v, rng, x, logp); g.given[2] != v.Mask() || g.kept[2] != -1 {
			t.Errorf("%s: the least confident token is shown", v.Name())
		}
	}
}

func scores(n int) []float32 { return make([]float32, n) }
func floats(n int) []float64 { return make([]float64, n) }

// Islands keep the best laws of each size.
func TestIslands(t *testing.T) {
	j, ok := newJudge(table())
	if !ok {
		t.Fatal("the target does not vary")
	}
	s := islands{known: map[uint64]bool{}}
	var laws []expr.Tree
	for i := range 40 {
		laws = append(laws, parse(fmt.Sprintf("%d*x1 + %d", i, i)))
	}
	s.settle(append(laws, parse("3*exp(-0.5*x0)*x1"), parse("log(x0 - 5)")), j, nil)
	if n := s.settle(laws, j, nil); n != 0 {
		t.Errorf("%d laws are new when they come again", n)
	}
	for _, list := range s.of {
		if !slices.IsSortedFunc(list, func(a, b *individual) int { return int(1e9 * (a.unexplained - b.unexplained)) }) || len(list) > capacity {
			t.Errorf("an island of %d in wrong order", len(list))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	best := 0
	for range 200 {
		if x := s.parent(rng, func(*individual) bool { return true }); x.unexplained < 1e-12 {
			best++
		}
	}
	if best < 20 {
		t.Errorf("the law was a parent %d times of 200", best)
	}
}

func BenchmarkRefill(b *testing.B) {
	c, err := system.Preset("physdiffuse-small")
	if err != nil {
		b.Fatal(err)
	}
	s, err := system.Untrained(backendtest.Go(b), c, 1)
	if err != nil {
		b.Fatal(err)
	}
	e := &Proposer{System: s, Settings: Settings{Share: 1, NoFirst: true}}
	n := 0
	for b.Loop() {
		for range e.Propose(context.Background(), table("x1", "c0*x1/x0", "x1*exp(x0)")) {
			if n++; n%100 == 0 {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(n), "ms/law")
}
