package law

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Archive keeps the best laws found so far: the Pareto front of complexity and error, and the law
// with the lowest score. It also counts votes: each Add of a law, in whatever form, is one vote for
// the law. An Archive can be used concurrently, and its content does not depend on the order in
// which laws are added. The zero Archive is empty and ready to use.
type Archive struct {
	// Floor is the RMSE up to which a law counts as exact, for instance law.Floor times RMS(y). All
	// exact laws have the same error. If Floor is 0, only laws without any error are exact. Floor
	// must not change after the first Add.
	Floor float64

	mu     sync.Mutex
	pareto []entry // Pareto front of complexity, error and units, sorted by order
	best   entry
	votes  map[uint64]int
}

// entry is a law in an archive.
type entry struct {
	law   Law
	hash  uint64
	error float64 // RMSE; 0 if the RMSE is at most Floor
}

// gain is the least relative decrease of the error with which a more complex law is added to the
// front.
const gain = 1e-3

// maxVotes is the largest number of laws whose votes are counted.
const maxVotes = 1 << 18

// Add adds a law and reports whether it changed the archive. A law whose complexity, error or score
// is not finite is ignored.
func (a *Archive) Add(l Law) bool {
	for _, v := range []float64{l.Complexity, l.RMSE, l.Score} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if l.Tree.Len() == 0 {
		return false
	}
	e := entry{law: l, hash: l.Tree.Hash(), error: l.RMSE}
	if e.error <= a.Floor {
		e.error = 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.vote(e.hash)
	chosen := a.choose(e)
	return a.insert(e) || chosen
}

func (a *Archive) vote(hash uint64) {
	if a.votes == nil {
		a.votes = map[uint64]int{}
	}
	if _, known := a.votes[hash]; known || len(a.votes) < maxVotes {
		a.votes[hash]++
	}
}

// choose makes e the best law if e is better than the present best law. It reports whether it did
// so.
func (a *Archive) choose(e entry) bool {
	if a.best.law.Tree.Len() > 0 && compare(e, a.best) >= 0 {
		return false
	}
	a.best = e
	return true
}

// compare orders entries by score, then by complexity, error, hash and text. So the order of two
// different laws never depends on chance.
func compare(x, y entry) int {
	if c := cmp.Or(
		cmp.Compare(x.law.Score, y.law.Score),
		cmp.Compare(x.law.Complexity, y.law.Complexity),
		cmp.Compare(x.law.RMSE, y.law.RMSE),
		cmp.Compare(x.hash, y.hash),
	); c != 0 {
		return c
	}
	return cmp.Compare(x.law.Infix(), y.law.Infix())
}

// order orders entries by ascending complexity, then by error.
func order(x, y entry) int {
	if c := cmp.Or(cmp.Compare(x.law.Complexity, y.law.Complexity), cmp.Compare(x.error, y.error)); c != 0 {
		return c
	}
	return compare(x, y)
}

// insert keeps e unless another entry dominates it, and drops the entries that e dominates.
func (a *Archive) insert(e entry) bool {
	for _, o := range a.pareto {
		if dominates(o, e) {
			return false
		}
	}
	a.pareto = slices.DeleteFunc(a.pareto, func(o entry) bool { return dominates(e, o) })
	at, _ := slices.BinarySearchFunc(a.pareto, e, order)
	a.pareto = slices.Insert(a.pareto, at, e)
	return true
}

// dominates reports whether x is at least as good as y in complexity, error and units. If x and y
// are equal in all three, compare decides.
func dominates(x, y entry) bool {
	if x.law.Complexity > y.law.Complexity || x.error > y.error || y.law.UnitsOK && !x.law.UnitsOK {
		return false
	}
	if x.law.Complexity < y.law.Complexity || x.error < y.error || x.law.UnitsOK != y.law.UnitsOK {
		return true
	}
	return compare(x, y) <= 0
}

// Front returns the Pareto front by rising complexity and falling error. The error of each law is
// lower than that of the previous law by more than a thousandth. The front contains the best law. A
// law that violates the units is in the front only if this excludes no law that respects them.
func (a *Archive) Front() []Law {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.best.law.Tree.Len() == 0 {
		return nil
	}
	front := []entry{a.best}
	for _, units := range []bool{true, false} {
		for _, e := range a.pareto {
			if e.law.UnitsOK == units {
				front = place(front, e)
			}
		}
	}
	laws := make([]Law, len(front))
	for i, e := range front {
		laws[i] = e.law
	}
	return laws
}

// place inserts e into the front if e improves on the simpler law before it, and the more complex
// law after it improves on e. Otherwise it returns front unchanged.
func place(front []entry, e entry) []entry {
	at, _ := slices.BinarySearchFunc(front, e, order)
	if at > 0 && !improves(front[at-1], e) || at < len(front) && !improves(e, front[at]) {
		return front
	}
	return slices.Insert(front, at, e)
}

// improves reports whether the error of y, the more complex law, is lower than the error of x by
// more than gain.
func improves(x, y entry) bool {
	return x.law.Complexity < y.law.Complexity && y.error < (1-gain)*x.error && x.hash != y.hash
}

// Best returns the law with the lowest score. If several have the lowest score, it returns the
// simplest of them. ok is false if the archive is empty.
func (a *Archive) Best() (l Law, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.best.law, a.best.law.Tree.Len() > 0
}

// Votes returns how often the law was added, in whatever form. Only the first 2¹⁸ different laws
// are counted.
func (a *Archive) Votes(l Law) int {
	hash := l.Tree.Hash()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.votes[hash]
}
