package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// refitRounded compares the residuals of c with the rounding of the table's digits. The variance of
// this rounding differs from row to row. There are three cases:
//
//   - The residuals of c are larger. Then c is returned unchanged.
//   - The residuals of c are at rounding level, and so are those of a fit that is weighted by the
//     rounding variances. Then the weighted fit is returned. It will be scored with the rounding
//     error itself, since smaller residuals would only describe the rounding.
//   - The residuals of c are at rounding level, but those of the weighted fit are larger. Then c
//     will be scored with the rounding error times the weighted residual, so that a few coarse rows
//     do not hide a misfit.
func (j *judge) refitRounded(f *fit.Fitter, c fittedTree, s *sample) fittedTree {
	// Error relative to the target above which residuals are not due to rounding.
	const coarsest = 0.01
	rms := residualRMS(c.res)
	if rms > coarsest*s.rms {
		return c
	}
	variances := s.rounding(c.tree)
	if variances == nil {
		return c
	}
	squares := slices.Clone(variances)
	for i, w := range s.w {
		squares[i] *= w
	}
	n, sum := float64(len(s.y)), floats.Sum(squares)
	size := math.Sqrt(sum / n)
	few := sum * sum / floats.Dot(squares, squares) // effective number of rows
	if !(rms < size*rounds(few)) {
		return c
	}
	sharp, err := f.Fit(c.tree, s.cols, s.y, inverses(variances), fit.Settings{Starts: 1, MaxIter: 20})
	if err != nil {
		return c
	}
	times := math.Sqrt(sharp.RSS / (n - float64(len(sharp.Params))))
	if !(times < rounds(n)) {
		c.scoreRMS = max(rms, size*times)
		return c
	}
	r := fittedTree{tree: c.tree.WithStarts(sharp.Params), res: sharp, scoreRMS: size, rounded: true}
	left := s.residuals(r.tree)
	r.res.RSS = floats.Dot(left, left)
	return r
}

// rounding returns, for each row, the variance of the residual that a true law would have because
// the table's digits are rounded. It adds the roundings of the target and of each variable,
// propagated through the law. It returns nil if no rounding is known.
func (s *sample) rounding(law expr.Tree) []float64 {
	if !slices.ContainsFunc(s.round, func(r []float64) bool { return r != nil }) {
		return nil
	}
	n := len(s.y)
	program, params := expr.Compile(law), law.Params()
	values, moved, square := make([]float64, n), make([]float64, n), make([]float64, n)
	program.Eval(values, s.cols, params)
	if r := s.round[len(s.cols)]; r != nil {
		floats.MulTo(square, r, r)
	}
	for _, x := range law.Vars() {
		if s.round[x] == nil {
			continue
		}
		cols := slices.Clone(s.cols)
		cols[x] = floats.AddTo(make([]float64, n), s.cols[x], s.round[x])
		program.Eval(moved, cols, params)
		for i, v := range moved {
			square[i] += (v - values[i]) * (v - values[i])
		}
	}
	return square
}

// rounds returns an upper limit for the root mean square rounding error of the given number of
// rows, in units of its expected value. The limit is three standard deviations of χ² above its
// mean.
func rounds(rows float64) float64 { return math.Sqrt(1 + 3*math.Sqrt(2/rows)) }

// inverses returns the weights 1/variance. A variance of 0 is replaced by the smallest other
// variance.
func inverses(variances []float64) []float64 {
	least := math.Inf(1)
	for _, v := range variances {
		if v > 0 {
			least = min(least, v)
		}
	}
	for i, v := range variances {
		variances[i] = 1 / max(v, least)
	}
	return variances
}
