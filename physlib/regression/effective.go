package regression

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// EffectiveSigma returns the standard errors of t's target with the errors of columns included,
//
//	σ² = σ_y² + Σ (∂l/∂x)²·σ_x².
//
// The slopes ∂l/∂x, and σ_y if it is a share of the target, follow from l with its fitted
// constants. xsigma holds the standard errors of columns, by name. In a row in which the slope for
// a column is not finite, the error of that column adds nothing.
func EffectiveSigma(l law.Law, t *dataset.Table, xsigma map[string][]float64) []float64 {
	cols := columnsOf(l, t)
	sigma := transferred(l, cols, xsigma, t.Rows())
	for i, v := range targetErrors(l, t, cols) {
		sigma[i] += v * v
	}
	for i, v := range sigma {
		sigma[i] = math.Sqrt(v)
	}
	return sigma
}

// EstimateSigmaY estimates the standard error σ_y of t's target, equal in all rows, from the
// residuals r of l. It maximizes the likelihood of residuals with the variance
//
//	σ² = σ_y² + Σ (∂l/∂x)²·σ_x².
//
// With s² the mean of r² + Σ (∂l/∂x)²·σ_x² over the rows, the estimate lies between s/1000 and s
// (leastSigmaY). Without the lower limit, a few rows with a slope of 0 could decide alone. out
// lists the outliers, in rising order. These rows do not count, nor do rows whose residual is not
// finite. The estimate is 0 if s is 0.
func EstimateSigmaY(l law.Law, t *dataset.Table, xsigma map[string][]float64, out []int) float64 {
	const perDecade = 20 // number of estimates that are compared for each factor of ten
	squares, known, least := residualsAndErrors(l, t, xsigma, out)
	best, lowest := 0.0, math.Inf(1)
	for k := range 3*perDecade + 1 {
		sigma := least * math.Pow(10, float64(k)/perDecade)
		minusLog := 0.0
		for i, s := range squares {
			v := sigma*sigma + known[i]
			minusLog += math.Log(v) + s/v
		}
		if minusLog < lowest {
			best, lowest = sigma, minusLog
		}
	}
	return best
}

// leastSigmaY is the smallest estimate of the target's error, as a share of the largest.
const leastSigmaY = 1e-3

// residualsAndErrors returns the squares of l's residuals, and the variances that the errors of
// columns cause, in the rows that count for EstimateSigmaY. least is the smallest estimate of the
// target's error.
func residualsAndErrors(l law.Law, t *dataset.Table, xsigma map[string][]float64, out []int) (squares, known []float64, least float64) {
	cols := columnsOf(l, t)
	all := transferred(l, cols, xsigma, t.Rows())
	f := l.Tree.Values(t.Rows(), cols, l.Params())
	sum := 0.0
	for _, i := range outlier.Complement(t.Rows(), out) {
		r := t.Target.Values[i] - f[i]
		if !math.IsNaN(r) && !math.IsInf(r, 0) {
			squares, known = append(squares, r*r), append(known, all[i])
			sum += r*r + all[i]
		}
	}
	return squares, known, leastSigmaY * math.Sqrt(sum/float64(len(squares)))
}

// matchedSigmaY returns the standard error σ_y of t's target, equal in all rows, for which χ² of l
// equals its degrees of freedom nu. It returns the smallest estimate of EstimateSigmaY if χ² is
// smaller than nu even then.
func matchedSigmaY(l law.Law, t *dataset.Table, xsigma map[string][]float64, nu int) float64 {
	squares, known, low := residualsAndErrors(l, t, xsigma, nil)
	above := func(sigma float64) bool { // whether χ² exceeds nu
		chi2 := 0.0
		for i, s := range squares {
			chi2 += s / (sigma*sigma + known[i])
		}
		return chi2 > float64(nu)
	}
	if nu < 1 || !above(low) {
		return low
	}
	high := low
	for above(high) {
		low, high = high, 2*high
	}
	for range 40 {
		if middle := (low + high) / 2; above(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// Limits of fitSigmaY.
const (
	scatterFits = 30   // largest number of fits
	scatterSame = 1e-6 // relative change of the target's error that ends them
)

// fitSigmaY is Fit for errors of columns only. It alternates between fits of the constants and
// estimates of the target's error (see matchedSigmaY). The first fit is without the errors of the
// columns.
func fitSigmaY(l law.Law, t *dataset.Table, s Settings) (*Result, error) {
	first := s
	first.XSigma = nil
	r, err := Fit(l, t, first)
	for last, fits := 0.0, 0; err == nil && fits < scatterFits; fits++ {
		sigma := matchedSigmaY(r.Law, t, s.XSigma, r.Nu)
		if !(sigma > 0) || math.Abs(sigma-last) < scatterSame*sigma {
			break
		}
		last = sigma
		s.Sigma, s.Scale = slices.Repeat([]float64{sigma}, t.Rows()), false
		if r, err = Fit(l, t, s); err == nil {
			l.Tree, s.Start, s.Starts = l.Tree.WithStarts(r.Law.Params()), nil, 1
		}
	}
	if err != nil {
		return nil, err
	}
	r.Absolute = false
	r.Law.Errors, r.Law.Dof = law.EqualErrors, max(r.Nu, 0)
	return r, nil
}

// columnsOf returns the columns of t that are the variables of l.
func columnsOf(l law.Law, t *dataset.Table) [][]float64 {
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		cols[i] = t.ValuesOf(name)
	}
	return cols
}

// transferred returns Σ (∂l/∂x)²·σ_x², the variance of l that is due to the errors of columns, in
// each row.
func transferred(l law.Law, cols [][]float64, xsigma map[string][]float64, rows int) []float64 {
	square, slope := make([]float64, rows), make([]float64, rows)
	for _, v := range l.Tree.Vars() {
		sigma := xsigma[l.Vars[v]]
		if sigma == nil {
			continue
		}
		expr.Compile(l.Tree.Diff(v)).Eval(slope, cols, l.Params())
		for i, s := range slope {
			if d := s * sigma[i]; !math.IsNaN(d) && !math.IsInf(d, 0) {
				square[i] += d * d
			}
		}
	}
	return square
}

// targetErrors returns the standard errors of t's target, which may be a share of the values of l.
func targetErrors(l law.Law, t *dataset.Table, cols [][]float64) []float64 {
	if t.Share > 0 {
		f := l.Tree.Values(t.Rows(), cols, l.Params())
		return dataset.ShareErrors(t.Share, f, t.Target.Values)
	}
	return t.Sigma
}
