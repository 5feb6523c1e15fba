package view

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/search/column"
)

// derivatives holds a function t of the target, such as its logarithm, and the derivatives of a
// smooth function fitted to t.
type derivatives struct {
	s    *Space
	live []int       // variables that are not constant, as indices into s.X
	t    []float64   // values of t at all points
	own  []float64   // ∂t/∂log|y|, at all points
	lin  [][]float64 // ∂t/∂xᵢ at the points kept
	log  [][]float64 // ∂t/∂log xᵢ at the points kept
	kept []int       // points at which the derivatives lin and log are calculated
}

// surrogate is a polynomial in the variables or their logarithms. It is fitted to the target, a
// power of it, or its logarithm.
type surrogate struct {
	derivatives
	ctx  context.Context
	logt bool    // t is the target's logarithm
	pow  float64 // if logt is false, t is the target to this power
	miss float64 // share of the variance of t that is not explained
}

const (
	surrogateRows  = 1000 // largest number of rows to which a surrogate is fitted
	leastSurrogate = 100  // least number of rows for a surrogate
)

// newSurrogate fits a surrogate to the function of the target that a polynomial fits best (see
// choose). ok is false if there are too few rows for derivatives.
func newSurrogate(ctx context.Context, s *Space, live []int) (g *surrogate, ok bool) {
	n := s.Points()
	g = &surrogate{derivatives: derivatives{s: s, live: live}, ctx: ctx, pow: 1}
	if n < leastSurrogate || !column.Finite(s.Y) || ctx.Err() != nil {
		return nil, false
	}
	u := make([][]float64, len(live)) // coordinates in [-1, 1]
	half := make([]float64, len(live))
	isLog := make([]bool, len(live))
	for k, i := range live {
		var c []float64
		c, isLog[k] = coordinate(s.X[i])
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
		g.add(isLog[k], func(r int) float64 {
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

// add adds the derivatives of t with respect to the next of the live variables. For each point,
// slope returns the derivative: with respect to the variable's logarithm if isLog is true,
// otherwise with respect to the variable.
func (g *derivatives) add(isLog bool, slope func(point int) float64) {
	x := g.s.X[g.live[len(g.lin)]]
	d, l := make([]float64, len(g.kept)), make([]float64, len(g.kept))
	for at, r := range g.kept {
		v := slope(r)
		if isLog {
			d[at], l[at] = v/x[r], v
		} else {
			d[at], l[at] = v, v*x[r]
		}
	}
	g.lin, g.log = append(g.lin, d), append(g.log, l)
}

// choose fits the polynomial to the target, its logarithm and a few of its powers, and keeps the
// best fit. The powers include the reciprocal, since the reciprocal of a resonance curve is a
// polynomial. ok is false if no fit succeeds.
func (g *surrogate) choose(qr *mat.QR, a *mat.Dense) (coef mat.VecDense, ok bool) {
	y := g.s.Y
	g.miss = math.Inf(1)
	try := func(t []float64, logt bool, pow, share float64) {
		if c, miss := fitted(qr, a, t); miss < share*g.miss && column.Finite(t) {
			coef, g.miss = c, miss
			g.t, g.logt, g.pow, g.own = t, logt, pow, column.Map(t, func(v float64) float64 { return pow * v })
			if logt {
				g.own = column.Ones(len(t))
			}
		}
	}
	try(y, false, 1, 1)
	if column.OneSign(y) {
		try(column.Map(y, column.LogAbs), true, 1, 1)
		for _, p := range []float64{-1, 2, -2} {
			try(column.Map(y, func(v float64) float64 { return math.Pow(math.Abs(v), p) }), false, p, 0.01)
		}
	}
	return coef, !math.IsInf(g.miss, 0)
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

// coordinate returns log|x| if its values are spread more evenly than those of x (see reach), else
// x.
func coordinate(x []float64) (c []float64, isLog bool) {
	if !column.OneSign(x) {
		return x, false
	}
	l := column.Map(x, column.LogAbs)
	if !column.Finite(l) || reach(l) > reach(x) {
		return x, false
	}
	return l, true
}

// reach returns the largest distance of a value of v from the mean, in standard deviations.
func reach(v []float64) float64 { return floats.Norm(column.Standardize(v), math.Inf(1)) }

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

// degree returns the largest degree, at most 8, for which polynomials in n variables have no more
// than limit terms.
func degree(n, limit int) int {
	d, terms := 0, 1
	for d < 8 {
		next := terms * (n + d + 1) / (d + 1)
		if next > limit {
			break
		}
		d, terms = d+1, next
	}
	return d
}

// lackOfFit fits t by polynomials in the coordinates z. It returns the F statistic of adding the
// columns extra, and the residual sum of squares of the polynomials.
func lackOfFit(t []float64, z, extra [][]float64) (f, left float64) {
	base, _ := powers(z, degree(len(z), min(165, len(t)/3)), len(t))
	if 2*len(base) > len(t) {
		return math.Inf(1), 0
	}
	var q [][]float64
	for _, v := range base {
		if u, ok := column.Independent(q, v); ok {
			q = append(q, u)
		}
	}
	res := append([]float64(nil), t...)
	column.Orthogonalize(res, q)
	sse := column.Dot(res, res)
	gain, count := 0.0, 0.0
	for _, v := range extra {
		if u, ok := column.Independent(q, v); ok {
			q = append(q, u)
			d := column.Dot(u, res)
			gain += d * d
			count++
		}
	}
	free := float64(len(t) - len(q))
	if count == 0 || free < 10 {
		return math.Inf(1), 0
	}
	return gain / count / max((sse-gain)/free, 1e-26*column.Dot(t, t)/free), sse
}

// powers returns all products of the columns z with at most the given number of factors. A column
// may be a factor several times. powers also returns the exponents of the products. The first
// product is the empty one, which is 1 in all rows.
func powers(z [][]float64, most, rows int) (products [][]float64, exponents [][]int) {
	products, exponents = [][]float64{column.Ones(rows)}, [][]int{make([]int, len(z))}
	var grow func(from, of, left int)
	grow = func(from, of, left int) {
		for i := from; i < len(z) && left > 0 && 2*len(products) <= rows; i++ {
			e := slices.Clone(exponents[of])
			e[i]++
			products, exponents = append(products, column.Product(products[of], z[i])), append(exponents, e)
			grow(i, len(products)-1, left-1)
		}
	}
	grow(0, 0, most)
	return products, exponents
}
