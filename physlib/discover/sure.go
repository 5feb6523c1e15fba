package discover

import (
	"fmt"
	"math"
	"strings"

	"github.com/physlib/lab/physlib/mdl"
)

// verdict says in a line how sure the chosen law is, and why.
func (k *ranking) verdict(res *Result) string {
	y := k.t.Target
	if res.Best.Tree.Len() == 0 && res.Evaluations == 0 && res.Stopped != "exhausted" {
		return "no law: the search was over before it had tried any"
	}
	if res.Best.Tree.Len() == 0 {
		return "no law: nothing explains " + y.Name + " better than a constant, its own description paid"
	}
	best := k.list[0]
	p := k.posterior()
	res.Probability = p
	var why []string
	free := best.Tree.NumParams()
	sure := ""
	switch {
	case k.t.Rows() < 2*(free+1):
		sure = "a guess"
		why = append(why, fmt.Sprintf("only %d rows, free constants: %d", k.t.Rows(), free))
	case p > 0.99:
		sure = "very likely"
	case p > 0.9:
		sure = "likely"
	default:
		sure = "one of several"
	}
	if len(k.list) > 1 {
		why = append(why, fmt.Sprintf("the next different law is %.1f bits worse", k.list[1].Bits-best.Bits))
	}
	why = append(why, fmt.Sprintf("R² = %.4g", res.Best.R2))
	if k.m.HasUnits() {
		if best.Balanced {
			why = append(why, "the units balance")
		} else {
			why = append(why, "the units do NOT balance")
		}
	}
	switch best.Errors {
	case mdl.Proportional:
		why = append(why, "errors taken as proportional to "+y.Name)
	case mdl.Counting:
		why = append(why, "errors taken as those of counts")
	case mdl.HeavyTailed, mdl.HeavyFactors:
		why = append(why, "some errors are far larger than others")
	}
	return sure + ": " + strings.Join(why, "; ")
}

// posterior is the probability of the best law among all that were scored, a constant included.
func (k *ranking) posterior() float64 {
	total := math.Exp2(k.list[0].Bits - k.constant)
	for _, c := range k.list {
		total += math.Exp2(k.list[0].Bits - c.Bits)
	}
	return 1 / total
}
