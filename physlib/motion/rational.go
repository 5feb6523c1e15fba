package motion

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// A rate with one denominator,
//
//	y = p(x) + q(x)/(c + d(x)),
//
// where p, q and d are polynomials, becomes linear in its constants when it is multiplied by the
// denominator. One product of y and a monomial of the denominator then is a linear combination of
// other columns. These are monomials, and the products of y and the other monomials of the
// denominator, as in N. M. Mangan, S. L. Brunton, J. L. Proctor, J. N. Kutz, IEEE Trans. Mol. Biol.
// Multi-Scale Commun. 2 (2016) 52. In this way, the denominator of a rate that saturates or is
// inhibited is found before the numerator is known. Noise in y would bias the result, so this
// method needs accurate derivatives.
const (
	mostDenominators = 3    // largest number of denominators proposed
	mostRational     = 4    // largest number of columns for which denominators are sought
	polynomialDegree = 3    // largest degree of a numerator
	explained        = 1e-3 // largest RSS with a denominator, relative to the RSS without
	// A denominator is sought if polynomials fit the rate with an RMS residual of at least this
	// many standard errors of the rate.
	withinErrors  = 10
	rationalNoise = 1e-4 // largest error of a rate that counts as accurate, relative to its size
	degreeBits    = 2    // price in bits of each degree of the monomials of a denominator
	monomialBits  = 8    // price in bits of each monomial of a denominator after the leading one
)

// monomial is a product of columns.
type monomial struct {
	tree   expr.Tree
	degree int
	value  []float64
}

// monomials returns all products of columns with at most degree factors. The constant 1 comes
// first.
func monomials(cols [][]float64, degree int) []monomial {
	out := []monomial{{tree: expr.Num(1), value: slices.Repeat([]float64{1}, len(cols[0]))}}
	last := []int{0} // last column of each product; no column before it may follow
	for i := 0; i < len(out); i++ {
		m := out[i]
		if m.degree == degree {
			break
		}
		for j := last[i]; j < len(cols); j++ {
			tree := expr.Apply(expr.Mul, m.tree, expr.X(j)).Simplify()
			next := monomial{tree, m.degree + 1, slices.Clone(m.value)}
			for r, v := range cols[j] {
				next.value[r] *= v
			}
			out, last = append(out, next), append(last, j)
		}
	}
	return out
}

// denominators returns the monomials that a denominator may contain: the constant 1, then products
// of up to two columns, then third and fourth powers of single columns.
func denominators(cols [][]float64) []monomial {
	out := monomials(cols, 2)
	for j, c := range cols {
		for _, n := range []int{3, 4} {
			tree := expr.Apply(expr.Pow, expr.X(j), expr.Num(float64(n))).Simplify()
			m := monomial{tree, n, make([]float64, len(c))}
			for r, v := range c {
				m.value[r] = math.Pow(v, float64(n))
			}
			out = append(out, m)
		}
	}
	return out
}

// denominator is the denominator of a rate. bits is the description length of the denominator and
// of the residuals of a fit with it.
type denominator struct {
	tree expr.Tree
	bits float64
}

// rational returns libraries for the most likely denominators of the target, also without their
// zeros (see reducedDenominators). Each library contains the monomials up to degree
// polynomialDegree, alone and divided by the denominator.
func (l *termMatrix) rational() (out []*termMatrix) {
	if len(l.x) > mostRational {
		return nil
	}
	numerators := monomials(l.x, polynomialDegree)
	var columns [][]float64
	for _, m := range numerators {
		columns = append(columns, product(m.value, l.w))
	}
	below := denominators(l.x)
	// The product of a linear rate and a denominator with a third or fourth power contains this
	// power, times 1 or times a column. So the products of such powers with 1 and with the columns
	// are included.
	for _, m := range below[len(below)-2*len(l.x):] {
		for _, factor := range numerators[:1+len(l.x)] {
			columns = append(columns, product(product(m.value, l.w), factor.value))
		}
	}
	if len(l.y) < 2*len(columns) {
		return nil
	}
	list := l.implicit(extended(nil, columns, 1e-9), below, len(l.x))
	for _, q := range list[:min(len(list), mostDenominators)] {
		for _, below := range append(reducedDenominators(q.tree, l.x), q.tree) {
			r := &termMatrix{y: l.y, x: l.x, w: l.w}
			for _, m := range numerators {
				r.take(m.tree)
				r.take(rewrite.ClearDenominators(expr.Apply(expr.Div, m.tree, below)))
			}
			out = append(out, r)
		}
	}
	return out
}

