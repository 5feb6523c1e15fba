package token

import (
	"fmt"
	"math"
	"math/rand/v2"
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
//	B(i, s) = max or log Σ over arities a of  W(i, a) + B(i+1, s-1+a),   B(seq, 0) = 0,
//
// where W(i, a) is the maximum, or log Σ exp, of the scores at position i over the tokens of arity a. The cost is seq·vocab
// for W and about seq²/4·3 for B.
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

// Sample is a random expression of length seq: each with the probability exp(Σ scores / temperature), normalized over all
// expressions of that length. That is exact, by sums from the end and choices from the front. Temperature 0 is Best.
func (g *Grammar) Sample(rng *rand.Rand, logp []float32, seq int, fixed []int32, temperature float64) (ids []int32, ok bool) {
	if temperature <= 0 {
		ids, _, ok = g.Best(logp, seq, fixed)
		return ids, ok
	}
	t := g.table(logp, seq, fixed, 1/temperature)
	defer g.tables.Put(t)
	t.sums()
	if math.IsInf(t.suffix[1], -1) {
		return nil, false
	}
	ids = make([]int32, seq)
	for i, s := 0, 1; i < seq; i++ {
		a := t.drawArity(rng, i, s)
		ids[t.place(i)] = t.draw(rng, i, a)
		s += a - 1
	}
	return ids, true
}

// Marginals are the probabilities of the tokens at each position, given that the whole is an expression: [seq][vocab],
// nil where there is none.
func (g *Grammar) Marginals(logp []float32, seq int, fixed []int32) []float32 {
	t := g.table(logp, seq, fixed, 1)
	defer g.tables.Put(t)
	t.sums()
	if math.IsInf(t.suffix[1], -1) {
		return nil
	}
	vocab := g.v.Size()
	p := make([]float32, seq*vocab)
	t.forward()
	for i := range seq {
		arity := t.arityShares(i)
		row := p[t.place(i)*vocab:][:vocab]
		if f := t.given(i); f >= 0 {
			row[f] = 1
			continue
		}
		for a, ids := range g.byArity {
			if arity[a] == 0 {
				continue
			}
			for k, id := range ids {
				row[id] = float32(arity[a] * float64(t.weights[i*t.wide+t.start[a]+k]) / t.total[i][a])
			}
		}
	}
	return p
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

	w       [][3]float64 // W of the formula
	suffix  []float64    // B of the formula, [seq+1][width]
	prefix  []float64    // the same from the front
	top     [][3]int32   // the best token of each arity
	weights []float32    // exp(score - highest score), [seq][wide], tokens grouped by arity
	total   [][3]float64 // the sums of the weights by arity
	wide    int
	start   [3]int // where the tokens of an arity start in weights
}

func (g *Grammar) table(logp []float32, seq int, fixed []int32, invert float64) *table {
	vocab := g.v.Size()
	if seq < 1 || len(logp) < seq*vocab || fixed != nil && len(fixed) < seq {
		panic(fmt.Errorf("token: %d scores and %d given tokens for a sequence of %d over %d tokens", len(logp), len(fixed), seq, vocab))
	}
	t := g.tables.Get().(*table)
	t.g, t.logp, t.fixed, t.seq, t.invert = g, logp, fixed, seq, invert
	t.width = seq/2 + 3 // one more than can be closed again
	t.w = grow(t.w, seq)
	t.suffix = grow(t.suffix, (seq+1)*t.width)
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

// given is the token that is fixed at position i, -1 if that is free.
func (t *table) given(i int) int32 {
	if t.fixed == nil {
		return -1
	}
	if f := t.fixed[t.place(i)]; f != t.g.v.mask {
		return f
	}
	return -1
}

var impossible = math.Inf(-1)

// score is a score as a number that can be added.
func score(x float32) float64 {
	if !(x >= -math.MaxFloat32) { // NaN, too
		return impossible
	}
	return min(float64(x), math.MaxFloat32)
}

// clamp sets W(i, ·) for a given token f.
func (t *table) clamp(i int, f int32) {
	t.w[i] = [3]float64{impossible, impossible, impossible}
	if a := t.g.v.Arity(f); a >= 0 {
		t.w[i][a] = 0
	}
}

// best fills W and B with maxima.
func (t *table) best() {
	vocab := t.g.v.Size()
	t.top = grow(t.top, t.seq)
	for i := range t.seq {
		if f := t.given(i); f >= 0 {
			t.clamp(i, f)
			t.top[i] = [3]int32{f, f, f}
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
	t.backward(func(x, y, z float64) float64 { return max(x, y, z) })
}

// backward fills B from the end.
func (t *table) backward(join func(x, y, z float64) float64) {
	width := t.width
	last := t.suffix[t.seq*width:][:width]
	for s := range last {
		last[s] = impossible
	}
	last[0] = 0
	for i := t.seq - 1; i >= 0; i-- {
		now, next, w := t.suffix[i*width:][:width], t.suffix[(i+1)*width:][:width], t.w[i]
		for s := range now {
			now[s] = impossible
		}
		for s := 1; s < width-1 && s <= i+1 && s <= t.seq-i; s++ {
			now[s] = join(w[0]+next[s-1], w[1]+next[s], w[2]+next[s+1])
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

// sums fills W and B with logarithms of sums, and weights.
func (t *table) sums() {
	vocab := t.g.v.Size()
	t.wide = 0
	for a, ids := range t.g.byArity {
		t.start[a] = t.wide
		t.wide += len(ids)
	}
	t.weights = grow(t.weights, t.seq*t.wide)
	t.total = grow(t.total, t.seq)
	for i := range t.seq {
		if f := t.given(i); f >= 0 {
			t.clamp(i, f)
			continue
		}
		row, weights := t.logp[t.place(i)*vocab:][:vocab], t.weights[i*t.wide:][:t.wide]
		for a, ids := range t.g.byArity {
			t.w[i][a], t.total[i][a] = t.exponentials(weights[t.start[a]:][:len(ids)], row, ids)
		}
	}
	t.backward(logSum)
}

// exponentials sets weights to exp(score - highest) of ids and returns log Σ exp of the scores, and the sum of weights.
func (t *table) exponentials(weights []float32, row []float32, ids []int32) (logSum, sum float64) {
	highest := impossible
	for _, id := range ids {
		highest = max(highest, score(row[id]))
	}
	if math.IsInf(highest, -1) {
		return impossible, 0
	}
	for k, id := range ids {
		w := math.Exp((score(row[id]) - highest) * t.invert)
		weights[k] = float32(w)
		sum += float64(weights[k])
	}
	return highest*t.invert + math.Log(sum), sum
}

// logSum is log(eˣ + eʸ + eᶻ).
func logSum(x, y, z float64) float64 {
	highest := max(x, y, z)
	if math.IsInf(highest, -1) {
		return impossible
	}
	return highest + math.Log(math.Exp(x-highest)+math.Exp(y-highest)+math.Exp(z-highest))
}

// drawArity draws the arity at position i from s open places.
func (t *table) drawArity(rng *rand.Rand, i, s int) int {
	now, next := t.suffix[i*t.width+s], t.suffix[(i+1)*t.width:]
	u, last := rng.Float64(), 0
	for a, w := range t.w[i] {
		p := math.Exp(w + next[s-1+a] - now)
		if p == 0 {
			continue
		}
		if last = a; u < p {
			break
		}
		u -= p
	}
	return last
}

// draw draws a token of arity a at position i.
func (t *table) draw(rng *rand.Rand, i, a int) int32 {
	if f := t.given(i); f >= 0 {
		return f
	}
	ids := t.g.byArity[a]
	weights := t.weights[i*t.wide+t.start[a]:][:len(ids)]
	u, last := rng.Float64()*t.total[i][a], 0
	for k, w := range weights {
		if w == 0 {
			continue
		}
		if last = k; u < float64(w) {
			break
		}
		u -= float64(w)
	}
	return ids[last]
}

// forward fills prefix with logarithms of the sums over all ways to each state.
func (t *table) forward() {
	width := t.width
	t.prefix = grow(t.prefix, (t.seq+1)*width)
	for k := range t.prefix {
		t.prefix[k] = impossible
	}
	t.prefix[1] = 0
	for i := range t.seq {
		now, next := t.prefix[i*width:][:width], t.prefix[(i+1)*width:][:width]
		for s := 0; s < width-1; s++ { // from s+1, s and s-1 open places
			one, two := impossible, impossible
			if s >= 1 {
				one = now[s] + t.w[i][1]
			}
			if s >= 2 {
				two = now[s-1] + t.w[i][2]
			}
			next[s] = logSum(now[s+1]+t.w[i][0], one, two)
		}
	}
}

// arityShares are the probabilities of the arities at position i.
func (t *table) arityShares(i int) (p [3]float64) {
	now, next, whole := t.prefix[i*t.width:], t.suffix[(i+1)*t.width:], t.suffix[1]
	for s := 1; s < t.width-1; s++ {
		for a, w := range t.w[i] {
			p[a] += math.Exp(now[s] + w + next[s-1+a] - whole)
		}
	}
	return p
}
