package rewrite

import (
	"math"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
)

// CancelPi returns t without π in quotients that contain it above and below the fraction bar. Such
// quotients arise when an angle is converted to radians and back. The numbers of the quotient are
// folded into one.
func CancelPi(t expr.Tree) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	if t.Root() == expr.Mul || t.Root() == expr.Div {
		var q numbered
		q.collect(t, 0)
		if q.pi[0] > 0 && q.pi[1] > 0 {
			return q.tree()
		}
	}
	for i := range args {
		args[i] = CancelPi(args[i])
	}
	return expr.Apply(t.Root(), args...)
}

// numbered holds the factors of a quotient, above (index 0) and below (index 1) the fraction bar.
// Numbers are kept separately.
type numbered struct {
	numbers [2][]float64
	pi      [2]int
	rest    [2][]expr.Tree
}

func (q *numbered) collect(t expr.Tree, side int) {
	args := t.Args()
	switch t.Root() {
	case expr.Mul:
		q.collect(args[0], side)
		q.collect(args[1], side)
	case expr.Div:
		q.collect(args[0], side)
		q.collect(args[1], 1-side)
	case expr.Number:
		q.numbers[side] = append(q.numbers[side], t.Nodes()[0].Value)
	case expr.Pi:
		q.pi[side]++
	default:
		q.rest[side] = append(q.rest[side], t)
	}
}

// number returns the numbers above the bar divided by those below, without π.
func (q *numbered) number() float64 {
	v := 1.0
	for _, n := range q.numbers[0] {
		v *= n
	}
	for _, n := range q.numbers[1] {
		v /= n
	}
	return v
}

// tree returns the quotient with π cancelled. It changes q.
func (q *numbered) tree() expr.Tree {
	for q.pi[0] > 0 && q.pi[1] > 0 {
		q.pi[0]--
		q.pi[1]--
	}
	out := expr.Num(rounded(q.number()))
	for range q.pi[0] {
		out = expr.Apply(expr.Mul, out, expr.Leaf(expr.Pi))
	}
	for _, f := range q.rest[0] {
		out = expr.Apply(expr.Mul, out, CancelPi(f))
	}
	for range q.pi[1] {
		out = expr.Apply(expr.Div, out, expr.Leaf(expr.Pi))
	}
	for _, f := range q.rest[1] {
		out = expr.Apply(expr.Div, out, CancelPi(f))
	}
	return out
}

// NumberFactor returns t without the factors that are numbers or π, and the product of these
// factors. If t is a quotient whose divisor contains anything else, it returns t and 1.
func NumberFactor(t expr.Tree) (rest expr.Tree, by float64) {
	var q numbered
	q.collect(t, 0)
	if len(q.rest[1]) > 0 {
		return t, 1
	}
	for _, f := range q.rest[0] {
		if rest.Len() == 0 {
			rest = f
		} else {
			rest = expr.Apply(expr.Mul, rest, f)
		}
	}
	return rest, q.number() * math.Pow(math.Pi, float64(q.pi[0]-q.pi[1]))
}

// rounded returns v rounded to 15 significant digits if the result is shorter. This undoes the
// rounding error of a product.
func rounded(v float64) float64 {
	text := strconv.FormatFloat(v, 'g', 15, 64)
	if r, err := strconv.ParseFloat(text, 64); err == nil && len(text) < 15 {
		return r
	}
	return v
}
