package token

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/physlib/lab/physlib/expr"
)

// tiny are vocabularies of seven tokens, small enough to try all sequences.
func tiny(postfix bool) *Vocabulary {
	return newVocabulary("tiny", postfix, "", "", "", "MASK", []word{
		{name: "add", role: operator, op: expr.Add}, {name: "x", role: variable}, {name: "MASK"}, {name: "sin", role: operator, op: expr.Sin},
		{name: "mul", role: operator, op: expr.Mul}, {name: "y", role: variable, index: 1}, {name: "z", role: variable, index: 2},
	})
}

// all are the expressions of length seq with the fixed tokens and, elsewhere, allowed ones.
func all(v *Vocabulary, seq int, fixed []int32, allowed func(int32) bool) (found [][]int32) {
	ids := make([]int32, seq)
	var fill func(i int)
	fill = func(i int) {
		if i == seq {
			if _, err := v.Decode(ids); err == nil {
				found = append(found, slices.Clone(ids))
			}
			return
		}
		for id := range int32(v.Size()) {
			if fixed[i] == id && id != v.Mask() || fixed[i] == v.Mask() && v.Arity(id) >= 0 && allowed(id) {
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
}

func drawProblem(t *rapid.T) problem {
	p := problem{v: tiny(rapid.Bool().Draw(t, "postfix")), seq: rapid.IntRange(1, 5).Draw(t, "seq")}
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
			p.fixed[i] = int32(rng.IntN(p.v.Size()))
		}
	}
	forbidden := int32(rng.IntN(2 * p.v.Size()))
	p.allowed = func(id int32) bool { return id != forbidden }
	return p
}

func TestBestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		ids, sum, ok := p.v.Grammar(p.allowed).Best(p.logp, p.seq, p.fixed)
		want := impossible
		for _, x := range all(p.v, p.seq, p.fixed, p.allowed) {
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
