package token

import (
	"fmt"
	"math"
	"sync"
)

// Grammar finds well-formed expressions of a given length, from a network's independent scores for
// each position. A prefix code is an expression if the number of open slots for operands,
//
//	s₀ = 1,   sᵢ₊₁ = sᵢ - 1 + arity of token i,
//
// is positive until the end, where it is zero. A postfix code is an expression if this holds from
// its end. All methods use one dynamic program over (position, open slots). With B(i, s) the
// maximum, or the sum, over all ways to fill positions i … seq-1 from s open slots,
//
//	B(i, s) = max over arities a of  W(i, a) + B(i+1, s-1+a),     B(seq, 0) = 0,
//	B(i, s) = Σ   over arities a of  W(i, a) · B(i+1, s-1+a),     B(seq, 0) = 1,
//
// where W(i, a) is the highest score at position i among the tokens of arity a, or the sum of their
// exponentials. The cost is seq·vocab for W and ¾ seq² for B.
//
// Scores are a flat slice [seq][vocab]. They may be logits or log-probabilities: a constant added
// at a position changes no choice and no probability. NaN means impossible, like -Inf.
//
// The tokens in fixed [seq] that are not the mask are kept, even if the grammar does not allow
// them. nil fixes none. If no expression has the fixed tokens, ok is false. The methods panic
// unless seq is positive and the slices are at least as long as stated.
//
// A Grammar is safe for concurrent use. It is of this project, not in the papers.
type Grammar struct {
	v      *Vocabulary
	kinds  int               // number of kinds of tokens: 3, or 6 with the frame
	byKind [numKinds][]int32 // the allowed tokens of each kind
	tables sync.Pool         // pool of *table for reuse
}

// Kinds of tokens: the kinds 0, 1 and 2 are arities; the other kinds frame an expression.
const (
	startKind = 3 + iota
	endKind
	padKind
	numKinds
)

// Grammar returns the grammar of expressions in the allowed tokens; nil allows all.
func (v *Vocabulary) Grammar(allowed func(id int32) bool) *Grammar {
	g := &Grammar{v: v, kinds: 3}
	for id := range int32(v.Size()) {
		if a := v.Arity(id); a >= 0 && (allowed == nil || allowed(id)) {
			g.byKind[a] = append(g.byKind[a], id)
		}
	}
	g.tables.New = func() any { return new(table) }
	return g
}

// Framed returns the grammar of whole windows: SOS, an expression of any length, EOS, and PAD up to
// the end. seq is then the length of the window, and the methods also choose the length of the
// expression. allowed is not called for the tokens of the frame.
func (v *Vocabulary) Framed(allowed func(id int32) bool) *Grammar {
	g := v.Grammar(allowed)
	g.kinds = numKinds
	g.byKind[startKind], g.byKind[endKind], g.byKind[padKind] = []int32{v.sos}, []int32{v.eos}, []int32{v.pad}
	return g
}

// kind returns the kind of a token, or -1 if the token occurs in no sequence.
func (g *Grammar) kind(id int32) int {
	if a := g.v.Arity(id); a >= 0 {
		return a
	}
	for k := startKind; k < g.kinds; k++ {
		if id == g.byKind[k][0] {
			return k
		}
	}
	return -1
}

// Columns returns a function for Vocabulary.Grammar. It allows the tokens of the first n columns
// and all tokens that are not columns.
func (v *Vocabulary) Columns(n int) func(id int32) bool {
	return func(id int32) bool { return v.words[id].role != variable || v.words[id].index < n }
}

// Best returns the expression of length seq with the highest sum of scores at the free positions,
// and that sum. For log-probabilities the sum is the log-probability given the fixed tokens.
func (g *Grammar) Best(logp []float32, seq int, fixed []int32) (ids []int32, score float64, ok bool) {
	t := g.table(logp, seq, fixed, 1)
	defer g.release(t)
	t.maximize()
	s := t.first()
	if score = t.suffix[s]; math.IsInf(score, -1) {
		return nil, 0, false
	}
	ids = make([]int32, seq)
	for i := range seq {
		k := t.bestKind(i, s)
		ids[t.place(i)] = t.top[i][k]
		s = t.next(s, k)
	}
	return ids, score, true
}

// table holds the arrays of one dynamic program. The positions of the program run from the front
// for prefix codes and from the end for postfix codes.
type table struct {
	g     *Grammar
	logp  []float32
	fixed []int32
	seq   int
	// width is the number of states at each position. The states 0 … width-3 are numbers of open
	// slots. The last two mean before the frame and after the frame.
	width  int
	invert float64 // the inverse of the temperature

	w      [][numKinds]float64 // W in the formula with the maximum
	suffix []float64           // B in the formula with the maximum, [seq+1][width]
	top    [][numKinds]int32   // the best token of each kind

	// weights [seq][wide] are exp((score - highest score of this kind)/temperature), by kind.
	weights []float32
	wide    int                 // number of tokens in byKind
	start   [numKinds + 1]int   // index in a row of weights at which each kind starts
	total   [][numKinds]float64 // sums of the weights by kind
	// sum is W in the formula with the sum, divided by the highest exponential at the position.
	sum    [][numKinds]scaled
	after  []scaled // B in the formula with the sum, [seq+1][width]
	before []scaled // sums over all paths from the start to each state, [seq+1][width]

	ranked [][numKinds][]ranked // tokens of each kind by score, for NBest
	ways   []ways               // best paths from each state, [seq][width], for NBest
}

