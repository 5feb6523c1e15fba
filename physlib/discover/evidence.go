package discover

import (
	"math"
	"slices"
)

// Evidence compares the description lengths of the laws in a result, for the calibration of
// probabilities (package bench). Result.Probability is calculated differently, from all laws that
// were ranked.
type Evidence struct {
	// Probability of the first finalist among all finalists and the law "target = constant".
	Posterior float64
	// Bits by which each other finalist is longer than the first, in rising order.
	Beyond   []float64
	Constant float64 // bits by which the law "target = constant" is longer than the first
}

// Evidence compares the Finalists of r. ok is false if no law was chosen, or if an exact law was
// returned without ranking.
func (r *Result) Evidence() (e Evidence, ok bool) {
	if r.Best.Tree.Len() == 0 || len(r.Finalists) == 0 || r.constantBits == 0 { // 0: the laws were not ranked
		return e, false
	}
	best := r.Finalists[0].Score
	e.Constant = r.constantBits - best
	total := 1 + math.Exp2(-e.Constant)
	for _, l := range r.Finalists[1:] {
		e.Beyond = append(e.Beyond, l.Score-best)
		total += math.Exp2(best - l.Score)
	}
	slices.Sort(e.Beyond)
	e.Posterior = 1 / total
	return e, true
}
