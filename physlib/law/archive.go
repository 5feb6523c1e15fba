package law

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Archive keeps the best laws found so far: those on the Pareto front of complexity, error and units, and the one of least
// score. Equal laws, by their canonical form, meet in one entry, which counts how often it was proposed. It is safe for
// concurrent use, and what it holds does not depend on the order of arrival. The zero Archive is empty and ready.
type Archive struct {
	// Floor is the error, in the unit of RMSE, below which laws count as equally exact, for instance law.Floor times
	// RMS(y). It must not change after the first Add.
	Floor float64

	mu    sync.Mutex
	front []entry // rising complexity; within equal complexity rising error
	best  entry
	votes map[uint64]int
}

type entry struct {
	law  Law
	hash uint64
}

// UnitsPenalty is the number of bits by which a law that breaks the units must beat one that keeps them.
const UnitsPenalty = 30

// maxVotes bounds the laws whose votes are counted.
const maxVotes = 1 << 18

// rank is the score by which the archive chooses.
func rank(l Law) float64 {
	if !l.UnitsOK {
		return l.Score + UnitsPenalty
	}
	return l.Score
}

// error is RMSE with rounding taken as zero.
func (a *Archive) error(l Law) float64 {
	if l.RMSE <= a.Floor {
		return 0
	}
	return l.RMSE
}

// Add offers a law and tells whether it changed the archive: whether it is now on the front or the best. The same law
// again is a vote, and replaces the earlier one only if it is fitted better. A law whose complexity, error or score is not a
// finite number is refused.
func (a *Archive) Add(l Law) bool {
	for _, v := range []float64{l.Complexity, l.RMSE, l.Score} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	if l.Tree.Len() == 0 {
		return false
	}
	e := entry{l, l.Tree.Hash()}
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

// choose makes e the best if it is.
func (a *Archive) choose(e entry) bool {
	if a.best.law.Tree.Len() > 0 && compare(e, a.best) >= 0 {
		return false
	}
	a.best = e
	return true
}

// compare orders entries by what the archive prefers: score with units, complexity, error, then anything that is fixed.
func compare(x, y entry) int {
	return cmp.Or(
		cmp.Compare(rank(x.law), rank(y.law)),
		cmp.Compare(x.law.Complexity, y.law.Complexity),
		cmp.Compare(x.law.RMSE, y.law.RMSE),
		cmp.Compare(x.hash, y.hash),
	)
}

// insert puts e on the front if no law there is as good in every respect, and takes off what e makes superfluous.
func (a *Archive) insert(e entry) bool {
	if i := slices.IndexFunc(a.front, func(o entry) bool { return o.hash == e.hash }); i >= 0 {
		if compare(e, a.front[i]) >= 0 {
			return false
		}
		a.front = slices.Delete(a.front, i, i+1)
	}
	for _, o := range a.front {
		if a.dominates(o, e) {
			return false
		}
	}
	a.front = slices.DeleteFunc(a.front, func(o entry) bool { return a.dominates(e, o) })
	at, _ := slices.BinarySearchFunc(a.front, e, a.order)
	a.front = slices.Insert(a.front, at, e)
	return true
}

// dominates tells whether x is at least as good as y in complexity, error and units, equals being settled by compare.
func (a *Archive) dominates(x, y entry) bool {
	ex, ey := a.error(x.law), a.error(y.law)
	if x.law.Complexity > y.law.Complexity || ex > ey || y.law.UnitsOK && !x.law.UnitsOK {
		return false
	}
	if x.law.Complexity < y.law.Complexity || ex < ey || x.law.UnitsOK != y.law.UnitsOK {
		return true
	}
	return compare(x, y) < 0
}

// order is by rising complexity, then error.
func (a *Archive) order(x, y entry) int {
	return cmp.Or(
		cmp.Compare(x.law.Complexity, y.law.Complexity),
		cmp.Compare(a.error(x.law), a.error(y.law)),
		compare(x, y),
	)
}

// Front is the Pareto front by rising complexity.
func (a *Archive) Front() []Law {
	a.mu.Lock()
	defer a.mu.Unlock()
	laws := make([]Law, len(a.front))
	for i, e := range a.front {
		laws[i] = e.law
	}
	return laws
}

// Best is the law of least score; one that breaks the units must be better by UnitsPenalty bits. Among laws that are all
// exact that is the simplest. ok is false while the archive is empty.
func (a *Archive) Best() (l Law, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.best.law, a.best.law.Tree.Len() > 0
}

// Votes is how often the law was offered, in whatever form it was written. Of very many different laws (2¹⁸) only the
// first are counted.
func (a *Archive) Votes(l Law) int {
	hash := l.Tree.Hash()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.votes[hash]
}

// Len is the number of laws on the front.
func (a *Archive) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.front)
}
