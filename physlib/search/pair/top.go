package pair

import (
	"cmp"
	"slices"
)

// before orders matches: larger scores first, then smaller indices.
func before(a, b Pair) int {
	return cmp.Or(cmp.Compare(b.R2, a.R2), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
}

// top keeps the best k candidates in a heap whose root is the worst of them.
type top struct {
	k    int
	heap []Pair
	thr  float32 // a score below it has no chance
}

// add takes c in if it is among the best k so far.
func (t *top) add(c Pair) {
	if !(c.R2 >= t.thr) {
		return
	}
	if len(t.heap) < t.k {
		t.heap = append(t.heap, c)
		t.up(len(t.heap) - 1)
	} else if before(c, t.heap[0]) < 0 {
		t.heap[0] = c
		t.down()
	}
	if len(t.heap) == t.k {
		t.thr = max(t.thr, t.heap[0].R2)
	}
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if before(t.heap[parent], t.heap[i]) >= 0 {
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
			if before(t.heap[worst], t.heap[child]) < 0 {
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
func merge(k int, tops []*top) []Pair {
	var all []Pair
	for _, t := range tops {
		all = append(all, t.heap...)
	}
	slices.SortFunc(all, before)
	return all[:min(k, len(all))]
}
