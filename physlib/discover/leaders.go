package discover

import (
	"cmp"
	"slices"
)

// leaders returns the best candidates by score, then the others on the Pareto front of complexity
// and error, by complexity.
func (j *judge) leaders() []*candidate {
	list := slices.Clone(j.kept)
	var front []*candidate
	for _, c := range j.byComplexity {
		if !slices.Contains(list, c) && !j.dominated(c) {
			front = append(front, c)
		}
	}
	slices.SortFunc(front, func(a, b *candidate) int { return cmp.Compare(a.complexity, b.complexity) })
	return append(list, front...)
}

// leadersByScore is the largest number of leaders chosen by their score. Those on the front are in
// addition.
const leadersByScore = 60

// dominated reports whether a candidate that is no more complex than c has at most a thousandth
// more error than c. If the dimensions of c balance, those of the other candidate must balance,
// too.
func (j *judge) dominated(c *candidate) bool {
	for _, o := range j.byComplexity {
		if o != c && o.complexity <= c.complexity && o.rms <= c.rms*1.001 && (o.unitsOK || !c.unitsOK) {
			return true
		}
	}
	return false
}
