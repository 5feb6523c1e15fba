package pair

import (
	"cmp"
	"container/heap"
	"slices"
)

// before orders pairs: larger scores first, then smaller indices.
func before(a, b Pair) int {
	return cmp.Or(cmp.Compare(b.R2, a.R2), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
}

// top keeps the best k pairs in a heap whose root is the worst of them.
type top struct {
	k    int
	heap worstFirst
	thr  float32 // least score with which a pair may be kept
}

// worstFirst implements heap.Interface.
type worstFirst []Pair

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return before(h[j], h[i]) < 0 }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(x any)        { *h = append(*h, x.(Pair)) }
func (h *worstFirst) Pop() any          { panic("pair: only the root is replaced") }

// add keeps c if it is among the best k so far.
func (t *top) add(c Pair) {
	if !(c.R2 >= t.thr) {
		return
	}
	if len(t.heap) < t.k {
		heap.Push(&t.heap, c)
	} else if before(c, t.heap[0]) < 0 {
		t.heap[0] = c
		heap.Fix(&t.heap, 0)
	}
	if len(t.heap) == t.k {
		t.thr = max(t.thr, t.heap[0].R2)
	}
}

// merge returns the best k of all workers, best first.
func merge(k int, tops []*top) []Pair {
	var all []Pair
	for _, t := range tops {
		all = append(all, t.heap...)
	}
	slices.SortFunc(all, before)
	return all[:min(k, len(all))]
}
