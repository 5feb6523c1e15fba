package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Evidence is what the probability of the chosen law is calculated from, before reasons such as few
// rows limit the probability. The probability is a logistic regression on these predictors. Package
// bench records them, so that the regression can be fitted again.
type Evidence struct {
	// Posterior probability of the law among the laws that the ranking keeps, one for each
	// function, and a constant law.
	Posterior float64 `json:"posterior"`
	Constants int     `json:"constants"` // free constants
	Exponents int     `json:"exponents"` // free constants that are exponents
	Columns   int     `json:"columns"`   // columns of the table without the target
}

// Evidence returns the evidence for r.Best. ok is false if no law was chosen, or if an exact law
// was returned without ranking.
func (r *Result) Evidence() (e Evidence, ok bool) { return r.evidence, r.evidence.Posterior > 0 }

// evidence returns the evidence for the first of the laws.
func (k *ranking) evidence(laws []lawInColumns) Evidence {
	best := laws[0].Tree
	e := Evidence{Posterior: k.posterior(laws), Constants: best.NumParams(), Columns: len(k.t.Vars)}
	nodes := best.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Param {
			e.Exponents++
		}
	}
	return e
}

// posterior returns the probability of the first law among the laws and a constant law. There is
// one law for each function (see mergeEqual).
func (k *ranking) posterior(laws []lawInColumns) float64 {
	best := laws[0].rankBits
	total := math.Exp2(best - k.nullBits)
	for _, c := range laws {
		total += math.Exp2(best - c.rankBits)
	}
	return 1 / total
}

// Predictors returns the predictors of the regression: the log-odds of the posterior in nats, free
// constants, free exponents, and columns. The log-odds are limited to ±10 and the columns to 3, as
// many as the random tables of the regression have.
func (e Evidence) Predictors() [4]float64 {
	odds := math.Log(e.Posterior / max(1-e.Posterior, 1e-300))
	return [4]float64{min(max(odds, -10), 10), float64(e.Constants), float64(e.Exponents), float64(min(e.Columns, 3))}
}
