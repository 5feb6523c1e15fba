package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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
// differ, a third search uses them. Finally, the constants of the law chosen are fitted again, under
// the effective variance of that law.
func discoverErrorsInX(ctx context.Context, t *dataset.Table, s Settings) (*Result, error) {
	xsigma := s.XSigma
	s.XSigma = nil
	if t.Sigma == nil && s.Noise.Known {
		u := *t
		u.Sigma = slices.Repeat([]float64{s.Noise.Sigma}, t.Rows())
		t, s.Noise = &u, Noise{}
	}
	for name := range xsigma {
		if regression.Column(t, name) == nil {
			return nil, fmt.Errorf("discover: there is no column %s, whose errors are given; the columns are %s", name, strings.Join(regression.Columns(t), ", "))
		}
	}
	began := s.Clock.Now()
	found, err := Discover(ctx, t, s.nextSearch(began, sharesOfSearches[0], nil))
	if err == nil && t.Sigma != nil && found.Best.Tree.Len() == 0 && ctx.Err() == nil {
		// The errors of the target alone may be so small that they contradict each law.
		u := *t
		u.Sigma, u.Share = nil, 0
		earlier := found
		if found, err = Discover(ctx, &u, s.nextSearch(began, shareWithoutErrors, found)); err == nil {
			found.include(earlier, s.Clock.Since(began))
		}
	}
	unknown, given := t.Sigma == nil, t
	var sigma []float64 // the effective standard errors that the last search used
	for _, share := range sharesOfSearches[1:] {
		if err != nil || found.Best.Tree.Len() == 0 || ctx.Err() != nil {
			break
		}
		if unknown {
			if t = withSigmaY(given, found.Best, xsigma, found.Outliers); t.Sigma[0] == 0 {
				break // an exact law of columns without errors
			}
		}
		next := regression.EffectiveSigma(found.Best, t, xsigma)
		if sigma != nil && sameSigma(sigma, next) {
			break
		}
		sigma = next
		u := *t
		u.Sigma, u.Share = sigma, 0 // the errors are now given in each row, no longer as a share
		rest := s.nextSearch(began, share, found)
		// More laws than nextSearch passes on. Discover takes them as laws of the caller, so its
		// ranking scores each of them, too.
		rest.Resume = append(slices.Clone(found.Finalists[:min(len(found.Finalists), passedOnErrorsInX)]), s.Resume...)
		earlier := found
		if found, err = Discover(ctx, &u, rest); err != nil {
			return nil, err
		}
		found.include(earlier, s.Clock.Since(began))
	}
	if err != nil || sigma == nil {
		return found, err
	}
	old := found.Best
	found.Best = refitErrorsInX(old, t, xsigma, found.Outliers)
	for _, list := range [][]law.Law{found.Front, found.Finalists} {
		for i, l := range list {
			if l.Score == old.Score && expr.Equal(l.Tree, old.Tree) {
				list[i] = found.Best
			}
		}
	}
	for i, k := range found.Known {
		if k.Law.Score == old.Score && expr.Equal(k.Law.Tree, old.Tree) {
			found.Known[i].Law = found.Best
		}
	}
	return found, nil
}

// include adds the evaluations of an earlier search to those of r. elapsed is the time of both.
func (r *Result) include(earlier *Result, elapsed time.Duration) {
	r.Evaluations += earlier.Evaluations
	addProposed(r.Proposers, earlier.Proposers)
	r.Elapsed = elapsed
}

// withSigmaY returns t with the same error of the target in each row, estimated from the residuals
// of l.
func withSigmaY(t *dataset.Table, l law.Law, xsigma map[string][]float64, out []int) *dataset.Table {
	u := *t
	u.Sigma = slices.Repeat([]float64{regression.EstimateSigmaY(l, t, xsigma, out)}, t.Rows())
	return &u
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