// implicit returns the denominators that make the target a rational function, best first. A
// denominator has two or three monomials from below, which begins with 1 and the columns. base is
// an orthonormal base of the numerators. columns is the number of columns.
func (l *termMatrix) implicit(base [][]float64, below []monomial, columns int) (out []denominator) {
	rest, size := make([][]float64, len(below)), make([]float64, len(below))
	for i, m := range below {
		v := product(m.value, l.y)
		size[i] = dot(v, v)
		for range 2 {
			for _, u := range base {
				subtract(v, u, dot(u, v))
			}
		}
		rest[i] = v
	}
	if dot(rest[0], rest[0]) < withinErrors*withinErrors*float64(len(l.y)) {
		return nil // the rate is a polynomial
	}
	add := func(lead int, set ...int) {
		coefs, rss := unexplainedBy(rest, lead, set)
		most := min(explained*dot(rest[lead], rest[lead]), rationalNoise*rationalNoise*size[lead])
		if coefs == nil || rss > most {
			return
		}
		degree := below[lead].degree
		for _, i := range set {
			degree += below[i].degree
		}
		// Sums of squares below this limit are within the errors of y, so they count as equal.
		rss = max(rss, finest*finest*dot(below[lead].value, below[lead].value))
		bits := float64(len(l.y)) / 2 * math.Log2(max(rss/size[lead], 1e-24))
		bits += monomialBits*float64(len(set)) + degreeBits*float64(degree)
		out = append(out, denominator{denominatorOf(below, lead, set, coefs), bits})
	}
	for lead := range 1 + columns {
		for i := lead + 1; i < len(below); i++ {
			add(lead, i)
			for j := i + 1; j < len(below); j++ {
				add(lead, i, j)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b denominator) int { return cmp.Compare(a.bits, b.bits) })
	return out
}

// unexplainedBy fits column lead by the columns in set. It returns the coefficients and the
// residual sum of squares. The coefficients are nil if the set is linearly dependent.
func unexplainedBy(columns [][]float64, lead int, set []int) (coefs []float64, rss float64) {
	var with [][]float64
	for _, i := range set {
		with = append(with, columns[i])
	}
	if coefs = leastSquares(with, columns[lead]); coefs == nil {
		return nil, 0
	}
	left := slices.Clone(columns[lead])
	for i, v := range with {
		subtract(left, v, coefs[i])
	}
	return coefs, dot(left, left)
}

// denominatorOf returns the sum of the leading monomial and the other monomials with their
// coefficients. If the leading monomial is the constant 1, the sum is divided by the first
// coefficient.
func denominatorOf(below []monomial, lead int, set []int, coefs []float64) expr.Tree {
	ap := expr.Apply
	term := func(i int, c float64) expr.Tree { return ap(expr.Mul, expr.C(i, c), below[set[i]].tree) }
	t := below[lead].tree
	if lead == 0 { // y = Σ coefs·y·monomials gives the denominator 1 − Σ coefs·monomials
		t = ap(expr.Add, expr.C(0, -1/coefs[0]), below[set[0]].tree)
		for i := 1; i < len(set); i++ {
			t = ap(expr.Add, t, term(i, coefs[i]/coefs[0]))
		}
		return t
	}
	for i := range set {
		t = ap(expr.Add, t, term(i, -coefs[i]))
	}
	return t
}

// product returns the product of two columns.
func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] * b[i]
	}
	return out
}
