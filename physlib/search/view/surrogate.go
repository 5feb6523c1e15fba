package view

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/column"
)

// surrogate is a polynomial in the variables or their logarithms. It is fitted to the target, a
// power of it, or its logarithm.
type surrogate struct {
	derivatives
	ctx  context.Context
	miss float64 // share of the variance of t that is not explained
}

const (
	surrogateRows  = 1000 // largest number of rows to which a surrogate is fitted
	leastSurrogate = 100  // least number of rows for a surrogate
	maxSymmetric   = 10   // largest number of variables of a surrogate
)

// newSurrogate fits a surrogate to the function of the target that a polynomial fits best (see
// choose). ok is false if there are too few or too many variables, or too few rows for derivatives.
func newSurrogate(ctx context.Context, s *Space, live []int) (g *surrogate, ok bool) {
	n := s.Points()
	if len(live) < 2 || len(live) > maxSymmetric || n < leastSurrogate || !column.Finite(s.Y) || ctx.Err() != nil {
		return nil, false
	}
	g = &surrogate{derivatives: newDerivatives(s, live), ctx: ctx}
	u, half := make([][]float64, len(live)), make([]float64, len(live)) // coordinates in [-1, 1]
	for k, c := range g.u {
		u[k], half[k] = centred(c)
	}
	cols, ex := powers(u, degree(len(live), n/3), n)
	a := mat.NewDense(n, len(cols), nil)
	for c, v := range cols {
		a.SetCol(c, v)
	}
	var qr mat.QR
	qr.Factorize(a)
	coef, ok := g.choose(&qr, a)
	if !ok {
		return nil, false
	}
	g.kept = inner(u)
	for k := range live {
		g.add(func(r int) float64 {
			sum := 0.0
			for c, e := range ex {
				if e[k] > 0 && math.Abs(u[k][r]) > 1e-300 {
					sum += coef.AtVec(c) * a.At(r, c) * float64(e[k]) / u[k][r]
				}
			}
			return sum / half[k]
		})
	}
	return g, true
}

// choose fits the polynomial to the target, its logarithm and a few of its powers, and keeps the
// best fit. The powers include the reciprocal, since the reciprocal of a resonance curve is a
// polynomial. ok is false if no fit succeeds.
func (g *surrogate) choose(qr *mat.QR, a *mat.Dense) (coef mat.VecDense, ok bool) {
	g.miss = math.Inf(1)
	scales := []scale{linear}
	if column.OneSign(g.s.Y) {
		scales = append(scales, logarithmic, powerScale(-1), powerScale(2), powerScale(-2))
	}
	for i, in := range scales {
		t, share := column.Map(g.s.Y, in.to), 1.0
		if i > 1 { // a power must be much better
			share = 0.01
		}
		if c, miss := fitted(qr, a, t); miss < share*g.miss && column.Finite(t) {
			coef, g.miss, g.t, g.scale = c, miss, t, in
		}
	}
	return coef, !math.IsInf(g.miss, 0)
}

// powerScale returns the scale of |y|^p.
func powerScale(p float64) scale {
	to := func(y float64) float64 { return math.Pow(math.Abs(y), p) }
	return scale{to, func(y float64) float64 { return p * to(y) / y }}
}

// fitted fits t by least squares and returns the share of the variance of t that is left
// unexplained.
func fitted(qr *mat.QR, a *mat.Dense, t []float64) (coef mat.VecDense, miss float64) {
	b := mat.NewVecDense(len(t), t)
	if qr.SolveVecTo(&coef, false, b) != nil {
		return coef, math.Inf(1)
	}
	var res mat.VecDense
	res.MulVec(a, &coef)
	res.SubVec(b, &res)
	left := mat.Dot(&res, &res) / column.SumSquares(t)
	if !(left < 1) {
		return coef, math.Inf(1)
	}
	return coef, left
}

// centred maps v onto [-1, 1] and returns half its range.
func centred(v []float64) (u []float64, half float64) {
	lo, hi := slices.Min(v), slices.Max(v)
	mid, half := (lo+hi)/2, (hi-lo)/2
	return column.Map(v, func(x float64) float64 { return (x - mid) / half }), half
}

// inner returns the half of the points that are farthest from the edge. Near the edge, the
// derivatives of a polynomial are least accurate.
func inner(u [][]float64) []int {
	n := len(u[0])
	edge := make([]float64, n)
	for r := range n {
		for _, c := range u {
			edge[r] = max(edge[r], math.Abs(c[r]))
		}
	}
	return column.Order(n, func(a, b int) int { return cmp.Compare(edge[a], edge[b]) })[:n/2]
}
