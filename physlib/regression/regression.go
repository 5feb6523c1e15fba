package regression

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

// Method is the method by which a fit accounts for errors of columns.
type Method uint8

const (
	// The error of a column, times the slope of the law, is added in quadrature to the error of the
	// target.
	EffectiveVariance  Method = iota
	OrthogonalDistance        // the nearest point of the law is found for each row
)

// Bound is the interval in which a constant must lie. An infinite end means no bound.
type Bound struct{ Low, High float64 }

// Settings of a fit. The zero value works.
type Settings struct {
	// Starting values of constants, by name. For other constants, the value in the law is used.
	Start  map[string]float64
	Bounds map[string]Bound

	// Standard error of the target in each row; nil: the table's standard errors, if it has any.
	Sigma []float64
	// Model of the errors if Sigma is nil: law.EqualErrors, law.ProportionalErrors or
	// law.CountingErrors. "" means law.EqualErrors.
	Errors string
	// Whether only the ratios of the standard errors in Sigma are known. Their absolute size is
	// then estimated from the residuals.
	Scale  bool
	XSigma map[string][]float64 // standard errors of columns in each row, by name
	Method Method               // used if XSigma is given

	Loss Loss // robust loss, which reduces the influence of outliers; "": LinearLoss
	// Weighted residual above which a robust loss reduces the influence of a row. 0 means 1 if the
	// errors are known. If they are unknown, the scale is estimated from the residuals.
	LossScale float64

	Starts int   // number of sets of starting values; 0: 8
	Seed   int64 // seed of the random starting values
}

// Result is a fit.
type Result struct {
	Law law.Law // with constants, covariance and errors; R2 and RMSE are calculated on all rows

	// Weighted sum of squares, or of losses. If the errors are unknown, only the ratio to the Chi2
	// of another fit is meaningful.
	Chi2      float64
	Nu        int       // degrees of freedom
	Absolute  bool      // the errors were given, so Chi2/Nu is about 1 for the true law
	Sigma     []float64 // standard error of each row; unless Absolute, only their ratios count
	Residuals []float64 // y − f, in the target's unit
	Standard  []float64 // residuals divided by the standard error of the row
	AtBound   []bool    // for each slot, whether the constant is at a bound
	Converged bool      // no step lowers Chi2 further
	// Scale of a robust loss, in units of the weighted residuals; 0: no robust loss.
	Scale float64
	// Weight of each row under a robust loss, relative to least squares; nil: no robust loss.
	Weights []float64
	Shift   map[string][]float64 // shifts found by OrthogonalDistance, by column name
}

// P returns the probability that Chi2 is at least as large by chance, given that the law and the
// errors are true. It is NaN if the errors were not given, or if the loss is robust.
func (r *Result) P() float64 {
	if !r.Absolute || r.Nu < 1 || r.Weights != nil {
		return math.NaN()
	}
	return distuv.ChiSquared{K: float64(r.Nu)}.Survival(r.Chi2)
}

// Fit fits the constants of l to a table. The variables of the law must be names of columns or
// known constants of t. If only errors of columns are given, the error of the target, equal in all
// rows, is estimated from the residuals, so that χ² equals its degrees of freedom.
func Fit(l law.Law, t *dataset.Table, s Settings) (*Result, error) {
	if len(s.XSigma) > 0 && s.Sigma == nil && t.Sigma == nil {
		return fitSigmaY(l, t, s)
	}
	p, err := newProblem(l, t, s)
	if err != nil {
		return nil, err
	}
	params, cov, converged, err := p.solve()
	if err != nil {
		return nil, err
	}
	for n := 0; n < reweightings && p.reweight(params); n++ {
		before := params
		p.law.Tree, p.s.Starts = p.law.Tree.WithStarts(params), 1
		if params, cov, converged, err = p.solve(); err != nil {
			return nil, err
		}
		if slices.EqualFunc(params, before, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }) {
			break
		}
	}
	return p.result(params, cov, converged), nil
}

// reweightings is the largest number of fits with new weights. Each changes the constants much less
// than the one before.
const reweightings = 20

// reweight sets the errors, or their relative sizes, that follow from the values of the law with
// the constants params (see dataset.ShareErrors). It returns false and changes nothing in two
// cases: the errors do not depend on the target, or they are counting errors and a value of the law
// is not finite.
func (p *problem) reweight(params []float64) bool {
	if p.law.Errors != law.ProportionalErrors && p.law.Errors != law.CountingErrors {
		return false
	}
	f := p.law.Tree.Values(len(p.y), p.cols, params)
	if p.law.Errors == law.ProportionalErrors {
		p.sigma = dataset.ShareErrors(p.share, f, p.y)
		return true
	}
	for _, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	p.sigma = make([]float64, len(f))
	for i, v := range f {
		p.sigma[i] = relativeSize(p.law.Errors, v)
	}
	return true
}

