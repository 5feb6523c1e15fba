package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
	"github.com/physlib/lab/physlib/regression"
)

// passedOnErrorsInX is the number of laws of a search that the next search also scores, under its
// effective variance.
const passedOnErrorsInX = 40

// sharesOfSearches are the shares of the budget at which the searches of discoverErrorsInX end.
var sharesOfSearches = [...]float64{0.4, 0.8, 1}

// If the first search finds no law, a second one without the errors of the target follows.
// shareWithoutErrors is the share of the budget at which this second search ends.
const shareWithoutErrors = 0.6

// sameErrors is the ratio up to which two standard errors count as equal.
const sameErrors = 1.02

// discoverErrorsInX is Discover for a table whose columns have errors. It searches up to three
// times. The first search uses only the errors of the target. Its law f(x) turns the errors of the
// columns into errors of the target, which gives the effective variance
//
//	σ² = σ_y² + Σ (∂f/∂x)²·σ_x².
//
// The second search uses this variance. Without the errors of the columns, the first search may
// choose a law with too many terms, whose slopes are too steep. So if the slopes of the second law
// differ, a third search uses them. Finally, the constants of the law chosen are fitted again,
// under the effective variance of that law.
func discoverErrorsInX(ctx context.Context, w task) (*Result, error) {
	xsigma := w.s.XSigma
	for name := range xsigma {
		if w.t.ValuesOf(name) == nil {
			return nil, fmt.Errorf("discover: there is no column %s, whose errors are given; the columns are %s", name, strings.Join(w.t.InputNames(), ", "))
		}
	}
	w.t, w.s = w.s.withNoise(w.t)
	found, err := discoverIgnoringErrorsInX(ctx, w)
	if err != nil {
		return nil, err
	}
	t := w.t            // with the errors of the target, given or estimated from the last law
	var sigma []float64 // the effective standard errors that the last search used
	for _, share := range sharesOfSearches[1:] {
		if found.Best.Tree.Len() == 0 || ctx.Err() != nil {
			break
		}
		if w.t.Sigma == nil {
			if t = withSigmaY(w.t, found.Best, xsigma, found.Outliers); t.Sigma[0] == 0 {
				break // an exact law of columns without errors
			}
		}
		effective := regression.EffectiveSigma(found.Best, t, xsigma)
		if sigma != nil && sameSigma(sigma, effective) {
			break
		}
		sigma = effective
		if found, err = discoverUnderSigma(ctx, w, share, sigma, found, passedOnErrorsInX); err != nil {
			return nil, err
		}
	}
	if sigma != nil {
		found.replaceBest(refitErrorsInX(found.Best, t, xsigma, found.Outliers))
	}
	return found, nil
}

// discoverIgnoringErrorsInX finds the law of w's table as if the columns had no errors. If there is
// none, it searches again without the given errors of the target. They alone may be so small that
// they contradict each law.
func discoverIgnoringErrorsInX(ctx context.Context, w task) (*Result, error) {
	found, err := discoverTable(ctx, w.next(sharesOfSearches[0], nil))
	if err != nil || w.t.Sigma == nil || found.Best.Tree.Len() > 0 || ctx.Err() != nil {
		return found, err
	}
	return discoverUnderSigma(ctx, w, shareWithoutErrors, nil, found, mostPassedOn)
}

// discoverUnderSigma finds the law of w's table if the errors of the target are sigma, nil if
// unknown, until the given share of the budget is used. The first laws of found, at most the given
// number, count as those of an earlier run, so the ranking scores each of them, too.
func discoverUnderSigma(ctx context.Context, w task, share float64, sigma []float64, found *Result, most int) (*Result, error) {
	n := w.next(share, found)
	n.t = withSigma(w.t, sigma)
	n.rankedToo = bestEarlier(slices.Concat(found.Finalists[:min(len(found.Finalists), most)], w.rankedToo))
	res, err := discoverTable(ctx, n)
	if err != nil {
		return nil, err
	}
	res.addCounts(found)
	return res, nil
}

// replaceBest replaces the chosen law of r by the same law with other constants, in each list.
func (r *Result) replaceBest(best law.Law) {
	old := r.Best
	same := func(l law.Law) bool { return l.Score == old.Score && expr.Equal(l.Tree, old.Tree) }
	r.Best = best
	for _, list := range [][]law.Law{r.Front, r.Finalists} {
		for i, l := range list {
			if same(l) {
				list[i] = best
			}
		}
	}
	for i, k := range r.KnownLaws {
		if same(k.Law) {
			r.KnownLaws[i].Law = best
		}
	}
}

// withSigma returns t with the given standard errors of the target in each row, nil if unknown, no
// longer as a share of its values.
func withSigma(t *dataset.Table, sigma []float64) *dataset.Table {
	u := *t
	u.Sigma, u.Share = sigma, 0
	return &u
}

// withSigmaY returns t with the same error of the target in each row, estimated from the residuals
// of l.
func withSigmaY(t *dataset.Table, l law.Law, xsigma map[string][]float64, out []int) *dataset.Table {
	return withSigma(t, slices.Repeat([]float64{regression.EstimateSigmaY(l, t, xsigma, out)}, t.Rows()))
}

// sameSigma reports whether the standard errors a and b are equal within the ratio sameErrors.
func sameSigma(a, b []float64) bool {
	for i, v := range a {
		if v > sameErrors*b[i] || b[i] > sameErrors*v {
			return false
		}
	}
	return true
}

// refitErrorsInX fits the constants of a law under the effective variance of that law. It returns
// the law unchanged if the law has no constants or the fit fails.
func refitErrorsInX(l law.Law, t *dataset.Table, xsigma map[string][]float64, out []int) law.Law {
	if l.Tree.NumParams() == 0 || l.Tree.Len() == 0 {
		return l
	}
	rows := outlier.Complement(t.Rows(), out)
	part := map[string][]float64{}
	for name, sigma := range xsigma {
		if v := slices.Index(l.Vars, name); v >= 0 && slices.Contains(l.Tree.Vars(), v) {
			part[name] = dataset.Pick(sigma, rows)
		}
	}
	from := l // without the constants in closed form, which come last
	from.Tree = l.Tree.WithStarts(l.Params())
	from.Constants = slices.Clone(l.Constants[:l.Tree.NumParams()])
	r, err := regression.Fit(from, t.Subset(rows), regression.Settings{XSigma: part, Starts: 1})
	if err != nil || !r.Converged {
		return l
	}
	fitted := l
	fitted.Tree, fitted.Cov, fitted.Noise, fitted.Dof, fitted.Errors = r.Law.Tree, r.Law.Cov, r.Law.Noise, 0, r.Law.Errors
	fitted.R2, fitted.RMSE = r.Law.R2, r.Law.RMSE
	fitted.Constants = slices.Clone(l.Constants)
	for i := range r.Law.Constants {
		fitted.Constants[i].Value, fitted.Constants[i].StdErr = r.Law.Constants[i].Value, r.Law.Constants[i].StdErr
	}
	return fitted
}
