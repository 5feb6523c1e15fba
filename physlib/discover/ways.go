package discover

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

// searchAndRank searches w's table, from which outliers may be missing, in each suitable way (see
// waysOf). It then ranks the laws of all searches and of the survey together. If the residuals of a
// law are rounding errors of calculations, the law is returned without ranking, unless another form
// might be preferred.
func searchAndRank(ctx context.Context, w task) (*Result, error) {
	reduced := withoutDependent(w.t, w.s)
	k := newRanking(w, reduced.relations)
	k.proposeEarlier(w.rankedToo)
	// The time of the ranking counts from the start of w's budget. That of the searches and the
	// survey counts from now, when the table has been prepared.
	budgetOfRanking, budgetOfSearches := w.budget, w.budget.restarted()
	within, cancel := budgetOfSearches.within(ctx, surveyShare)
	defer cancel()
	rare := k.surveyRare(within)
	alongside := k.startSurvey(within, budgetOfSearches)
	defer alongside.stop()
	if budgetOfSearches.counted() { // the forms of the surveys count, too
		budgetOfSearches.evaluations = max(1, budgetOfSearches.evaluations-rare.forms-alongside.wait().forms)
	}
	outcome, err := k.searchWays(ctx, w, reduced, budgetOfSearches, k.hasExact(rare))
	if err != nil {
		return nil, err
	}
	found := outcome.found
	found.Evaluations += rare.forms
	if outcome.complete {
		found.Evaluations += alongside.stop().forms
		k.fillExact(found)
		return found, nil
	}
	likeliest := alongside.wait()
	k.addSurveyed(rare)
	k.addSurveyed(likeliest)
	found.Evaluations += likeliest.forms + k.proposeLikeliest(ctx)
	found = k.rank(ctx, budgetOfRanking, likeliest, found)
	if text := k.tooFewRows(); text != "" && !strings.HasPrefix(found.Verdict, Certain) {
		found.Warnings = append(found.Warnings, text)
	}
	return found, nil
}

// waysOutcome is the outcome of the searches of a table in all ways.
type waysOutcome struct {
	found *Result
	// The law of found is exact and needs no ranking, and its verdict is set.
	complete bool
}

// searchWays searches the reduced table of w in each suitable way, within the budget of all
// searches, and proposes the laws found. The outcome is never complete if mustRank is true.
func (k *ranking) searchWays(ctx context.Context, w task, reduced reducedTable, all budget, mustRank bool) (waysOutcome, error) {
	ways := waysOf(k.t, k.s)
	var found *Result // of the searches so far
	var grew []bool   // for each search so far, whether its residuals grew with the target
	for i, how := range ways {
		if !how.needed(k.t.Rows(), grew) {
			break
		}
		part, ok := all.ofWay(ways, i, k.t)
		if !ok {
			break
		}
		r := searchTable(ctx, w.on(reduced.Table, part), how)
		// An exact law without units must still compete with laws whose dimensions balance.
		exact := r.j.exact(r.j.best()) && !how.noUnits
		atOnce := exact && !mustRank && !k.competes(r)
		grew = append(grew, r.j.residualsGrow())
		res, err := r.finish(found)
		if err != nil {
			return waysOutcome{}, err
		}
		if atOnce && r.onlyCalculation(res) && !k.fitsRounding(res) {
			r.setExactVerdict(res)
			// No column was left out (see competes), so reducedTable.widened is not needed.
			return waysOutcome{res, true}, nil
		}
		found = res
		k.addLaws(reduced.widened(k.t, res.Finalists)) // the ranking replaces the laws of res
		// After an exact law, no further search is needed, only the ranking.
		if exact || ctx.Err() != nil {
			break
		}
	}
	return waysOutcome{found, false}, nil
}

// competes reports whether the exact law of r must be ranked, since another law may be preferred to
// it.
func (k *ranking) competes(r *waySearch) bool {
	return r.j.best().rounded || // other laws may also fit to within the table's rounding
		len(k.s.Statements) > 0 || // the ranking checks the requirements
		len(k.relations) > 0 // a column that was left out may give a shorter law
}

// growRows is the least number of rows for the test whether residuals grow with the target. In
// fewer rows such growth is hard to see, so proportional errors are always tried.
const growRows = 40

// way is how one search treats the table: with or without units, and with equal or proportional
// errors.
type way struct{ noUnits, proportional bool }

