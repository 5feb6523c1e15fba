package discover

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/mdl"
)

// respell returns the list with the first laws in their usual form if that is shorter. The
// functions stay the same. After an interrupt in a large table, it rewrites only the best law.
func (k *ranking) respell(p pace, list []ranked) []ranked {
	s := k.m.Scorer()
	respelled := slices.Clone(list)
	most := rewrittenLaws
	if p.hurried && k.m.Rows() >= slowFitRows {
		most = 1
	}
	for i, c := range list[:min(len(list), most)] {
		t := c.Tree.WithStarts(c.Params)
		single := rewrite.WithoutInverse(t).Canonical() // a fraction without one in its denominator
		for _, form := range slices.Concat(rewrite.ConstantBefore(t), rewrite.ConstantBefore(single), []expr.Tree{single}) {
			score, ok := s.Score(form, mdl.Effort{Starts: 1, Final: true})
			o := newRanked(score, c.by)
			if ok && k.shorter(o, respelled[i]) && similarResiduals(s.Residuals(o.Score), s.Residuals(c.Score)) {
				respelled[i] = o.withBitsOf(c)
			}
		}
	}
	return respelled
}

// cheaper returns the form of a law with the fewest bits among those that differ in the common
// factors of sums. It returns nothing if the law already is that form.
func cheaper(s *mdl.Scorer, c mdl.Score) (form []expr.Tree) {
	least := s.FormBits(c.Tree)
	values := s.Values(c.Tree, c.Params)
	same := func(a, b float64) bool { return scalar.EqualWithinRel(a, b, 1e-9) }
	for _, f := range rewrite.CommonFactors(c.Tree.WithStarts(c.Params)) {
		f = f.UnshareParams().MergeParams()
		if f.NumParams() > c.Tree.NumParams() {
			continue
		}
		if bits := s.FormBits(f); bits < least && floats.EqualFunc(s.Values(f, f.Params()), values, same) {
			least, form = bits, []expr.Tree{f}
		}
	}
	return form
}

// shorter reports whether a is shorter to write than b and has no more constants. A constant inside
// the law counts more than one that multiplies a term, so a polynomial is preferred to its vertex
// form. Fractions in denominators also count more.
func (k *ranking) shorter(a, b ranked) bool {
	return a.Tree.NumParams() <= b.Tree.NumParams() && k.length(a.Tree) < k.length(b.Tree)
}

// length returns the length of a law: its number of nodes, plus prices for nonlinear constants,
// nested fractions and dates, which are harder to read.
func (k *ranking) length(t expr.Tree) int {
	n := k.m.ToColumns(t).Len() + 3*nonlinear(t, false) + fractions(t, false)
	for _, v := range t.Vars() {
		if k.m.Calendar(v) {
			n += 3 // more than the nodes that a law saves by counting years from the first year
		}
	}
	return n
}

// nonlinear returns the number of constants on which t does not depend linearly. inside is true if
// t is an operand of a function.
func nonlinear(t expr.Tree, inside bool) (n int) {
	args := t.Args()
	switch t.Root() {
	case expr.Param:
		if inside {
			return 1
		}
	case expr.Add, expr.Sub, expr.Neg, expr.Mul:
		for _, a := range args {
			n += nonlinear(a, inside)
		}
	case expr.Div:
		n = nonlinear(args[0], inside) + nonlinear(args[1], true)
	default:
		for _, a := range args {
			n += nonlinear(a, true)
		}
	}
	return n
}

// fractions returns the number of quotients inside denominators of t. below is true if t is itself
// in a denominator.
func fractions(t expr.Tree, below bool) (n int) {
	args := t.Args()
	if op := t.Root(); op == expr.Div || op == expr.Inv {
		if below {
			n++
		}
		if op == expr.Div {
			return n + fractions(args[0], below) + fractions(args[1], true)
		}
		below = true
	}
	for _, a := range args {
		n += fractions(a, below)
	}
	return n
}
