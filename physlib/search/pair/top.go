package pair

import (
	"cmp"
	"slices"
)

// scored is one candidate: its score and its indices packed into one number that breaks ties.
type scored struct {
	r2  float32
	key uint64
}

// better reports whether a comes before b in the total order of matches: larger score first, then
// smaller indices.
func (a scored) better(b scored) bool { return a.r2 > b.r2 || a.r2 == b.r2 && a.key < b.key }

// top keeps the best k candidates in a heap whose root is the worst of them.
type top struct {
	k    int
	heap []scored
	thr  float32 // a score below it has no chance
}

func newTop(o Options) *top { return &top{k: o.K, thr: o.Floor} }

// add takes c in if it is among the best k so far.
func (t *top) add(c scored) {
	if !(c.r2 >= t.thr) {
		return
	}
	if len(t.heap) < t.k {
		t.heap = append(t.heap, c)
		t.up(len(t.heap) - 1)
	} else if c.better(t.heap[0]) {
		t.heap[0] = c
		t.down()
	}
	if len(t.heap) == t.k {
		t.thr = max(t.thr, t.heap[0].r2)
	}
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !t.heap[parent].better(t.heap[i]) {
			return
		}
		t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
		i = parent
	}
}

func (t *top) down() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.heap[worst].better(t.heap[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// merge returns the best k of all workers, best first.
func merge(k int, tops []*top) []scored {
	var all []scored
	for _, t := range tops {
		all = append(all, t.heap...)
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.r2, a.r2), cmp.Compare(a.key, b.key))
	})
	return all[:min(k, len(all))]
}
