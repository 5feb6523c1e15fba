package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// A smooth rate has no pole among its data. So if a denominator is zero there, the numerator has
// nearly the same zero. The law then has a superfluous factor (x - r)/(x - r). Such a law is tried
// again with the zero divided out of the denominator.
const (
	reducedDegree = 4 // largest degree of a denominator that is reduced
	// Largest relative difference between a denominator and the polynomial that describes it.
	polynomialError = 1e-9
	zeroSteps       = 400 // number of steps in which the zeros of a denominator are sought
)

// reducedTerms returns the monomials of the columns, divided by each of the reducedDenominators of
// the law t.
func reducedTerms(t expr.Tree, cols [][]float64) (out []expr.Tree) {
	for _, d := range t.Denominators() {
		for _, below := range reducedDenominators(d.Bind(t.Params()), cols) {
			for _, m := range monomials(cols, polynomialDegree) {
				out = append(out, rewrite.ClearDenominators(expr.Apply(expr.Div, m.tree, below)))
			}
		}
	}
	return out
}

// reducedDenominators returns the denominator t without its zeros between the data. The zeros at 0
// are removed too. There is no result unless t is a polynomial in one column that has such a zero
// apart from 0. The coefficients of the result are free constants.
func reducedDenominators(t expr.Tree, cols [][]float64) []expr.Tree {
	of := t.Vars()
	if len(of) != 1 {
		return nil
	}
	low, high := slices.Min(cols[of[0]]), slices.Max(cols[of[0]])
	p := polynomialOf(t, of[0], max(math.Abs(low), math.Abs(high)))
	for len(p) > 1 && p[0] == 0 {
		p = p[1:]
	}
	zeros := p.zeros(low, high)
	if len(zeros) == 0 {
		return nil
	}
	for _, x := range zeros {
		p = p.without(x)
	}
	if len(p) < 2 {
		return nil
	}
	return []expr.Tree{p.tree(of[0])}
}

// coefficients are those of a polynomial, by rising degree.
type coefficients []float64

// polynomialOf returns the function t of column j as a polynomial. It is empty if t is not a
// polynomial of at most the degree reducedDegree. size is the largest absolute value of the column.
func polynomialOf(t expr.Tree, j int, size float64) coefficients {
	const points = 4 * reducedDegree
	x := make([]float64, points)
	for i := range x {
		x[i] = math.Cos(math.Pi * (float64(i) + 0.5) / points)
	}
	powers := make([][]float64, reducedDegree+1)
	for d := range powers {
		for _, v := range x {
			powers[d] = append(powers[d], math.Pow(v, float64(d)))
		}
	}
	cols, y := make([][]float64, j+1), make([]float64, points)
	for _, v := range x {
		cols[j] = append(cols[j], size*v)
	}
	expr.Compile(t).Eval(y, cols, t.Params())
	p := coefficients(leastSquares(powers, y))
	rest, whole := slices.Clone(y), math.Sqrt(dot(y, y))
	for d, c := range p {
		subtract(rest, powers[d], c)
	}
	if p == nil || !(math.Sqrt(dot(rest, rest)) <= polynomialError*whole) {
		return nil
	}
	for d := range p {
		if math.Abs(p[d]) < polynomialError*whole {
			p[d] = 0
		}
		p[d] /= math.Pow(size, float64(d))
	}
	for len(p) > 0 && p[len(p)-1] == 0 {
		p = p[:len(p)-1]
	}
	return p
}

// zeros returns the points between low and high at which p changes sign.
func (p coefficients) zeros(low, high float64) (out []float64) {
	if len(p) < 2 {
		return nil
	}
	step := (high - low) / zeroSteps
	for i := range zeroSteps {
		a := low + float64(i)*step
		b := a + step
		if !(p.at(a)*p.at(b) < 0) {
			continue
		}
		for range 60 { // bisection
			if middle := (a + b) / 2; p.at(a)*p.at(middle) <= 0 {
				b = middle
			} else {
				a = middle
			}
		}
		out = append(out, (a+b)/2)
	}
	return out
}

// at returns the value of p at x.
func (p coefficients) at(x float64) (y float64) {
	for _, c := range slices.Backward(p) {
		y = y*x + c
	}
	return y
}

// without returns p divided by x - zero. The remainder is dropped.
func (p coefficients) without(zero float64) coefficients {
	n := len(p) - 1
	out := make(coefficients, n)
	carry := 0.0
	for d := n; d > 0; d-- {
		carry = carry*zero + p[d]
		out[d-1] = carry
	}
	return out
}

// tree returns p in column j, divided by the coefficient of its highest power. The other
// coefficients are free constants.
func (p coefficients) tree(j int) expr.Tree {
	top := len(p) - 1
	t, free := rewrite.Raise(expr.X(j), float64(top)), 0
	for d, c := range p[:top] {
		if c == 0 {
			continue
		}
		term := expr.C(free, c/p[top])
		if d > 0 {
			term = expr.Apply(expr.Mul, term, rewrite.Raise(expr.X(j), float64(d)))
		}
		t = expr.Apply(expr.Add, t, term)
		free++
	}
	return t
}
