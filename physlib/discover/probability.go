package discover

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/spelling"
)

// calibrated returns the probability, at most MostSure, that a law has the right form.
func (e Evidence) calibrated() float64 {
	odds := oddsBase
	for i, v := range e.Predictors() {
		odds += oddsWeights[i] * v
	}
	return min(1/(1+math.Exp(-odds)), MostSure)
}

// MostSure is the largest probability of a law. It is that of laws whose residuals are rounding
// errors of calculations.
const MostSure = 0.99

// oddsBase and oddsWeights give the log-odds that a law has the right form: a base, and a weight
// for each of the Evidence.Predictors.
//
// The coefficients come from a logistic regression on 386 tables in which a law was chosen:
//
//	194 of 217  physlib bench tables --set developed --time 4s, the first tables
//	 98 of 120  physlib bench calibration --time 3s --known, random tables of seed 601
//	 94 of 120  physlib bench calibration --time 3s, random tables of seed 607
//
// Predictors were standardized, and the penalty was half the sum of squared weights. With random
// tables alone, whose law is not in the catalogue, the probabilities of real tables were too low.
//
// The posterior alone is overconfident, since it ignores forms that were not proposed and errors
// that no model describes. Laws with more constants or fitted exponents are more often
// approximations of another law.
const oddsBase = 3.13

var oddsWeights = [...]float64{0.484, -0.652, -0.415, -1.148}

// doubts are reasons to doubt a law beyond the Evidence for it.
type doubts struct {
	missing   bool         // residuals at neighbouring points are correlated
	cut       bool         // the search was stopped from outside
	likeliest surveyResult // the survey of the likeliest forms
}

// probability returns the probability that the first law has the right form. It is the calibrated
// one of the evidence, multiplied by missingFactor if something is missing, and limited in these
// cases:
//
//   - There are few rows.
//   - The search was cut short.
//   - Another law is about as likely. The distance in bits to the next law always sets a limit
//     (ProbabilityCap).
//
// The result is MostSure if the residuals are rounding errors of calculations. sure is the verdict
// in words, with the probability in per cent. why says whether the residuals are rounding errors or
// the rows are few; setVerdict adds the other reasons.
func (k *ranking) probability(e Evidence, laws []lawInColumns, d doubts) (p float64, sure string, why []string) {
	best := laws[0]
	points := k.numPoints()
	p = e.calibrated()
	if d.missing {
		p *= missingFactor
	}
	// The rounding of a table's digits may hide a difference between laws; the rounding of
	// calculations does not.
	calculated := k.m.Calculated(best.Score) && determined(best.Tree, k.m.Cols, k.m.Rows())
	if len(laws) > 1 {
		p = min(p, ProbabilityCap(laws[1].rankBits-best.rankBits))
	}
	switch {
	case calculated:
		return MostSure, Certain, []string{"the residuals are rounding errors"}
	case !Testable(points, best.Tree.NumParams()):
		return min(p, 0.5), "a guess", []string{Untested(points, k.pointsText(points), best.Tree.NumParams())}
	case k.m.Exact(best.Score): // no other limit
	case d.cut && !d.likeliest.made:
		p = min(p, unsurveyed)
	case d.cut && d.likeliest.covered < coveredShare:
		p = min(p, unfinished)
	case d.cut || ties(laws) > 0:
		p = min(p, LikelyThreshold)
	}
	return p, Confidence(p, 0), nil
}

// numPoints returns the number of different rows of the variables.
func (k *ranking) numPoints() int { return dataset.Distinct(columns(k.t), k.t.Rows()) }

// Testable reports whether the given number of points is enough to test a law: twice as many as the
// law has free constants, and two more. With fewer, a law that fits is only a guess.
func Testable(points, constants int) bool { return points >= 2*(constants+1) }

// Untested returns the reason why a law is called a guess, such as "7 rows hardly test 3 free
// constants". named is the text for n points, such as "7 rows".
func Untested(n int, named string, constants int) string {
	verb := "test"
	if n == 1 {
		verb = "tests"
	}
	return fmt.Sprintf("%s hardly %s %s", named, verb, spelling.Count(constants, "free constant"))
}

// usualConstants is the number of free constants up to which a user expects laws to be considered.
const usualConstants = 3

// tooFewRows returns a warning if there are too few rows to score laws with usualConstants free
// constants, otherwise "".
func (k *ranking) tooFewRows() string {
	most := usualConstants
	for most > 0 && !k.m.Scorer().Enough(most) {
		most--
	}
	what := "more than " + spelling.Count(most, "free constant")
	switch most {
	case usualConstants:
		return ""
	case 0:
		what = "free constants"
	}
	return k.pointsText(k.numPoints()) + ": laws with " + what + " are not considered"
}

// pointsText returns text such as "7 values of x in 21 rows" for the number of different rows of
// the variables.
func (k *ranking) pointsText(different int) string {
	rows := k.t.Rows()
	if different == rows {
		return spelling.Count(rows, "row")
	}
	what, of := "combination", "the variables"
	if len(k.t.Vars) == 1 {
		what, of = "value", k.t.Vars[0].Name
	}
	return fmt.Sprintf("%s of %s in %d rows", spelling.Count(different, what), of, rows)
}

// The probability of a law is at most unfinished if its search ended before coveredShare of the
// likeliest forms were fitted. It is at most unsurveyed if the search was cut short and no such
// forms are fitted at all, as in large tables. In a test on 29 small tables for which none of these
// forms were fitted (seeds 71, 81 and 82), the law was right in 20. If more of the forms are
// fitted, the regression needs no correction.
const (
	unfinished   = 0.7
	unsurveyed   = 0.85
	coveredShare = 0.05
)

// missingFactor multiplies the probability of a law whose residuals at neighbouring points are
// correlated.
const missingFactor = 0.3

// ties returns the number of laws that are about as likely as the first. They follow it.
func ties(laws []lawInColumns) int {
	n := 1
	for n < len(laws) && laws[n].rankBits < laws[0].rankBits+tieBits {
		n++
	}
	return n - 1
}

// ProbabilityCap returns the largest probability of a law if the description of the next law is
// longer by moreBits. It is at least a half.
func ProbabilityCap(moreBits float64) float64 { return 1 / (1 + math.Exp2(-max(moreBits, 0))) }
