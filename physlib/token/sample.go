package token

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/vec"
)

// Sample returns a random expression of length seq. Its probability is proportional to exp(Σ
// scores/temperature) among all expressions of that length. The probability is exact: sums are
// computed from the end, and then tokens are chosen from the front. Temperature 0 means Best.
func (g *Grammar) Sample(rng *rand.Rand, logp []float32, seq int, fixed []int32, temperature float64) (ids []int32, ok bool) {
	if temperature <= 0 {
		ids, _, ok = g.Best(logp, seq, fixed)
		return ids, ok
	}
	t := g.table(logp, seq, fixed, 1/temperature)
	defer g.release(t)
	t.sums()
	if t.after[t.first()].m == 0 {
		return nil, false
	}
	ids = make([]int32, seq)
	s := t.first()
	for i := range seq {
		k := t.drawKind(rng, i, s)
		ids[t.place(i)] = t.draw(rng, i, k)
		s = t.next(s, k)
	}
	return ids, true
}

// Marginals returns the probability of each token at each position, [seq][vocab], given that the
// sequence is an expression. It returns nil if there is no expression.
func (g *Grammar) Marginals(logp []float32, seq int, fixed []int32) []float32 {
	t := g.table(logp, seq, fixed, 1)
	defer g.release(t)
	t.sums()
	if t.after[t.first()].m == 0 {
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
		for k, share := range t.shares(i) {
			if share == 0 {
				continue
			}
			weights := t.row(i)[t.start[k]:]
			for j, id := range g.byKind[k] {
				row[id] = float32(share * float64(weights[j]) / t.total[i][k])
			}
		}
	}
	return p
}

// exponentials computes exp of many numbers at once, in float32.
var exponentials = vec.Best32().Unary[vec.Exp]

// sums computes W and B of Grammar in the formulas with the sum: the weights of the tokens at each
// position (weights, sum), and the sums over all ways to end the expression (after).
func (t *table) sums() {
	t.wide = 0
	for k, ids := range t.g.byKind {
		t.start[k] = t.wide
		t.wide += len(ids)
	}
	t.start[numKinds] = t.wide
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
	t.after[t.seq*width+t.last()] = scaled{m: 1}
	for i := t.seq - 1; i >= 0; i-- {
		now, next, w := t.after[i*width:][:width], t.after[(i+1)*width:][:width], &t.sum[i]
		for s := 1; s <= min(i+1, t.seq-i); s++ {
			now[s] = w[0].times(next[s-1]).plus(w[1].times(next[s])).plus(w[2].times(next[s+1]))
		}
		for _, s := range t.outside() {
			for k := startKind; k < numKinds; k++ {
				if to := t.next(s, k); to >= 0 {
					now[s] = now[s].plus(w[k].times(next[to]))
				}
			}
		}
	}
}

// row returns the weights at position i, by token.
func (t *table) row(i int) []float32 { return t.weights[i*t.wide:][:t.wide] }

// differences sets the weights at position i to (score - highest score of the kind)/temperature.
// The function exponentials later turns them into weights. It also sets w to the highest score of
// each kind.
func (t *table) differences(i int) {
	weights := t.row(i)
	if _, ok := t.given(i); ok {
		clear(weights)
		return
	}
	vocab := t.g.v.Size()
	scores := t.logp[t.place(i)*vocab:][:vocab]
	for kind, ids := range t.g.byKind {
		part, highest := weights[t.start[kind]:t.start[kind+1]], impossible
		for _, id := range ids {
			highest = max(highest, score(scores[id]))
		}
		t.w[i][kind] = highest
		if math.IsInf(highest, -1) {
			clear(part)
			continue
		}
		for k, id := range ids {
			part[k] = float32((score(scores[id]) - highest) * t.invert)
		}
	}
}

// add sums the weights at position i for each kind.
func (t *table) add(i int) {
	t.sum[i] = [numKinds]scaled{}
	if f, ok := t.given(i); ok {
		if k := t.g.kind(f); k >= 0 {
			t.sum[i][k] = scaled{m: 1}
		}
		return
	}
	w := &t.w[i]
	highest := slices.Max(w[:])
	for k := range t.g.kinds {
		if math.IsInf(w[k], -1) {
			continue
		}
		sum := 0.
		for _, x := range t.row(i)[t.start[k]:t.start[k+1]] {
			sum += float64(x)
		}
		t.total[i][k] = sum
		t.sum[i][k] = exp2((w[k] - highest) * t.invert * math.Log2E).times(normal(sum, 0))
	}
}

// drawKind draws the kind of the token at position i in state s.
func (t *table) drawKind(rng *rand.Rand, i, s int) int {
	now, next := t.after[i*t.width+s], t.after[(i+1)*t.width:]
	u, last := rng.Float64(), 0
	for k, w := range t.sum[i] {
		to := t.next(s, k)
		if to < 0 {
			continue
		}
		p := w.times(next[to]).over(now)
		if p == 0 {
			continue
		}
		last = k
		if u < p {
			break
		}
		u -= p
	}
	return last
}

// draw draws a token of the given kind at position i.
func (t *table) draw(rng *rand.Rand, i, kind int) int32 {
	if f, ok := t.given(i); ok {
		return f
	}
	u, last := rng.Float64()*t.total[i][kind], 0
	for j, w := range t.row(i)[t.start[kind]:t.start[kind+1]] {
		if w == 0 {
			continue
		}
		last = j
		if u < float64(w) {
			break
		}
		u -= float64(w)
	}
	return t.g.byKind[kind][last]
}

// forward sets before to the sums over all paths from the start to each state.
func (t *table) forward() {
	t.before = grow(t.before, (t.seq+1)*t.width)
	clear(t.before)
	t.before[t.first()] = scaled{m: 1}
	for i := range t.seq {
		now, next := t.before[i*t.width:][:t.width], t.before[(i+1)*t.width:][:t.width]
		for s, x := range now {
			if x.m == 0 || s < t.width-2 && s > t.seq-i {
				continue
			}
			for k, w := range t.sum[i][:t.g.kinds] {
				if to := t.next(s, k); to >= 0 {
					next[to] = next[to].plus(x.times(w))
				}
			}
		}
	}
}

// shares returns the probability of each kind at position i.
func (t *table) shares(i int) (p [numKinds]float64) {
	next, whole := t.after[(i+1)*t.width:][:t.width], t.after[t.first()]
	for s, x := range t.before[i*t.width:][:t.width] {
		if x.m == 0 {
			continue
		}
		for k, w := range t.sum[i][:t.g.kinds] {
			if to := t.next(s, k); to >= 0 {
				p[k] += x.times(w).times(next[to]).over(whole)
			}
		}
	}
	return p
}
