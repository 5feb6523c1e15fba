package stream

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

func mustNew(t testing.TB, c Config) *Stream {
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestProblemIsPure(t *testing.T) {
	s := mustNew(t, Config{Rows: 16, Noise: 0.5})
	first := make([]Problem, 200)
	for i := range first {
		first[i] = s.Problem(3, uint64(i))
	}
	again := make([]Problem, len(first))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := len(first) - 1 - w; i >= 0; i -= 4 {
				again[i] = s.Problem(3, uint64(i))
			}
		})
	}
	wg.Wait()
	for i := range first {
		if !reflect.DeepEqual(first[i], again[i]) {
			t.Fatalf("problem %d differs: %v and %v", i, first[i].Law, again[i].Law)
		}
	}
	if s.Problem(4, 0).Law.String() == first[0].Law.String() && s.Problem(4, 1).Law.String() == first[1].Law.String() {
		t.Error("another seed gives the same laws")
	}
}

func TestTables(t *testing.T) {
	s := mustNew(t, Config{Rows: 32})
	for i := range 1500 {
		p := s.Problem(5, uint64(i))
		if len(p.Y) != 32 || len(p.X) < 1 || len(p.X) > 6 || len(p.Dims) != len(p.X) {
			t.Fatalf("%d: %d rows, %d columns, %d dimensions", i, len(p.Y), len(p.X), len(p.Dims))
		}
		if n := p.Law.Len(); n > 24 || tier(n) != p.Tier {
			t.Errorf("%d: %d tokens, tier %d", i, n, p.Tier)
		}
		y := p.Law.Values(32, p.X, p.Law.Params())
		for k := range y {
			if math.IsNaN(p.Y[k]) || math.IsInf(p.Y[k], 0) {
				t.Fatalf("%d: %s is %g", i, p.Law, p.Y[k])
			}
			if d := math.Abs(p.Scale*y[k] - p.Y[k]); d > 1e-6*math.Abs(p.Y[k])+1e-9 {
				t.Fatalf("%d: %g*%s is %g, not %g", i, p.Scale, p.Law, p.Scale*y[k], p.Y[k])
			}
		}
		if skel, scale, ok := Skeleton(p.Law); !ok || scale != 1 || !sameNodes(skel.Nodes(), p.Law.Nodes()) {
			t.Errorf("%d: %s has the skeleton %g*%s", i, p.Law, scale, skel)
		}
	}
}

// Units balance if free constants, including the overall factor, may have any dimension.
func TestUnitsBalance(t *testing.T) {
	s := mustNew(t, Config{Rows: 8, NoUnits: -1})
	families := map[string]int{}
	for i := range 1500 {
		p := s.Problem(6, uint64(i))
		d, free, err := p.Law.Dim(p.Dims)
		if err != nil {
			t.Errorf("%d (%s): %s: %v: %v", i, p.Family, p.Law, p.Dims, err)
		}
		if p.Family == "powers" && d != p.Target || p.Family == "structures" && !free && d != p.Target {
			t.Errorf("%d (%s): %s is %v, not %v", i, p.Family, p.Law, d, p.Target)
		}
		if d == p.Target {
			families[p.Family]++
		}
	}
	t.Log(families)
}

// permuted calls add with the hashes of t for all orders of its variables.
func permuted(t expr.Tree, vars int, add func(uint64)) {
	order := make([]int32, vars)
	used := make([]bool, vars)
	var walk func(k int)
	walk = func(k int) {
		if k == vars {
			nodes := append([]expr.Node{}, t.Nodes()...)
			for i := range nodes {
				if nodes[i].Op == expr.Var {
					nodes[i].Index = order[nodes[i].Index]
				}
			}
			u, _ := expr.FromNodes(nodes)
			add(u.Hash())
			return
		}
		for j := range vars {
			if !used[j] {
				used[j], order[k] = true, int32(j)
				walk(k + 1)
				used[j] = false
			}
		}
	}
	walk(0)
}

// kind counts the operators and variables of t. The counts do not depend on the names of the
// variables.
func kind(t expr.Tree) (k [32]int8) {
	seen := map[int32]bool{}
	for _, n := range t.Nodes() {
		k[n.Op%31]++
		if n.Op == expr.Var {
			seen[n.Index] = true
		}
	}
	k[31] = int8(len(seen))
	return k
}

// compacted renumbers the variables of t without gaps.
func compacted(t expr.Tree) expr.Tree {
	ids := map[int32]int32{}
	nodes := append([]expr.Node{}, t.Nodes()...)
	for i, n := range nodes {
		if n.Op == expr.Var {
			if _, ok := ids[n.Index]; !ok {
				ids[n.Index] = int32(len(ids))
			}
			nodes[i].Index = ids[n.Index]
		}
	}
	u, _ := expr.FromNodes(nodes)
	return u
}

