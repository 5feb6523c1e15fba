package token

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/physlib/lab/physlib/expr"
)

// tiny returns a vocabulary of ten tokens, small enough to try all sequences.
func tiny(postfix bool) *Vocabulary {
	return newVocabulary("tiny", postfix, "SOS", "EOS", "PAD", "MASK", []word{
		{name: "add", role: operator, op: expr.Add}, {name: "x", role: variable}, {name: "MASK"}, {name: "sin", role: operator, op: expr.Sin},
		{name: "mul", role: operator, op: expr.Mul}, {name: "y", role: variable, index: 1}, {name: "z", role: variable, index: 2},
		{name: "PAD"}, {name: "SOS"}, {name: "EOS"},
	})
}

// all returns the sequences of length seq that are expressions, or framed expressions if framed is
// true. They have the fixed tokens and, elsewhere, allowed tokens.
func all(v *Vocabulary, seq int, fixed []int32, allowed func(int32) bool, framed bool) (found [][]int32) {
	ids := make([]int32, seq)
	var fill func(i int)
	fill = func(i int) {
		if i == seq {
			body := ids
			if framed {
				end := slices.Index(ids, v.EOS())
				if ids[0] != v.SOS() || end < 0 || slices.ContainsFunc(ids[end+1:], func(id int32) bool { return id != v.Pad() }) {
					return
				}
				body = ids[1:end]
			}
			if slices.ContainsFunc(body, func(id int32) bool { return v.Arity(id) < 0 }) {
				return
			}
			if _, err := v.Decode(body); err == nil {
				found = append(found, slices.Clone(ids))
			}
			return
		}
		for id := range int32(v.Size()) {
			frame := id == v.SOS() || id == v.EOS() || id == v.Pad()
			if fixed[i] == id && id != v.Mask() || fixed[i] == v.Mask() && (v.Arity(id) >= 0 && allowed(id) || frame && framed) {
				ids[i] = id
				fill(i + 1)
			}
		}
	}
	fill(0)
	return found
}

func total(v *Vocabulary, logp []float32, ids, fixed []int32) (sum float64) {
	for i, id := range ids {
		if fixed[i] == v.Mask() {
			sum += score(logp[i*v.Size()+int(id)])
		}
	}
	return sum
}

// problem is a random task for a Grammar over a tiny vocabulary.
type problem struct {
	v       *Vocabulary
	seq     int
	logp    []float32
	fixed   []int32
	allowed func(int32) bool
	framed  bool
}

func (p problem) grammar() *Grammar {
	if p.framed {
		return p.v.Framed(p.allowed)
	}
	return p.v.Grammar(p.allowed)
}

func (p problem) all() [][]int32 { return all(p.v, p.seq, p.fixed, p.allowed, p.framed) }

func drawProblem(t *rapid.T) problem {
	p := problem{v: tiny(rapid.Bool().Draw(t, "postfix")), seq: rapid.IntRange(1, 5).Draw(t, "seq"), framed: rapid.Bool().Draw(t, "framed")}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	p.logp = make([]float32, p.seq*p.v.Size())
	for k := range p.logp {
		p.logp[k] = float32(rng.NormFloat64() * 3)
		switch rng.IntN(20) {
		case 0:
			p.logp[k] = float32(math.Inf(-1))
		case 1:
			p.logp[k] = float32(math.NaN())
		}
	}
	p.fixed = make([]int32, p.seq)
	for i := range p.fixed {
		p.fixed[i] = p.v.Mask()
		if rng.IntN(3) == 0 {
			p.fixed[i] = int32(rng.IntN(7))
		}
		if p.framed && rng.IntN(3) == 0 {
			p.fixed[i] = []int32{p.v.SOS(), p.v.EOS(), p.v.Pad()}[min(i, 1+rng.IntN(2))]
		}
	}
	forbidden := int32(rng.IntN(2 * p.v.Size()))
	p.allowed = func(id int32) bool { return id != forbidden }
	return p
}

func TestBestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		ids, sum, ok := p.grammar().Best(p.logp, p.seq, p.fixed)
		want := impossible
		for _, x := range p.all() {
			want = max(want, total(p.v, p.logp, x, p.fixed))
		}
		if ok != !math.IsInf(want, -1) {
			t.Fatalf("ok is %v and the best score %v", ok, want)
		}
		if !ok {
			return
		}
		if got := total(p.v, p.logp, ids, p.fixed); math.Abs(got-want) > 1e-6 || math.Abs(sum-want) > 1e-6 {
			t.Errorf("got %v with %v, said to be %v; want %v", ids, got, sum, want)
		}
		for i, f := range p.fixed {
			if f != p.v.Mask() && ids[i] != f {
				t.Errorf("position %d: got %d, given is %d", i, ids[i], f)
			}
		}
	})
}

func TestNBestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		found, scores := p.grammar().NBest(p.logp, p.seq, p.fixed, 20)
		var want []float64
		for _, x := range p.all() {
			if s := total(p.v, p.logp, x, p.fixed); !math.IsInf(s, -1) {
				want = append(want, s)
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		want = want[:min(20, len(want))]
		if len(found) != len(want) {
			t.Fatalf("got %d expressions, want %d", len(found), len(want))
		}
		seen := map[string]bool{}
		for k, ids := range found {
			if got := total(p.v, p.logp, ids, p.fixed); math.Abs(got-want[k]) > 1e-6 || math.Abs(scores[k]-want[k]) > 1e-6 {
				t.Errorf("number %d is %s with %v, said to be %v; want %v", k, p.v.Text(ids), got, scores[k], want[k])
			}
			if seen[p.v.Text(ids)] {
				t.Errorf("%s comes twice", p.v.Text(ids))
			}
			seen[p.v.Text(ids)] = true
		}
	})
}

func TestMarginalsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		got := p.grammar().Marginals(p.logp, p.seq, p.fixed)
		want, whole := make([]float64, p.seq*p.v.Size()), 0.
		for _, x := range p.all() {
			w := math.Exp(total(p.v, p.logp, x, p.fixed))
			whole += w
			for i, id := range x {
				want[i*p.v.Size()+int(id)] += w
			}
		}
		if (got == nil) != (whole == 0) {
			t.Fatalf("got %v, the sum is %v", got, whole)
		}
		for k, q := range got {
			if math.Abs(float64(q)-want[k]/whole) > 1e-6 {
				t.Errorf("position %d, %s: got %v, want %v", k/p.v.Size(), p.v.Token(int32(k%p.v.Size())), q, want[k]/whole)
			}
		}
	})
}

// The frequencies of drawn expressions agree with the formula. By chance, χ² exceeds the limit once
// in 10⁶ runs.
func TestSampleAgainstBruteForce(t *testing.T) {
	for _, postfix := range []bool{false, true} {
		for _, framed := range []bool{false, true} {
			v := tiny(postfix)
			rng := newRand(1)
			const seq, draws, temperature = 4, 20000, 1.5
			p := problem{v: v, seq: seq, framed: framed, allowed: func(int32) bool { return true }, fixed: slices.Repeat([]int32{v.Mask()}, seq)}
			for range seq * v.Size() {
				p.logp = append(p.logp, float32(rng.NormFloat64()))
			}
			share, whole := map[string]float64{}, 0.
			for _, x := range p.all() {
				w := math.Exp(total(v, p.logp, x, p.fixed) / temperature)
				share[v.Text(x)] = w
				whole += w
			}
			count := map[string]float64{}
			g := p.grammar()
			for range draws {
				ids, ok := g.Sample(rng, p.logp, seq, nil, temperature)
				if !ok {
					t.Fatal("no expression")
				}
				count[v.Text(ids)]++
			}
			chi2, free := 0., float64(len(share)-1)
			for x, w := range share {
				want := draws * w / whole
				chi2 += (count[x] - want) * (count[x] - want) / want
				delete(count, x)
			}
			if len(count) > 0 {
				t.Errorf("drawn, but no expressions: %v", count)
			}
			if chi2 > free+5*math.Sqrt(2*free)+12 {
				t.Errorf("postfix %v, framed %v: χ² = %.1f for %v degrees of freedom", postfix, framed, chi2, free)
			}
		}
	}
}