// solve finds the constants. It also returns their covariance, assuming that sigma holds absolute
// standard errors.
func (p *problem) solve() (params, cov []float64, converged bool, err error) {
	w := column.InverseSquares(p.sigma)
	near, nearErr := fit.Fit(p.law.Tree, p.cols, p.y, w, fit.Settings{Starts: 1, MaxIter: 1000})
	r, err := fit.Fit(p.law.Tree, p.cols, p.y, w, fit.Settings{Starts: p.s.Starts, Seed: p.s.Seed, MaxIter: 1000})
	if err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", p.law.Formula(), err)
	}
	// If several minima are equal, such as those for both signs of a frequency, use the minimum
	// nearest to the start.
	if nearErr == nil && near.RSS <= r.RSS*(1+1e-9) {
		r = near
	}
	if p.s.Loss.robust() {
		return p.solveRobust(r.Params)
	}
	inside := true
	for i, v := range r.Params {
		inside = inside && v >= p.lo[i] && v <= p.hi[i]
	}
	if p.xsigma == nil && inside {
		if !r.Converged { // a fit has also converged if no step lowers χ² further
			params, sum, ok := p.objective(r.Params).minimize(r.Params, p.lo, p.hi)
			r.Converged = ok && sum >= r.RSS*(1-1e-9) && params != nil
		}
		return r.Params, r.Cov, r.Converged, nil
	}
	return p.solveBounded(r.Params)
}

// result returns the fit with its residuals and the size of the errors.
func (p *problem) result(params, cov []float64, converged bool) *Result {
	k, n := len(params), len(p.y)
	r := &Result{Nu: n - k, Absolute: p.known, Sigma: p.sigma, Converged: converged, AtBound: make([]bool, k),
		Residuals: make([]float64, n), Standard: make([]float64, n)}
	for i, v := range params {
		if r.AtBound[i] = v <= p.lo[i] || v >= p.hi[i]; r.AtBound[i] {
			r.Nu++
		}
	}
	expr.Compile(p.law.Tree).Eval(r.Residuals, p.cols, params)
	for i, y := range p.y {
		r.Residuals[i] = y - r.Residuals[i]
	}
	weighted := p.objective(params)
	r.Chi2 = weighted.residual(params, r.Standard)
	if p.s.Loss.robust() {
		r.Scale = p.scale
		for _, v := range r.Standard {
			r.Weights = append(r.Weights, p.s.Loss.Weight(v, p.scale))
		}
	}
	r.Shift = weighted.shifts()
	size := 1.0
	if !p.known {
		size = math.Sqrt(r.Chi2 / float64(max(r.Nu, 0)))
		if r.Nu < 1 {
			// There are no more rows than constants, so the errors cannot be estimated.
			size = math.Inf(1)
		}
		for i := range cov {
			cov[i] = scaled(cov[i], size*size)
		}
		for i := range r.Standard {
			r.Standard[i] /= size
		}
	}
	r.Law = p.fitted(r, params, cov, size)
	return r
}

// fitted returns the law with its constants, their covariance, and the errors of the target. size
// is the size of the errors relative to p.sigma.
func (p *problem) fitted(r *Result, params, cov []float64, size float64) law.Law {
	k, n := len(params), len(p.y)
	mean, rss, tss := 0.0, 0.0, 0.0
	for i, y := range p.y {
		rss += r.Residuals[i] * r.Residuals[i]
		mean += y / float64(n)
	}
	for _, y := range p.y {
		tss += (y - mean) * (y - mean)
	}
	l := p.law
	l.Tree, l.Cov = l.Tree.WithStarts(params), cov
	if !p.known {
		l.Dof = max(r.Nu, 0)
	}
	l.RMSE, l.R2 = math.Sqrt(rss/float64(n)), 1-rss/tss
	l.Noise = size
	switch l.Errors {
	case law.ProportionalErrors:
		l.Noise *= p.share
	case law.GivenErrors:
		squares := 0.0
		for _, s := range p.sigma {
			squares += s * s / float64(n)
		}
		l.Noise = size * math.Sqrt(squares)
		if !p.known && column.Constant(p.sigma) {
			l.Errors = law.EqualErrors
		}
	}
	l.Constants = slices.Clone(l.Constants)
	for i := range l.Constants {
		l.Constants[i].Value, l.Constants[i].StdErr = params[i], math.Sqrt(cov[i*k+i])
	}
	l.Complexity = law.Complexity(l.Tree, len(l.Tree.Vars()))
	return l
}

// scaled returns v·by, or 0 if v is 0, even if by is infinite.
func scaled(v, by float64) float64 {
	if v == 0 {
		return 0
	}
	return v * by
}
