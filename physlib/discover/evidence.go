package discover

import (
	"math"
	"slices"
)

// Evidence holds the description lengths of the scored laws, before any correction. A posterior
// probability of the chosen law is computed from it.
type Evidence struct {
	Posterior float64   // probability of the best law among all that were scored, including a constant
	Beyond    []float64 // bits by which each other law is longer than the best, rising
	Constant  float64   // bits by which the law "target = constant" is longer
}

// Evidence returns the evidence for the probability of Best. ok is false if no law was chosen, or
// if an exact law ended the search before any other law was scored in bits.
func (r *Result) Evidence() (e Evidence, ok bool) {
	if r.Best.Tree.Len() == 0 || len(r.Finalists) == 0 || r.constant == 0 {
		return e, false
	}
	best := r.Finalists[0].Score
	e.Constant = r.constant - best
	total := 1 + math.Exp2(-e.Constant)
	for _, l := range r.Finalists[1:] {
		e.Beyond = append(e.Beyond, l.Score-best)
		total += math.Exp2(best - l.Score)
	}
	slices.Sort(e.Beyond)
	e.Posterior = 1 / total
	return e, true
}
