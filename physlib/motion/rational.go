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
	mostDenominators = 2    // largest number of denominators of each length that are proposed
	mostRational     = 4    // largest number of columns for which denominators are sought
	polynomialDegree = 3    // largest degree of a numerator
	explained        = 1e-3 // largest RSS with a denominator, relative to the RSS without
	// A denominator is sought if polynomials fit the rate with an RMS residual of at least this
	// many standard errors of the rate.
	withinErrors = 10
	// Largest RMS residual of the product of a rate and its denominator, relative to its size. A
	// larger residual is allowed if it is within the errors of the rate.
	rationalNoise = 1e-4
	degreeBits    = 2 // price in bits of each degree of the monomials of a denominator
	monomialBits  = 8 // price in bits of each monomial of a denominator after the leading one
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
	tree   expr.Tree
	length int // number of monomials
	bits   float64
}

// rational returns libraries for the most likely denominators of the target, and for these
// denominators without their zeros (see reducedDenominators). Each library contains the monomials
// up to degree polynomialDegree, alone and divided by the denominator.
func (l *termMatrix) rational() (out []*termMatrix) {
	if len(l.x) > mostRational {
		return nil
	}
	numerators := monomials(l.x, polynomialDegree)
	below := denominators(l.x)
	list := l.implicit(numerators, below)
	// The product of a linear rate and a denominator with a third or fourth power contains this
	// power, times 1 or times a column. Such products are not among the numerators. So denominators
	// are sought twice: with the numerators alone, which imitate fewer other functions, and with
	// these products added.
	wide := slices.Clone(numerators)
	for _, m := range below[len(below)-2*len(l.x):] {
		for _, factor := range numerators[:1+len(l.x)] {
			wide = append(wide, monomial{value: product(m.value, factor.value)})
		}
	}
	for _, q := range foremostDenominators(append(list, l.implicit(wide, below)...)) {
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

// foremostDenominators returns the best different denominators of each length, at most
// mostDenominators of each.
func foremostDenominators(list []denominator) (out []denominator) {
	slices.SortStableFunc(list, func(a, b denominator) int { return cmp.Compare(a.bits, b.bits) })
	seen, returned := map[uint64]bool{}, map[int]int{}
	for _, q := range list {
		if hash := q.tree.Hash(); !seen[hash] && returned[q.length] < mostDenominators {
			seen[hash] = true
			returned[q.length]++
			out = append(out, q)
		}
	}
	return out
}

// implicit returns denominators Q for which the target times Q is nearly a sum of the numerators,
// so that the target is nearly a rational function. A denominator has two or three monomials from
// below, which begins with 1 and the columns. It returns none if there are too few rows.
func (l *termMatrix) implicit(numerators, below []monomial) (out []denominator) {
	if len(l.y) < 2*len(numerators) {
		return nil
	}
	var columns [][]float64
	for _, m := range numerators {
		columns = append(columns, product(m.value, l.w))
	}
	base := extended(nil, columns, 1e-9)
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
		if coefs == nil || rss > explained*dot(rest[lead], rest[lead]) {
			return
		}
		// The product of the rate and its denominator has the errors of the rate times the
		// denominator.
		q := slices.Clone(below[lead].value)
		degree := below[lead].degree
		for i, b := range set {
			subtract(q, below[b].value, coefs[i])
			degree += below[b].degree
		}
		errors := dot(q, q)
		if rss > max(notFarErrors*notFarErrors*errors, rationalNoise*rationalNoise*size[lead]) {
			return
		}
		// Residuals below this limit are within the errors, so they count as equal.
		chi := max(rss/errors, finest*finest)
		bits := float64(len(l.y)) / 2 * math.Log2(chi)
		bits += monomialBits*float64(len(set)) + degreeBits*float64(degree)
		out = append(out, denominator{denominatorOf(below, lead, set, coefs), 1 + len(set), bits})
	}
	for lead := range 1 + len(l.x) {
		for i := lead + 1; i < len(below); i++ {
			add(lead, i)
			for j := i + 1; j < len(below); j++ {
				add(lead, i, j)
			}
		}
	}
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
// coefficients, without columns that are factors of all monomials. If the leading monomial is the
// constant 1, the sum is divided by the first coefficient.
func denominatorOf(below []monomial, lead int, set []int, coefs []float64) expr.Tree {
	ap := expr.Apply
	list := []expr.Tree{below[lead].tree}
	for _, i := range set {
		list = append(list, below[i].tree)
	}
	list = withoutFactors(list)
	term := func(i int, c float64) expr.Tree { return ap(expr.Mul, expr.C(i, c), list[1+i]) }
	if lead == 0 { // y = Σ coefs·y·monomials gives the denominator 1 − Σ coefs·monomials
		t := ap(expr.Add, expr.C(0, -1/coefs[0]), list[1])
		for i := 1; i < len(set); i++ {
			t = ap(expr.Add, t, term(i, coefs[i]/coefs[0]))
		}
		return t
	}
	t := list[0]
	for i := range set {
		t = ap(expr.Add, t, term(i, -coefs[i]))
	}
	return t
}

// withoutFactors returns monomials divided by the columns that are factors of all of them.
func withoutFactors(list []expr.Tree) []expr.Tree {
	for _, j := range list[0].Vars() {
		divided := make([]expr.Tree, len(list))
		ok := true
		for ok {
			for i, t := range list {
				if divided[i], ok = quotient(t, j); !ok {
					break
				}
			}
			if ok {
				list = slices.Clone(divided)
			}
		}
	}
	return list
}

// product returns the product of two columns.
func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] * b[i]
	}
	return out
}
