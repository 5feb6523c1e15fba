package token

import (
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/vec"
)

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
	if t.after[1].m == 0 {
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
	if t.after[1].m == 0 {
		return nil
	}
	t.forward()
	vocab := g.v.Size()
	p := make([]float32, seq*vocab)
	for i := range seq {
		row := p[t.place(i)*vocab:][:vocab]
		if f, ok := t.given(i); ok {
			row[f] = 1
			continue
		}
		for a, share := range t.arityShares(i) {
			weights := t.row(i)[t.start[a]:]
			for k, id := range g.byArity[a] {
				if share > 0 {
					row[id] = float32(share * float64(weights[k]) / t.total[i][a])
				}
			}
		}
	}
	return p
}

// exponentials computes exp in float32 for many numbers at once.
var exponentials = vec.Best32().Unary[vec.Exp]

// sums fills W and B with sums.
func (t *table) sums() {
	t.wide = 0
	for a, ids := range t.g.byArity {
		t.start[a] = t.wide
		t.wide += len(ids)
	}
	t.start[3] = t.wide
	t.weights = grow(t.weights, (t.seq*t.wide+vec.Block-1)/vec.Block*vec.Block)
	t.sum, t.total, t.w = grow(t.sum, t.seq), grow(t.total, t.seq), grow(t.w, t.seq)
	for i := range t.seq {
		t.differences(i)
	}
	exponentials(t.weights, t.weights)
	for i := range t.seq {
		t.add(i)
	}
	width := t.width
	t.after = grow(t.after, (t.seq+1)*width)
	clear(t.after)
	t.after[t.seq*width] = scaled{m: 1}
	for i := t.seq - 1; i >= 0; i-- {
		now, next, w := t.after[i*width:][:width], t.after[(i+1)*width:][:width], &t.sum[i]
		for s := 1; s <= min(i+1, t.seq-i); s++ {
			now[s] = w[0].times(next[s-1]).plus(w[1].times(next[s])).plus(w[2].times(next[s+1]))
		}
	}
}

// row are the weights at position i.
func (t *table) row(i int) []float32 { return t.weights[i*t.wide:][:t.wide] }

// differences sets the weights at position i to what their exponentials are taken of, and w to the highest scores by
// arity.
func (t *table) differences(i int) {
	weights := t.row(i)
	if _, ok := t.given(i); ok {
		clear(weights)
		return
	}
	vocab := t.g.v.Size()
	scores := t.logp[t.place(i)*vocab:][:vocab]
	for a, ids := range t.g.byArity {
		part, highest := weights[t.start[a]:t.start[a+1]], impossible
		for _, id := range ids {
			highest = max(highest, score(scores[id]))
		}
		t.w[i][a] = highest
		if math.IsInf(highest, -1) {
			clear(part)
			continue
		}
		for k, id := range ids {
			part[k] = float32((score(scores[id]) - highest) * t.invert)
		}
	}
}

// add adds up the weights at position i.
func (t *table) add(i int) {
	t.sum[i] = [3]scaled{}
	if f, ok := t.given(i); ok {
		if a := t.g.v.Arity(f); a >= 0 {
			t.sum[i][a] = scaled{m: 1}
		}
		return
	}
	w := t.w[i]
	highest := max(w[0], w[1], w[2])
	for a := range t.sum[i] {
		if math.IsInf(w[a], -1) {
			continue
		}
		sum := 0.
		for _, x := range t.row(i)[t.start[a]:t.start[a+1]] {
			sum += float64(x)
		}
		t.total[i][a] = sum
		t.sum[i][a] = exp2((w[a] - highest) * t.invert * math.Log2E).times(normal(sum, 0))
	}
}

// drawArity draws the arity at position i from s open places.
func (t *table) drawArity(rng *rand.Rand, i, s int) int {
	now, next := t.after[i*t.width+s], t.after[(i+1)*t.width:]
	u, last := rng.Float64(), 0
	for a, w := range t.sum[i] {
		p := w.times(next[s-1+a]).over(now)
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
	if f, ok := t.given(i); ok {
		return f
	}
	u, last := rng.Float64()*t.total[i][a], 0
	for k, w := range t.row(i)[t.start[a]:t.start[a+1]] {
		if w == 0 {
			continue
		}
		if last = k; u < float64(w) {
			break
		}
		u -= float64(w)
	}
	return t.g.byArity[a][last]
}

// forward fills before with the sums over all ways to each state.
func (t *table) forward() {
	width := t.width
	t.before = grow(t.before, (t.seq+1)*width)
	clear(t.before)
	t.before[1] = scaled{m: 1}
	for i := range t.seq {
		now, next, w := t.before[i*width:][:width], t.before[(i+1)*width:][:width], &t.sum[i]
		for s := 1; s <= min(i+1, t.seq-i); s++ {
			for a := range w {
				next[s-1+a] = next[s-1+a].plus(now[s].times(w[a]))
			}
		}
	}
}

// arityShares are the probabilities of the arities at position i.
func (t *table) arityShares(i int) (p [3]float64) {
	now, next, whole := t.before[i*t.width:], t.after[(i+1)*t.width:], t.after[1]
	for s := 1; s <= min(i+1, t.seq-i); s++ {
		for a, w := range t.sum[i] {
			p[a] += now[s].times(w).times(next[s-1+a]).over(whole)
		}
	}
	return p
}