// Logits of a network can differ by large amounts without underflow.
func TestSampleFarApart(t *testing.T) {
	v := PhysDiffuse()
	g := v.Grammar(nil)
	const seq = 24
	logp := make([]float32, seq*v.Size())
	for k := range logp {
		logp[k] = -1000 * float32(k%7)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	want, score, ok := g.Best(logp, seq, nil)
	if !ok {
		t.Fatal("no expression")
	}
	for range 20 {
		ids, ok := g.Sample(rng, logp, seq, nil, 1)
		if !ok || math.Abs(total(v, logp, ids, slices.Repeat([]int32{v.Mask()}, seq))-score) > 1 {
			t.Errorf("got %s, best is %s", v.Text(ids), v.Text(want))
		}
	}
}

func TestSampleRepeats(t *testing.T) {
	v := Small()
	g := v.Grammar(v.Columns(2))
	logp := randomScores(v, 9)
	draw := func() []int32 {
		ids, _ := g.Sample(rand.New(rand.NewPCG(7, 8)), logp, 9, nil, 1)
		return ids
	}
	if a, b := draw(), draw(); !slices.Equal(a, b) {
		t.Errorf("the same seed gave %s and %s", v.Text(a), v.Text(b))
	}
}

// Given tokens are kept, even if the grammar would not propose them. A token that no expression can
// contain makes ok false.
func TestFixed(t *testing.T) {
	v := Small()
	g := v.Grammar(v.Columns(1))
	logp := randomScores(v, 3)
	x5, _ := v.ID("x_5")
	mul, _ := v.ID("mul")
	ids, _, ok := g.Best(logp, 3, []int32{v.Mask(), x5, v.Mask()})
	if !ok || ids[1] != x5 || v.Arity(ids[0]) != 2 {
		t.Errorf("got %s, %v", v.Text(ids), ok)
	}
	for _, fixed := range [][]int32{
		{v.Mask(), v.Mask(), mul}, {x5, v.Mask(), v.Mask()}, {v.Mask(), v.Mask(), v.EOS()}, {v.Mask(), -5, v.Mask()}, {v.Mask(), 1000, v.Mask()},
	} {
		if ids, _, ok := g.Best(logp, 3, fixed); ok {
			t.Errorf("%v: got %v", fixed, ids)
		}
		if ids, ok := g.Sample(rand.New(rand.NewPCG(1, 1)), logp, 3, fixed, 1); ok {
			t.Errorf("%v: got %v", fixed, ids)
		}
		if ids, _ := g.NBest(logp, 3, fixed, 2); len(ids) > 0 {
			t.Errorf("%v: got %v", fixed, ids)
		}
		if p := g.Marginals(logp, 3, fixed); p != nil {
			t.Errorf("%v: got %v", fixed, p)
		}
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func randomScores(v *Vocabulary, seq int) []float32 {
	rng := rand.New(rand.NewPCG(5, 6))
	logp := make([]float32, seq*v.Size())
	for k := range logp {
		logp[k] = float32(3 * rng.NormFloat64())
	}
	return logp
}

func BenchmarkGrammar(b *testing.B) {
	v := PhysDiffuse()
	const seq = 24
	logp := randomScores(v, seq)
	half := slices.Repeat([]int32{v.Mask()}, seq)
	g := v.Grammar(nil)
	ids, _, _ := g.Best(logp, seq, nil)
	for i := 0; i < seq; i += 2 {
		half[i] = ids[i]
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, run := range map[string]func(){
		"best":        func() { g.Best(logp, seq, nil) },
		"sample":      func() { g.Sample(rng, logp, seq, nil, 1) },
		"sample/half": func() { g.Sample(rng, logp, seq, half, 1) },
		"marginals":   func() { g.Marginals(logp, seq, nil) },
		"nbest/16":    func() { g.NBest(logp, seq, nil, 16) },
		"nbest/128":   func() { g.NBest(logp, seq, nil, 128) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}
