package discover

import (
	"context"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// suspects returns the rows to leave out at first. These are the rows that an earlier run left out,
// or else rows that look like gross errors or slips. A slip is a value that is wrong by a factor
// such as ten (slips.go). The rows of an earlier run are ignored if one of them is not a row of t.
func (s Settings) suspects(t *dataset.Table) []int {
	if len(s.Outliers) > 0 && !slices.ContainsFunc(s.Outliers, func(i int) bool { return i < 0 || i >= t.Rows() }) {
		return s.Outliers
	}
	out := outlier.DropSmoothRuns(outlier.Suspects(columns(t), t.Target.Values), t.Target.Values)
	for _, slip := range outlier.Slips(columns(t)) {
		out = outlier.Union(out, []int{slip.Row})
	}
	return out
}

// discoverTrimmed finds the law behind the table of w, in which the rows in out look like gross
// errors. It reports the rows that it leaves out. It compares the law of the other rows with a law
// of all rows and heavy-tailed errors.
func discoverTrimmed(ctx context.Context, w task, out []int) (*Result, error) {
	found, err := trimOutliers(ctx, w.withLimit(w.budget.timeShare(trimmedShare)), out)
	if err != nil || len(found.Outliers) == 0 {
		return found, err
	}
	if all := rankAllRows(ctx, w.next(1, found), found); all != nil {
		return all, nil
	}
	v := newErrorTable(w.t, found)
	if best := found.Best; best.Tree.Len() > 0 {
		_, far := v.refitWithoutContradictions(new(fit.Fitter), best.Tree.WithStarts(best.Params()))
		// If the time ran out, some excluded rows may agree with the law. Such rows are not
		// reported.
		found.Outliers = outlier.Intersect(found.Outliers, far)
	}
	if len(found.Outliers) > 0 {
		found.reportOutliers(v)
	}
	return found, nil
}

// trimOutliers finds the law of w's table without outliers. At first, it leaves out the rows in
// out. The law found is final in the cases of trimmedForGood. Otherwise, trimOutliers also searches
// all rows. It returns the law that describes the table in fewer bits, where outliers are coded
// verbatim.
func trimOutliers(ctx context.Context, w task, out []int) (*Result, error) {
	found, bits, err := trim(ctx, w, out)
	if err != nil {
		return nil, err
	}
	if found.trimmedForGood(w.t) || ctx.Err() != nil || w.budget.isUsed(1, found.Evaluations) {
		return found, nil
	}
	rest := w.next(1, found)
	// A search that settled took little time, so a search of all rows should not take much more.
	if found.Stopped == StopSettled {
		rest = rest.withLimit(min(rest.budget.limit, max(untrimmedTime, untrimmedFactor*w.budget.elapsed())))
	}
	all, err := discoverWithout(ctx, rest, nil, found)
	if err != nil {
		return nil, err
	}
	best := all.Best
	if newErrorTable(w.t, all).bits(best.Tree.WithStarts(best.Params()), best.Complexity, nil) <= bits {
		return all, nil
	}
	found.Evaluations, found.Proposers = all.Evaluations, all.Proposers // these include found's
	return found, nil
}

// trim alternates search and outlier rejection, as in least trimmed squares, until the rows kept no
// longer change. The residuals of the laws found, in all rows, show which rows to exclude next.
// trim also returns the description length of the table under the best law, with the outliers coded
// verbatim.
func trim(ctx context.Context, w task, out []int) (found *Result, bits float64, err error) {
	share := firstShare
	var shortest []law.Law // of the previous search; the next one scores it first
	for range trimIterations {
		if found, err = discoverWithout(ctx, w.next(share, found), out, found, shortest...); err != nil {
			return nil, 0, err
		}
		share = allShare
		var best law.Law
		var next []int
		best, next, bits = shortestLaw(w.t, found)
		if best.Tree.Len() == 0 || slices.Equal(next, out) || ctx.Err() != nil || w.budget.isUsed(allShare, found.Evaluations) {
			break
		}
		shortest, out = []law.Law{best}, next
	}
	return found, bits, nil
}

// trimIterations is the largest number of searches in trim.
const trimIterations = 4

// trimmedForGood reports whether the law found without outliers is final. It is final if each
// outlier is a slip, if the law is exact, or if a search that was not cut short excluded no row.
func (found *Result) trimmedForGood(t *dataset.Table) bool {
	if n := len(found.Outliers); n > 0 && len(found.slips(t)) == n || found.Stopped == StopExact {
		return true
	}
	return len(found.Outliers) == 0 && found.Stopped != StopTime && found.Stopped != StopEvaluations
}

// discoverWithout finds the law of w's table without the rows in out. before is the result of the
// previous search, or nil. Its counts are included. The search scores the laws in first, and then
// those of before.
func discoverWithout(ctx context.Context, w task, out []int, before *Result, first ...law.Law) (*Result, error) {
	if before != nil {
		laws := slices.Concat(first, before.Finalists)
		w.scoredFirst = laws[:min(len(laws), mostPassedOn)]
	}
	res, err := searchAndRank(ctx, w.without(out))
	if err != nil {
		return nil, err
	}
	res.Outliers = out
	if before != nil {
		res.addCounts(before)
	}
	return res, nil
}

// mostPassedOn is the number of laws that a search gets from the previous search.
const mostPassedOn = 20

// shortestLaw returns the law of found that describes t in the fewest bits, and the rows that
// contradict it. The constants of that law are fitted to the other rows. If a constant describes t
// in as few bits, shortestLaw returns an empty law and the outliers of found.
func shortestLaw(t *dataset.Table, found *Result) (best law.Law, out []int, bits float64) {
	v := newErrorTable(t, found)
	out, bits = found.Outliers, v.bits(expr.Tree{}, 0, found.Outliers)
	var f fit.Fitter
	for i, l := range found.Finalists {
		if i >= 3 && i*t.Rows() > mostRefittedRows {
			break
		}
		tree, rows := v.refitWithoutContradictions(&f, l.Tree.WithStarts(l.Params()))
		if b := v.bits(tree, l.Complexity, rows); b < bits {
			best, out, bits = l, rows, b
			best.Tree, best.Constants = tree, nil
		}
	}
	return best, out, bits
}

// mostRefittedRows is the largest number of laws, times the number of rows, that are refitted to
// find their outliers.
const mostRefittedRows = 60 * 2000

// rankAllRows returns the result for all rows with heavy-tailed errors allowed. It returns nil if
// found, which excludes some rows, is better. Either way, it adds the forms that it fits to
// found.Evaluations. The result for all rows is better in two cases:
//
//   - It takes fewer bits. This is compared only if found has bits (Result.ranked) and excludes a
//     row in which the target is not cut off, as by a saturated sensor.
//   - found excludes three or more consecutive rows, not counting rows in which the target is cut
//     off. The reason is that slips are isolated, while a wrong law fails over an interval.
func rankAllRows(ctx context.Context, w task, found *Result) *Result {
	t := w.t
	cut := outlier.Saturated(t.Target.Values)
	stretch := longestRun(outlier.Difference(found.Outliers, cut)) >= 3
	if !stretch && (!found.ranked || len(outlier.Difference(found.Outliers, cut)) == 0) {
		return nil
	}
	slips := found.slips(t)
	k := newRanking(w, nil)
	k.addLaws(found.Finalists)
	within, cancel := w.budget.within(ctx, 1)
	defer cancel()
	likeliest := k.survey(within, w.budget)
	k.addSurveyed(likeliest)
	found.Evaluations += likeliest.forms
	// The ranking's final fits also try heavy-tailed errors (models in package mdl).
	all := k.rank(ctx, w.budget.restarted(), likeliest, found)
	if !stretch && (all.Best.Tree.Len() == 0 || all.bits > found.bits+found.excludedBits(t, slips)) {
		return nil
	}
	return all
}

// longestRun returns the length of the longest run of consecutive rows. rows must be in order.
func longestRun(rows []int) int {
	longest, run := 0, 0
	for i, r := range rows {
		if i > 0 && r != rows[i-1]+1 {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
