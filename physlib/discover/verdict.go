package discover

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/spelling"
)

// setVerdict sets the probability of the chosen law, which is the first of the laws, and the
// verdict: one line that says how likely the law is, and why. likeliest is the survey of the table.
func (k *ranking) setVerdict(res *Result, laws []lawInColumns, likeliest surveyResult) {
	if res.Best.Tree.Len() == 0 {
		res.Verdict, res.Probability, res.evidence = k.noLaw(res, laws), 0, Evidence{}
		return
	}
	best := laws[0]
	residuals := k.m.Scorer().Standardized(best.Score)
	odd, missing := patterns(k.sampled, k.rows, residuals)
	// If the residuals are rounding errors, a correlation at neighbouring points does not show that
	// something is missing from the law.
	exact := k.m.Exact(best.Score)
	missing = missing && !exact
	if odd == "" && !exact {
		odd = k.standsOut(best.Score, residuals)
	}
	cut := res.Stopped.Cut()
	res.evidence = k.evidence(laws)
	p, sure, why := k.probability(res.evidence, laws, doubts{missing, cut, likeliest})
	if len(laws) > 1 {
		why = append(why, fmt.Sprintf("the next different law is %.1f bits worse", laws[1].rankBits-best.rankBits))
	}
	if rivals := rivals(laws); rivals != "" {
		why = append(why, rivals)
	}
	if cut {
		why = append(why, "the search was not finished")
	}
	if odd != "" {
		why = append(why, odd)
	}
	if missing {
		why = append(why, "residuals are alike at neighbouring points, so something is missing")
	}
	why = append(why, k.quality(best)...)
	res.Probability, res.Verdict = p, sure+": "+strings.Join(why, "; ")
}

// Certain is the beginning of the verdict on a law whose residuals are only the rounding of
// calculations.
const Certain = "as good as certain"

// LikelyThreshold is the probability above which a law is called likely. The law of a table has at
// most this probability if its search was cut short, or if another law is about as likely.
const LikelyThreshold = 0.9

// probable is the probability above which a law is called probable.
const probable = 0.75

// Confidence returns the beginning of a verdict, such as "likely, about 93 %", for a law of
// probability p from 0 to 1. A law is called doubtful if p is at most doubtful; 0: never.
func Confidence(p, doubtful float64) string {
	word := "uncertain"
	switch {
	case p > 0.97:
		word = "very likely"
	case p > LikelyThreshold:
		word = "likely"
	case p > probable:
		word = "probable"
	case doubtful > 0 && p <= doubtful:
		word = "doubtful"
	}
	return fmt.Sprintf("%s, about %.0f %%", word, 100*p)
}

// rivals returns the part of a verdict that names the laws about as likely as the first (see
// tieBits), or "" if there are none.
func rivals(laws []lawInColumns) string {
	var names []string
	ties := ties(laws)
	for _, c := range laws[1:min(ties+1, mostRivals+1)] {
		names = append(names, c.law.Target+" = "+c.law.Display(3))
	}
	if len(names) == 0 {
		return ""
	}
	text := "rivals: " + strings.Join(names, " or ")
	if more := ties - len(names); more > 0 {
		text += fmt.Sprintf(" or %d more", more)
	}
	return text
}

// mostRivals is the largest number of laws, about as likely as the chosen one, that a verdict
// names.
const mostRivals = 2

// quality returns the parts of a verdict that say how well a law fits, whether its units balance,
// and what its errors are.
func (k *ranking) quality(c lawInColumns) []string {
	text := "R² = " + law.ShortR2(c.law.R2, verdictDigits)
	if r2, ok := k.logR2(c.ranked); ok && r2 > c.law.R2+betterInLogarithms {
		text += ", of the logarithms " + law.ShortR2(r2, verdictDigits)
	}
	why := []string{text}
	if k.m.HasUnits() {
		why = append(why, Balance(c.law, k.t))
	}
	switch c.Model {
	case mdl.Proportional:
		why = append(why, "errors taken as proportional to "+k.t.Target.Name)
	case mdl.Counting:
		why = append(why, "errors taken as those of counts")
	case mdl.HeavyTailed, mdl.HeavyFactors:
		why = append(why, "some errors are far larger than others")
	}
	return why
}

// verdictDigits is the number of significant digits of R² in a verdict.
const verdictDigits = 4

// betterInLogarithms is the difference above which the verdict states R² of the logarithms: R² of
// the logarithms minus R² of the target.
const betterInLogarithms = 0.01

