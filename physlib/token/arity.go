package token

import (
	"fmt"
	"math"
	"sync"
)

// Grammar finds well-formed expressions of a given length among what a network thinks of each position by itself. A
// prefix code is an expression when the places that are open for operands,
//
//	s₀ = 1,   sᵢ₊₁ = sᵢ - 1 + arity of token i,
//
// stay positive until the end and are zero there; a postfix code is, read from its end. Everything here is one dynamic
// program over (position, open places): with B(i, s) the best, or the sum, over all ways to fill positions i … seq-1 from
// s open places,
//
//	B(i, s) = max over arities a of  W(i, a) + B(i+1, s-1+a),     B(seq, 0) = 0,
//	B(i, s) = Σ   over arities a of  W(i, a) · B(i+1, s-1+a),     B(seq, 0) = 1,
//
// where W(i, a) is the highest score at position i among the tokens of arity a, or the sum of their exponentials. The cost
// is seq·vocab for W and ¾ seq² for B.
//
// Scores are a flat slice [seq][vocab] in the order of positions. They may be logits or log-probabilities: a constant
// added at a position changes no choice and no probability. NaN counts as impossible, like -Inf.
//
// The fixed tokens, [seq], are taken as given where they are not the mask (nil: nothing is given), even those that the
// grammar does not propose. If they admit no expression, ok is false. seq must be positive and the slices at least as
// long as said; anything else is a programming error and panics.
//
// A Grammar may be used by many goroutines at once.
type Grammar struct {
	v       *Vocabulary
	byArity [3][]int32 // what it may propose
	tables  sync.Pool  // of *table
}

// Grammar is the grammar of the expressions whose tokens are allowed: nil allows all.
func (v *Vocabulary) Grammar(allowed func(id int32) bool) *Grammar {
	g := &Grammar{v: v}
	for i := range v.words {
		if a := v.words[i].arity(); a >= 0 && (allowed == nil || allowed(int32(i))) {
			g.byArity[a] = append(g.byArity[a], int32(i))
		}
	}
	g.tables.New = func() any { return new(table) }
	return g
}

// Columns allows the tokens of the first n columns, and all that are no columns. It is an argument of Vocabulary.Grammar.
func (v *Vocabulary) Columns(n int) func(id int32) bool {
	return func(id int32) bool { return v.words[id].role != variable || v.words[id].index < n }
}

// Best is the expression of length seq with the highest sum of scores at the free positions, and that sum: with
// log-probabilities the logarithm of its probability given the fixed tokens.
func (g *Grammar) Best(logp []float32, seq int, fixed []int32) (ids []int32, score float64, ok bool) {
	t := g.table(logp, seq, fixed, 1)
	defer g.tables.Put(t)
	t.best()
	if score = t.suffix[1]; math.IsInf(score, -1) {
		return nil, 0, false
	}
	ids = make([]int32, seq)
	for i, s := 0, 1; i < seq; i++ {
		a := t.bestArity(i, s)
		ids[t.place(i)] = t.top[i][a]
		s += a - 1
	}
	return ids, score, true
}

// table is the memory of one dynamic program. Its positions run as the open places do: from the front for prefix codes
// and from the end for postfix codes.
type table struct {
	g      *Grammar
	logp   []float32
	fixed  []int32
	seq    int
	width  int     // states of a position: open places 0 … width-1
	invert float64 // 1/temperature

	w      [][3]float64 // W of the formula with maxima
	suffix []float64    // and B, [seq+1][width]
	top    [][3]int32   // the best token of each arity

	weights []float32    // exp(score - highest score of this arity), [seq][wide], tokens grouped by arity
	wide    int          // tokens
	start   [4]int       // where the tokens of an arity start in a row of weights
	total   [][3]float64 // the sums of the weights by arity
	sum     [][3]scaled  // W of the formula with sums, over the highest exponential at the position
	after   []scaled     // and B, [seq+1][width]
	before  []scaled     // the same from the front

	ranked [][3][]ranked // for NBest: the tokens of each arity by score
	ways   []ways        // for NBest: [seq][width]
}

func (g *Grammar) table(logp []float32, seq int, fixed []int32, invert float64) *table {
	vocab := g.v.Size()
	if seq < 1 || len(logp) < seq*vocab || fixed != nil && len(fixed) < seq {
		panic(fmt.Errorf("token: %d scores and %d given tokens for a sequence of %d over %d tokens", len(logp), len(fixed), seq, vocab))
	}
	t := g.tables.Get().(*table)
	t.g, t.logp, t.fixed, t.seq, t.invert = g, logp, fixed, seq, invert
	t.width = seq/2 + 3 // one more than can be closed again
	return t
}

// grow is s with length n, in its memory if it has enough. Its values are anything.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// place is where position i of the program stands in the code.
func (t *table) place(i int) int {
	if t.g.v.postfix {
		return t.seq - 1 - i
	}
	return i
}

// given is the token that is fixed at position i, if one is.
func (t *table) given(i int) (f int32, ok bool) {
	if t.fixed == nil {
		return 0, false
	}
	f = t.fixed[t.place(i)]
	return f, f != t.g.v.mask
}

var impossible = math.Inf(-1)

// score is a score as a number that can be added.
func score(x float32) float64 {
	if !(x >= -math.MaxFloat32) { // NaN, too
		return impossible
	}
	return min(float64(x), math.MaxFloat32)
}

// best fills W and B with maxima.
func (t *table) best() {
	vocab := t.g.v.Size()
	t.w, t.top = grow(t.w, t.seq), grow(t.top, t.seq)
	for i := range t.seq {
		if f, ok := t.given(i); ok {
			t.w[i], t.top[i] = [3]float64{impossible, impossible, impossible}, [3]int32{f, f, f}
			if a := t.g.v.Arity(f); a >= 0 {
				t.w[i][a] = 0
			}
			continue
		}
		row := t.logp[t.place(i)*vocab:][:vocab]
		for a, ids := range t.g.byArity {
			t.w[i][a], t.top[i][a] = impossible, -1
			for _, id := range ids {
				if x := score(row[id]); x > t.w[i][a] {
					t.w[i][a], t.top[i][a] = x, id
				}
			}
		}
	}
	width := t.width
	t.suffix = grow(t.suffix, (t.seq+1)*width)
	for k := range t.suffix {
		t.suffix[k] = impossible
	}
	t.suffix[t.seq*width] = 0
	for i := t.seq - 1; i >= 0; i-- {
		now, next, w := t.suffix[i*width:][:width], t.suffix[(i+1)*width:][:width], t.w[i]
		for s := 1; s <= min(i+1, t.seq-i); s++ {
			now[s] = max(w[0]+next[s-1], w[1]+next[s], w[2]+next[s+1])
		}
	}
}

// bestArity is the arity at position i on the best way from s open places.
func (t *table) bestArity(i, s int) int {
	next := t.suffix[(i+1)*t.width:]
	best, arity := impossible, 0
	for a, w := range t.w[i] {
		if x := w + next[s-1+a]; x > best {
			best, arity = x, a
		}
	}
	return arity
}