// According to Signature, no law of the stream is in a benchmark. For laws with the same operators
// as a law of a benchmark, this is confirmed by expr's Hash, with the variables in every order.
func TestNoBenchmarkLaw(t *testing.T) {
	kinds := map[[32]int8]bool{}
	known := map[uint64]string{}
	forms := 0
	for _, name := range corpus.Suites() {
		ps, err := corpus.Suite(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			tree, err := p.Tree()
			if err != nil {
				t.Fatal(err)
			}
			skel, _, ok := Skeleton(withoutAbs(tree))
			if !ok {
				t.Logf("%s has no skeleton: %s", p.ID, p.Law)
				continue
			}
			forms++
			if !Banned(Signature(skel)) {
				t.Errorf("%s is not banned: %s", p.ID, skel)
			}
			skel = compacted(skel)
			k := kind(skel)
			if skel.Len() > 24 || k[31] > 5 { // 720 orders of six variables take too long

				continue
			}
			kinds[k] = true
			permuted(skel, int(k[31]), func(h uint64) { known[h] = p.ID })
		}
	}
	s := mustNew(t, Config{Rows: 4})
	n, checked := 5000, 0
	if v := os.Getenv("PHYSLIB_PROBLEMS"); v != "" { // 200000 for the whole test
		n, _ = strconv.Atoi(v)
	}
	for i := range n {
		law := s.Problem(7, uint64(i)).Law
		if Banned(Signature(law)) {
			t.Errorf("problem %d is banned: %s", i, law)
		}
		if law = compacted(law); kinds[kind(law)] {
			checked++
			if id, ok := known[law.Hash()]; ok {
				t.Errorf("problem %d is %s: %s", i, id, law)
			}
		}
	}
	t.Logf("%d benchmark laws have skeletons; %d of %d problems compared by hash with %d", forms, checked, n, len(known))
}

func TestHeldOut(t *testing.T) {
	train, test := mustNew(t, Config{Rows: 4}), mustNew(t, Config{Rows: 4, HeldOut: true})
	for i := range uint64(200) {
		if p := train.Problem(8, i); HeldOut(Signature(p.Law)) {
			t.Errorf("training has %s", p.Law)
		}
		if p := test.Problem(8, i); !HeldOut(Signature(p.Law)) {
			t.Errorf("the test has %s", p.Law)
		}
	}
	held := 0
	rng := rand.New(rand.NewPCG(1, 1))
	for range 16000 {
		if HeldOut(rng.Uint64()) {
			held++
		}
	}
	if held < 800 || held > 1200 {
		t.Errorf("%d of 16000 are held out", held)
	}
}

func BenchmarkProblem(b *testing.B) {
	s := mustNew(b, Config{})
	s.Problem(0, 0)
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		s.Problem(1, i)
		i++
	}
}

func BenchmarkSkeleton(b *testing.B) {
	trees := laws(256, 9)
	i := 0
	for b.Loop() {
		Skeleton(trees[i%len(trees)])
		i++
	}
}

// The small vocabulary encodes skeletons and decodes them to the same ones.
func TestTokens(t *testing.T) {
	v := token.Small()
	for _, law := range laws(800, 12) {
		ids, err := v.Encode(law)
		if err != nil {
			t.Fatalf("%s: %v", law, err)
		}
		if len(ids) != law.Len() {
			t.Errorf("%s: %d tokens for %d nodes", law, len(ids), law.Len())
		}
		back, err := v.Decode(ids)
		if err != nil {
			t.Fatalf("%s: %v", law, err)
		}
		if skel, _, ok := Skeleton(back); !ok || !sameNodes(skel.Nodes(), law.Nodes()) {
			t.Errorf("%s came back as %s", law, back)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{
		{Rows: 3}, {MaxVars: 11}, {MaxVars: -1}, {MaxTokens: 5}, {Noise: 2}, {Noise: math.NaN()}, {Mix: Mix{Powers: -1, Fields: 2}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	// If a family has no law with the required properties, another family replaces it.
	s := mustNew(t, Config{Rows: 4, MaxVars: 1, MaxTokens: 6, Mix: Mix{Powers: 1}, HeldOut: true, Irrelevant: -1})
	for i := range uint64(5) {
		if p := s.Problem(1, i); len(p.X) != 1 || p.Law.Len() > 6 {
			t.Errorf("%s over %d columns", p.Law, len(p.X))
		}
	}
	noisy := mustNew(t, Config{Rows: 16, Noise: 1, Irrelevant: 1, MaxVars: 10})
	for i := range uint64(50) {
		if p := noisy.Problem(2, i); p.Noise == 0 || holds(p, 1e-9) {
			t.Errorf("%s has no noise", p.Law)
		}
	}
	if ps := mustNew(t, Config{Rows: 4, HeldOut: true}).Distinct(3, 40); len(ps) != 40 {
		t.Errorf("%d distinct problems", len(ps))
	}
}
