package discover

import (
	"fmt"
	"math"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
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
	res.Probability = calibrated(k.posterior(), best.Tree, len(k.t.Vars))
	var why []string
	free, rows := best.Tree.NumParams(), dataset.Distinct(columns(k.t), k.t.Rows())
	odd, missing := structure(k.part, k.places, k.standardized(best))
	cut := res.Stopped == "time" || res.Stopped == "interrupted" || res.Stopped == "evaluations"
	if missing {
		res.Probability *= missingFactor
	}
	// the rounding of a table's digits may hide a difference between laws; that of calculations
	// does not
	exact := k.m.Calculated(best.Score)
	sure := word(res.Probability)
	switch {
	case exact && rows >= 2*free+4:
		sure, res.Probability = certain, max(res.Probability, 0.99)
		why = append(why, "the residuals are rounding errors")
	case rows < 2*(free+1):
		sure, res.Probability = "a guess", min(res.Probability, 0.5)
		why = append(why, fmt.Sprintf("only %d different rows, free constants: %d", rows, free))
	case cut && k.covered < coveredShare:
		most := unfinished
		if k.covered >= 0 {
			most -= unknownShare * (1 - k.covered/coveredShare)
		}
		res.Probability = min(res.Probability, most)
		sure = word(res.Probability)
	}
	if sure != "a guess" && sure != certain {
		sure = fmt.Sprintf("%s, about %.0f %%", sure, 100*res.Probability)
	}
	if len(k.list) > 1 {
		why = append(why, fmt.Sprintf("the next different law is %.1f bits worse", k.list[1].Bits-best.Bits))
	}
	if cut {
		why = append(why, "the search was not at its end")
	}
	if odd != "" {
		why = append(why, odd)
	}
	if missing {
		why = append(why, "residuals are alike at neighbouring points, so something is missing")
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

// A law whose search was over before coveredShare of the likeliest forms were fitted has at most
// the probability unfinished, and unknownShare less than that where none of them was.
const (
	unfinished   = 0.85
	coveredShare = 0.5
	unknownShare = 0.35
)

// missingFactor is what the probability of a law is multiplied with whose residuals are alike at
// neighbouring points.
const missingFactor = 0.3

// certain is the verdict on a law that leaves nothing but the rounding of calculations.
const certain = "as good as certain"

// word is the verdict for a probability.
func word(p float64) string {
	switch {
	case p > 0.97:
		return "very likely"
	case p > 0.9:
		return "likely"
	}
	return "one of several"
}

// standardized are the residuals of a law in units in which the error model has them alike.
func (k *ranking) standardized(c ranked) []float64 {
	s := k.m.Scorer()
	res := s.Residuals(c.Score)
	for i, y := range k.m.Y {
		switch c.Errors {
		case mdl.Proportional, mdl.HeavyFactors:
			res[i] /= math.Abs(y - res[i])
		case mdl.Counting:
			res[i] /= math.Sqrt(max(y-res[i], 1))
		case mdl.Given:
			res[i] /= k.m.Sigma[i]
		}
	}
	return res
}

// The probability that a law has the right form, on the log-odds of its posterior, cut off at
// ±mostOdds, its free constants, those of them that are exponents, and the table's columns: a
// logistic regression on 599 drawn tables in which a law was chosen (physlib bench calibration,
// seeds 1 and 10) and the 138 developed ones of package corpus/tables. The posterior alone is too
// sure: forms that nobody proposed, and errors that no model describes, compete as well, and laws
// with more constants and fitted exponents are more often another law's approximation.
const (
	oddsBase     = 3.32
	oddsSlope    = 0.37
	oddsConstant = -0.98
	oddsExponent = -1.16
	oddsColumn   = -1.08
	mostOdds     = 10
	mostColumns  = 3 // the drawn tables have no more
)

// calibrated is the probability of a law with the posterior q in a table of so many columns, at
// most 0.99.
func calibrated(q float64, t expr.Tree, columns int) float64 {
	exponents := 0
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Param {
			exponents++
		}
	}
	odds := min(max(math.Log(q/max(1-q, 1e-300)), -mostOdds), mostOdds)
	odds = oddsBase + oddsSlope*odds + oddsConstant*float64(t.NumParams()) +
		oddsExponent*float64(exponents) + oddsColumn*float64(min(columns, mostColumns))
	return min(1/(1+math.Exp(-odds)), 0.99)
}

// posterior is the probability of the best law among all that were scored, a constant included.
func (k *ranking) posterior() float64 {
	total := math.Exp2(k.list[0].Bits - k.constant)
	for _, c := range k.list {
		total += math.Exp2(k.list[0].Bits - c.Bits)
	}
	return 1 / total
}
