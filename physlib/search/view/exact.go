package view

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
)

// Symmetries of exact data. A polynomial in the variables is compared with polynomials in fewer
// variables.

// factor finds a variable that occurs only as a factor, to a power.
func (g *surrogate) factor() (m symmetry, ok bool) {
	gram, along := g.euler()
	mean := 0.0
	for i := range gram {
		mean += gram[i][i] / float64(len(gram))
	}
	for i := range gram {
		d := make([]int, len(gram))
		d[i] = 1
		if m, ok = g.scaling(d, along); ok && gram[i][i] <= mean && abs(m.half) <= 12 && g.allows(m) {
			return m, true
		}
	}
	return m, false
}

// scalings lists symmetries of scale, those of few variables first. Their vectors d are linearly
// independent of each other and of the scalings that are known from the units. rows is an
// orthonormal basis of the known scalings.
func (g *surrogate) scalings(rows [][]float64) (found []symmetry) {
	n := len(g.live)
	gram, along := g.euler()
	tests := maxTests
	for size := 2; size <= n; size++ {
		for set := 1; set < 1<<n && tests > 0; set++ {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			d, ok := wholeScaling(gram, set, proposeRatio)
			if !ok || variation(gram, d) > proposeRatio {
				continue
			}
			reduced, fresh := column.Independent(rows, column.Floats(d))
			m, ok := g.scaling(d, along)
			if !fresh || !ok {
				continue
			}
			tests--
			if g.allows(m) {
				rows, found = append(rows, reduced), append(found, m)
			}
		}
	}
	return found
}

// scaling returns the scaling with the powers d. ok is false if twice the power of the target is
// not close to a whole number, or if no variable can be used to remove the scaling. The variable
// must have one sign, since it would otherwise change the signs of the others. along is a result of
// euler.
func (g *surrogate) scaling(d []int, along []float64) (m symmetry, ok bool) {
	a := 2 * power(d, along)
	m = symmetry{d: d, half: int(math.Round(a)), lead: g.leading(d, func(x []float64) bool {
		return column.OneSign(x) && column.Finite(column.Map(x, column.LogAbs))
	})}
	return m, m.lead >= 0 && math.Abs(a-math.Round(a)) <= 0.3
}

// together finds two variables that occur only as xᵢ^p ± xⱼ^q, where p and q are among powers.
func (g *surrogate) together(powers ...int) (m symmetry, ok bool) {
	for _, m = range g.sums(powers) {
		if g.allows(m) {
			return m, true
		}
	}
	return m, false
}

// allows tests whether the law has the symmetry m.
func (g *surrogate) allows(m symmetry) bool {
	coordinates, _, by := g.without(m)
	if m.d == nil {
		return g.independent(g.t, coordinates, g.x(m.sum.i))
	}
	t := column.Map(floats.DivTo(by, g.s.Y, by), g.scale.to)
	return g.independent(t, coordinates, column.Map(g.x(m.lead), column.LogAbs))
}

// independent reports whether t is a function of only the coordinates others and does not depend on
// x. Two conditions must hold: a polynomial in others fits about as well as the surrogate, which
// has one coordinate more, and terms with x do not improve the fit. The polynomial may leave 1.5
// times as much of the variance unexplained as the surrogate. Up to a thousandth of the variance,
// it may leave 100 times as much.
func (g *surrogate) independent(t []float64, others [][]float64, x []float64) bool {
	var z [][]float64
	for _, o := range others {
		u := column.Standardize(o)
		if u == nil || !column.Finite(u) {
			return false
		}
		z = append(z, u)
	}
	u := column.Standardize(x)
	if u == nil || !column.Finite(t) || g.ctx.Err() != nil {
		return false
	}
	extra := [][]float64{u, column.Product(u, u)}
	for _, o := range z {
		extra = append(extra, column.Product(u, o))
	}
	if stride := len(t) / quickRows; stride > 1 {
		if f, _ := lackOfFit(thin(stride, t)[0], thin(stride, z...), thin(stride, extra...)); f > quickF {
			return false
		}
	}
	f, left := lackOfFit(t, z, extra)
	left /= max(column.SumSquares(t), column.SumSquares(g.t))
	return f < independentF && left < mostLeft && left < max(1.5*g.miss, min(100*max(g.miss, 1e-7), 1e-3))
}

// quickRows is the number of rows in the first test of independent. quickF is the F statistic above
// which this test rejects the symmetry.
const (
	quickRows = 250
	quickF    = 100
)

// thin returns every stride-th value of each column.
func thin(stride int, cols ...[]float64) [][]float64 {
	out := make([][]float64, len(cols))
	for i, c := range cols {
		for r := 0; r < len(c); r += stride {
			out[i] = append(out[i], c[r])
		}
	}
	return out
}

// independentF is the largest F statistic of lackOfFit for which a coordinate counts as having no
// effect. Even without an effect F is above 1, since a polynomial does not describe the effect of
// the other coordinates perfectly. With an effect, F is more than fifty.
const independentF = 8

// mostLeft is the largest share of the target's variance that the polynomial may leave unexplained.
// If it leaves more, the test of independent is meaningless.
const mostLeft = 0.1

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
