package rewrite

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// ShortNumbers returns t with shorter numbers, if there is a way to write it with such numbers. t
// must have no free constants. Examples are 4.2*x/(x + 1.3) for 42/(13/x + 10), x/1.7 for 10/17*x,
// and 4.2*(1 - x) for 4.2 - 4.2*x.
func ShortNumbers(t expr.Tree) expr.Tree {
	return bottomUp(t, func(part expr.Tree) expr.Tree {
		for _, form := range []expr.Tree{shortQuotient(part), shortFactor(part), shortSum(part)} {
			if form.Len() > 0 && digits(form) < digits(part) {
				part = form
			}
		}
		return part
	})
}

// digits returns the total number of digits in t, counting each operator as one digit.
func digits(t expr.Tree) (n int) {
	for _, node := range t.Nodes() {
		switch {
		case node.Op == expr.Number:
			n += digitsOf(node.Value)
		case node.Op.Arity() > 0:
			n++
		}
	}
	return n
}

// digitsOf returns the number of digits with which v is written, including its power of ten.
func digitsOf(v float64) int {
	return len(strings.Replace(strconv.FormatFloat(math.Abs(v), 'g', -1, 64), ".", "", 1))
}

// shortQuotient returns the quotient of a term and a sum, where both are divided by the number in
// front of one of the addends. It returns an empty tree if t is not such a quotient.
func shortQuotient(t expr.Tree) (best expr.Tree) {
	if t.Root() == expr.Inv {
		t = expr.Apply(expr.Div, expr.Num(1), t.Args()[0])
	}
	t = WithoutInverse(t)
	if t.Root() != expr.Div {
		return best
	}
	above, by := NumberFactor(t.Args()[0])
	terms := Addends(t.Args()[1])
	if len(terms) < 2 {
		return best
	}
	var numbers []float64
	for i := range terms {
		sign := 1.
		if terms[i].Root() == expr.Neg {
			terms[i], sign = terms[i].Args()[0], -1
		}
		rest, f := NumberFactor(terms[i])
		terms[i], numbers = rest, append(numbers, sign*f)
	}
	if by == 1 && slices.Max(numbers) == 1 && slices.Min(numbers) == 1 {
		return best
	}
	// The constant term of the sum comes last.
	if n := len(terms) - 1; terms[0].Len() == 0 && numbers[n] > 0 {
		slices.Reverse(terms)
		slices.Reverse(numbers)
	}
	for _, f := range append(slices.Clone(numbers), 1) {
		below := expr.Tree{}
		for i, term := range terms {
			below = addTo(below, term, rounded(numbers[i]/f))
		}
		form := expr.Apply(expr.Div, numberTimes(above, rounded(by/f)), below)
		if best.Len() == 0 || digits(form) < digits(best) {
			best = form
		}
	}
	return best
}

// manyDigits is the number of digits above which a decimal is not short.
const manyDigits = 6

// shortFactor returns a product with a long decimal in front as a quotient by a number. It returns
// an empty tree if t is not such a product.
func shortFactor(t expr.Tree) expr.Tree {
	rest, by := NumberFactor(t)
	if by == 0 || rest.Len() == 0 || digitsOf(by) <= manyDigits {
		return expr.Tree{}
	}
	below := rounded(1 / math.Abs(by))
	if by < 0 {
		rest = expr.Apply(expr.Neg, rest)
	}
	return expr.Apply(expr.Div, rest, expr.Num(below))
}

// shortSum returns a sum of two terms with one number in front of both. It returns an empty tree if
// t is not such a sum.
func shortSum(t expr.Tree) expr.Tree {
	if t.Root() != expr.Add && t.Root() != expr.Sub {
		return expr.Tree{}
	}
	args := t.Args()
	a, f := NumberFactor(args[0])
	b, g := NumberFactor(args[1])
	if f != g || f == 1 {
		return expr.Tree{}
	}
	one := func(x expr.Tree) expr.Tree {
		if x.Len() == 0 {
			return expr.Num(1)
		}
		return x
	}
	return numberTimes(expr.Apply(t.Root(), one(a), one(b)), f)
}

// addTo returns sum + by·term. An empty sum means 0, and an empty term means 1.
func addTo(sum, term expr.Tree, by float64) expr.Tree {
	switch {
	case sum.Len() == 0:
		return numberTimes(term, by)
	case by < 0:
		return expr.Apply(expr.Sub, sum, numberTimes(term, -by))
	}
	return expr.Apply(expr.Add, sum, numberTimes(term, by))
}

// numberTimes returns by·t, or by alone if t is empty.
func numberTimes(t expr.Tree, by float64) expr.Tree {
	switch {
	case t.Len() == 0:
		return expr.Num(by)
	case by == 1:
		return t
	case by == -1:
		return expr.Apply(expr.Neg, t)
	}
	return expr.Apply(expr.Mul, expr.Num(by), t)
}
