package token

import (
	"cmp"
	"math"
	"slices"
)

// NBest returns the n expressions of length seq with the highest sums of scores, best first, and
// these sums. The scores are those of Best. There may be fewer than n expressions.
//
// The k-th best path from a state is computed only when it is needed, by the recursive enumeration
// of V. M. Jiménez and A. Marzal (Workshop on Algorithm Engineering 1999, LNCS 1668, 15). Such a
// path is stored as a pair: its first token, and the rank of the rest of the path.
func (g *Grammar) NBest(logp []float32, seq int, fixed []int32, n int) (ids [][]int32, scores []float64) {
	t := g.table(logp, seq, fixed, 1)
	defer g.release(t)
	t.maximize()
	t.rank()
	for k := range n {
		sum, ok := t.kth(0, t.first(), k)
		if !ok {
			break
		}
		ids, scores = append(ids, t.trace(k)), append(scores, sum)
	}
	return ids, scores
}

// ways holds the best paths from one state to the end: those found so far, best first, and a heap
// of candidates for the next one.
type ways struct {
	started bool
	found   []way
	next    []way
}

// way is a path: its first token, and the rank of the rest of the path.
type way struct {
	score float64
	kind  int
	rank  int // rank of the token within its kind
	rest  int // rank of the rest of the path
}

// rank sorts the tokens of each position and kind by score, and resets ways.
func (t *table) rank() {
	vocab := t.g.v.Size()
	t.ranked = grow(t.ranked, t.seq)
	for i := range t.seq {
		row := t.logp[t.place(i)*vocab:][:vocab]
		f, given := t.given(i)
		for k, ids := range t.g.byKind {
			r := t.ranked[i][k][:0]
			switch {
			case math.IsInf(t.w[i][k], -1):
			case given:
				r = append(r, ranked{0, f})
			default:
				for _, id := range ids {
					if x := score(row[id]); !math.IsInf(x, -1) {
						r = append(r, ranked{x, id})
					}
				}
				slices.SortStableFunc(r, func(x, y ranked) int { return cmp.Compare(y.score, x.score) })
			}
			t.ranked[i][k] = r
		}
	}
	t.ways = grow(t.ways, t.seq*t.width)
	for k := range t.ways {
		w := &t.ways[k]
		w.started, w.found, w.next = false, w.found[:0], w.next[:0]
	}
}

type ranked struct {
	score float64
	id    int32
}

// kth returns the score of the k-th best path from state s at position i to the end.
func (t *table) kth(i, s, k int) (score float64, ok bool) {
	if i == t.seq {
		return 0, s == t.last() && k == 0
	}
	w := &t.ways[i*t.width+s]
	if !w.started {
		w.started = true
		for kind := range t.g.kinds {
			t.push(w, i, s, way{kind: kind})
		}
	}
	for len(w.found) <= k {
		if len(w.next) == 0 {
			return 0, false
		}
		best := w.pop()
		w.found = append(w.found, best)
		t.push(w, i, s, way{kind: best.kind, rank: best.rank, rest: best.rest + 1})
		if best.rest == 0 {
			t.push(w, i, s, way{kind: best.kind, rank: best.rank + 1})
		}
	}
	return w.found[k].score, true
}

// push adds the path x to the candidates at a state, if it exists.
func (t *table) push(w *ways, i, s int, x way) {
	tokens := t.ranked[i][x.kind]
	after := t.next(s, x.kind)
	if after < 0 || x.rank >= len(tokens) || math.IsInf(t.suffix[(i+1)*t.width+after], -1) {
		return
	}
	rest, ok := t.kth(i+1, after, x.rest)
	if !ok {
		return
	}
	x.score = tokens[x.rank].score + rest
	w.next = append(w.next, x)
	for k := len(w.next) - 1; k > 0; { // sift up in the heap
		parent := (k - 1) / 2
		if w.next[parent].score >= w.next[k].score {
			break
		}
		w.next[parent], w.next[k] = w.next[k], w.next[parent]
		k = parent
	}
}

// pop removes the best candidate from the heap and returns it.
func (w *ways) pop() way {
	h := w.next
	best, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for k := 0; 2*k+1 < last; {
		child := 2*k + 1
		if child+1 < last && h[child+1].score > h[child].score {
			child++
		}
		if h[k].score >= h[child].score {
			break
		}
		h[k], h[child] = h[child], h[k]
		k = child
	}
	w.next = h
	return best
}

// trace returns the k-th best expression, which kth must have found.
func (t *table) trace(k int) []int32 {
	ids := make([]int32, t.seq)
	s := t.first()
	for i := range t.seq {
		x := t.ways[i*t.width+s].found[k]
		ids[t.place(i)] = t.ranked[i][x.kind][x.rank].id
		s = t.next(s, x.kind)
		k = x.rest
	}
	return ids
}