// noLaw returns the verdict if none of the laws was chosen.
func (k *ranking) noLaw(res *Result, laws []lawInColumns) string {
	if res.Evaluations == 0 && res.Stopped != StopExhausted {
		return "no law: the search ended before it had evaluated a candidate"
	}
	if len(laws) > 0 && laws[0].rankBits < k.nullBits+marginBits && len(laws[0].law.Tree.Vars()) > 0 {
		best := laws[0].law
		return fmt.Sprintf("no law: %s = %s, with R² = %s, is not clearly better than a constant, given %s",
			best.Target, best.Display(3), law.ShortR2(best.R2, 2), spelling.Count(k.t.Rows(), "row"))
	}
	return "no law: nothing describes " + k.t.Target.Name + " clearly better than a constant"
}

// Balance returns the part of a verdict on l that says whether its units balance in the table t. A
// quantity without a known unit may have any unit.
func Balance(l law.Law, t *dataset.Table) string {
	if !l.UnitsOK {
		return "the units do NOT balance"
	}
	var unknown []string
	if !t.Target.HasUnit {
		unknown = append(unknown, t.Target.Name)
	}
	check := func(name string, hasUnit bool) {
		if !hasUnit && slices.ContainsFunc(l.Tree.Vars(), func(v int) bool { return l.Vars[v] == name }) {
			unknown = append(unknown, name)
		}
	}
	for _, c := range t.Vars {
		check(c.Name, c.HasUnit)
	}
	for _, c := range t.Consts {
		check(c.Name, c.HasUnit)
	}
	switch len(unknown) {
	case 0:
		return "the units balance"
	case 1:
		return "the known units balance (that of " + unknown[0] + " is unknown)"
	}
	return "the known units balance (those of " + spelling.List(unknown) + " are unknown)"
}

// standsOut returns a remark on the row with the largest residual from a law if the other rows show
// that chance hardly explains it. In a small table, such a row also spoils the estimate of the
// errors, so its residual is compared with a fit to the other rows. residuals are the standardized
// ones of c. standsOut returns "" if there is no such row, or too many rows for that.
func (k *ranking) standsOut(c mdl.Score, residuals []float64) string {
	n := k.m.Rows()
	if n > mostStudentized || n != k.t.Rows() || n-c.Tree.NumParams() < leastFreedom {
		return ""
	}
	row, largest := 0, 0.0
	for i, r := range residuals {
		if math.Abs(r) > largest {
			row, largest = i, math.Abs(r)
		}
	}
	t, freedom := k.m.Scorer().Studentized(c, row)
	chance := 2 * distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Survival(t)
	if chance*float64(n) > outlierChance {
		return ""
	}
	return k.t.RowNames([]int{row}) + " stands out and may be an error"
}

const (
	mostStudentized = 100  // largest number of rows for standsOut
	leastFreedom    = 6    // least number of rows beyond the constants for standsOut
	outlierChance   = 1e-3 // probability that standsOut names a row of a table with normal errors
)

// patterns returns how the residuals res of t's rows differ from noise. rows says which rows stand
// out; it is "" if there are none, or too many to be errors. missing reports whether residuals at
// neighbouring points are correlated. With fewer than ten rows, patterns returns neither. positions
// holds the positions of t's rows in the user's table; nil: t is that table.
func patterns(t *dataset.Table, positions []int, res []float64) (rows string, missing bool) {
	n := t.Rows()
	if n < 10 {
		return "", false
	}
	out := outlier.LargeResiduals(res, 0)
	if positions != nil && t.FileRows == nil {
		for k, i := range out {
			out[k] = positions[i]
		}
	}
	switch k := len(out); {
	case k == 1:
		rows = t.RowNames(out) + " stands out and may be an error"
	case k > 1 && k <= 5 && 10*k <= n+9:
		rows = t.RowNames(out) + " stand out and may be errors"
	}
	cols := columns(t)
	different := slices.Clone(res[:0])
	picked, seen := make([][]float64, len(cols)), map[float64]bool{}
	for i := 0; i < n; i += (n-1)/1000 + 1 {
		if seen[res[i]] { // a copy of another row
			continue
		}
		seen[res[i]] = true
		different = append(different, res[i])
		for k := range cols {
			picked[k] = append(picked[k], cols[k][i])
		}
	}
	if len(different) < 10 { // too few different residuals, for example if all are 0
		return rows, false
	}
	// correlated, in whiteness.go, is in standard deviations for noise.
	return rows, neighbourCorrelation(unitVariance(picked), different) > correlated
}