// needed reports whether a table with this number of rows is to be searched in the way w. grew says
// for each previous search whether its residuals grew with the target. One such search is enough
// for the way with proportional errors. The laws of other searches may follow the largest values,
// which have the largest errors, too closely to show the growth.
func (w way) needed(rows int, grew []bool) bool {
	return !w.proportional || len(grew) == 0 || rows < growRows || slices.Contains(grew, true)
}

// waysOf returns the ways to search t, in the order in which they are used.
func waysOf(t *dataset.Table, s Settings) []way {
	if s.Errors == ProportionalErrors && t.Sigma == nil && !s.Noise.Known && !slices.Contains(t.Target.Values, 0) {
		return []way{{proportional: true}}
	}
	ways := []way{{}}
	if t.HasUnits() && !s.NoUnits && t.Rows() <= fewRows {
		ways = append(ways, way{noUnits: true})
	}
	if s.Errors == AnyErrors && manyDecades(t, s) {
		ways = append(ways, way{proportional: true})
	}
	return ways
}

// fewRows is the largest number of rows for which a table is also searched without its units. The
// search with units finds some forms late or never, namely those with constants that have units
// inside functions.
const fewRows = 400

// manyDecades reports whether the target spans so many decades that its errors, if they are not
// given, may be equal or proportional to its size.
func manyDecades(t *dataset.Table, s Settings) bool {
	const many = 30       // least ratio of the largest to the smallest value
	const mostRows = 5000 // with more rows, a second search takes long
	if t.Sigma != nil || s.Noise.Known || t.Rows() > mostRows {
		return false
	}
	lo, hi := math.Inf(1), 0.0
	for _, y := range t.Target.Values {
		if y*t.Target.Values[0] <= 0 {
			return false
		}
		lo, hi = min(lo, math.Abs(y)), max(hi, math.Abs(y))
	}
	return hi > many*lo
}

// ofWay returns the part of b for the search of t in ways[index]. b is the budget of all searches,
// and the part starts now. ok is false if no time is left for a way after the first. The first way
// is always searched.
func (b budget) ofWay(ways []way, index int, t *dataset.Table) (part budget, ok bool) {
	part = b.restarted()
	if b.timed() {
		part.limit = timeOfWay(b.limit-b.elapsed(), len(ways)-index, t.Rows(), len(t.Vars))
		if part.limit <= 0 && index > 0 {
			return part, false
		}
		part.limit = max(1, part.limit)
	}
	if b.counted() {
		later := b.evaluations / laterPart // a quarter for each later search
		part.evaluations = max(1, later)   // 0 would mean no limit
		if index == 0 {
			part.evaluations = max(1, b.evaluations-int64(len(ways)-1)*later)
		}
	}
	return part, true
}

// timeOfWay returns the part of the remaining time that the next way to search gets. ways is the
// number of ways that remain, including the next.
//
//   - In a table of up to fewRows rows and fewVars variables, each way gets an equal part.
//   - Otherwise a way before the last gets three quarters, so the first way gets most. In a table
//     with units, the first way is the search with units. It rules out more forms the more
//     variables there are.
//   - The last way gets the remaining time except concludeTime, or except a sixth of the remaining
//     time if a sixth is less.
//
// With more than largeRows rows the ranking takes longer. The last way then leaves more time for
// the ranking, up to a quarter of the remaining time at twice largeRows.
func timeOfWay(left time.Duration, ways, rows, vars int) time.Duration {
	switch {
	case rows <= fewRows && vars <= fewVars && ways > 1:
		return left / time.Duration(ways)
	case ways > 1:
		return left / 4 * 3
	}
	more := min(max(rows-largeRows, 0), largeRows)
	return left - max(min(left/6, concludeTime), left/4*time.Duration(more)/largeRows)
}

// fewVars is the largest number of variables for which the searches with and without units get the
// same time.
const fewVars = 3

// finish returns the result of r (see waySearch.result in searchresult.go). It includes the counts
// and warnings of before, the result of the previous searches of the same table. before is nil if r
// is the first search.
func (r *waySearch) finish(before *Result) (*Result, error) {
	if before == nil {
		if err := r.failure(); err != nil {
			return nil, fmt.Errorf("discover: %w", err)
		}
		return r.result(), nil
	}
	res := r.result()
	res.addCounts(before)
	for _, text := range before.Warnings {
		if !slices.Contains(res.Warnings, text) {
			res.Warnings = append(res.Warnings, text)
		}
	}
	return res, nil
}