func (g *Grammar) table(logp []float32, seq int, fixed []int32, invert float64) *table {
	vocab := g.v.Size()
	if seq < 1 || len(logp) < seq*vocab || fixed != nil && len(fixed) < seq {
		panic(fmt.Errorf("token: %d scores and %d given tokens for a sequence of %d over %d tokens", len(logp), len(fixed), seq, vocab))
	}
	t := g.tables.Get().(*table)
	t.g, t.logp, t.fixed, t.seq, t.invert = g, logp, fixed, seq, invert
	// An expression of seq tokens never has more than seq/2 + 1 open slots. The states are these
	// numbers from 0, one larger number, and the two states outside the expression.
	t.width = seq/2 + 5
	return t
}

// release returns t to the pool.
func (g *Grammar) release(t *table) {
	t.logp, t.fixed = nil, nil
	g.tables.Put(t)
}

// first returns the state before the first token.
func (t *table) first() int {
	if t.g.kinds == numKinds {
		return t.width - 2
	}
	return 1
}

// last returns the state after the last token.
func (t *table) last() int {
	if t.g.kinds == numKinds {
		return t.width - 1
	}
	return 0
}

// next returns the state after a token of the given kind, or -1 if such a token is not possible in
// state s. Postfix codes are read from the end: PAD, EOS, expression, SOS.
func (t *table) next(s, kind int) int {
	before, behind := t.width-2, t.width-1
	first, last := startKind, endKind
	if t.g.v.postfix {
		first, last = last, first
	}
	switch {
	case kind < startKind && s > 0 && s < before:
		return s - 1 + kind
	case kind == first && s == before:
		return 1
	case kind == last && s == 0:
		return behind
	case kind == padKind && (s == behind && !t.g.v.postfix || s == before && t.g.v.postfix):
		return s
	}
	return -1
}

// outside returns the states outside the expression and the state at its end.
func (t *table) outside() []int {
	if t.g.kinds < numKinds {
		return nil
	}
	return []int{0, t.width - 2, t.width - 1}
}

// grow returns a slice of length n, reusing s if its capacity suffices. Its elements are undefined.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// place returns the index in the code of position i of the program.
func (t *table) place(i int) int {
	if t.g.v.postfix {
		return t.seq - 1 - i
	}
	return i
}

// given returns the token that is fixed at position i, if there is one.
func (t *table) given(i int) (f int32, ok bool) {
	if t.fixed == nil {
		return 0, false
	}
	f = t.fixed[t.place(i)]
	return f, f != t.g.v.mask
}

var impossible = math.Inf(-1)

// score returns x as a number that can be added: NaN becomes -Inf, and +Inf the largest float32.
func score(x float32) float64 {
	if !(x >= -math.MaxFloat32) { // includes NaN
		return impossible
	}
	return min(float64(x), math.MaxFloat32)
}

// maximize computes W and B with the maximum.
func (t *table) maximize() {
	vocab := t.g.v.Size()
	t.w, t.top = grow(t.w, t.seq), grow(t.top, t.seq)
	for i := range t.seq {
		w, top := &t.w[i], &t.top[i]
		for k := range w {
			w[k], top[k] = impossible, none
		}
		if f, ok := t.given(i); ok {
			if k := t.g.kind(f); k >= 0 {
				w[k], top[k] = 0, f
			}
			continue
		}
		row := t.logp[t.place(i)*vocab:][:vocab]
		for k, ids := range t.g.byKind {
			for _, id := range ids {
				if x := score(row[id]); x > w[k] {
					w[k], top[k] = x, id
				}
			}
		}
	}
	width := t.width
	t.suffix = grow(t.suffix, (t.seq+1)*width)
	for k := range t.suffix {
		t.suffix[k] = impossible
	}
	t.suffix[t.seq*width+t.last()] = 0
	for i := t.seq - 1; i >= 0; i-- {
		now, next, w := t.suffix[i*width:][:width], t.suffix[(i+1)*width:][:width], &t.w[i]
		for s := 1; s <= min(i+1, t.seq-i); s++ {
			now[s] = max(w[0]+next[s-1], w[1]+next[s], w[2]+next[s+1])
		}
		for _, s := range t.outside() {
			for k := startKind; k < numKinds; k++ {
				if to := t.next(s, k); to >= 0 {
					now[s] = max(now[s], w[k]+next[to])
				}
			}
		}
	}
}

// bestKind returns the kind of the token at position i on the best path from state s.
func (t *table) bestKind(i, s int) int {
	next := t.suffix[(i+1)*t.width:]
	best, kind := impossible, 0
	for k, w := range t.w[i] {
		if to := t.next(s, k); to >= 0 && w+next[to] > best {
			best, kind = w+next[to], k
		}
	}
	return kind
}
