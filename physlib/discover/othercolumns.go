package discover

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/mdl"
)

// useOtherColumns returns the list with the first laws rewritten with columns that the search left
// out. It rewrites a law if this makes it shorter, or if it then has the same length and more
// columns.
func (k *ranking) useOtherColumns(p pace, list []ranked) []ranked {
	if len(k.relations) == 0 {
		return list
	}
	s := k.m.Scorer()
	rewritten := slices.Clone(list)
	for i, old := range list[:min(len(list), rewrittenLaws)] {
		if i > 0 && p.timeUp() {
			break
		}
		for _, r := range k.relations {
			for _, form := range r.Apply(old.Tree.WithStarts(old.Params)) {
				if k.length(form) > k.length(old.Tree)+oneConstant {
					continue
				}
				for _, f := range append([]expr.Tree{form}, k.withoutConstant(s, form)...) {
					rewritten[i] = k.betterForm(s, r, old, rewritten[i], f)
				}
			}
		}
	}
	known := map[uint64]bool{}
	return slices.DeleteFunc(rewritten, func(c ranked) bool {
		h := c.Tree.Hash()
		again := known[h]
		known[h] = true
		return again
	})
}

// betterForm returns the form f of the law old, from which it follows by the relation r, if it is
// preferred to the form best and is the same function as old. Otherwise it returns best.
func (k *ranking) betterForm(s *mdl.Scorer, r rewrite.Relation, old, best ranked, f expr.Tree) ranked {
	if !k.preferred(f, best.Tree) {
		return best
	}
	score, ok := s.Score(f, mdl.Effort{Starts: 1, Final: true})
	c := newRanked(score, old.by)
	if ok && k.preferred(c.Tree, best.Tree) && k.sameFunction(s, r, old, c) {
		return c.withBitsOf(old)
	}
	return best
}

// sameFunction reports whether b, which contains column r.Y of the relation, is the same function
// as a. The two may differ by a thousandth of a's residuals, or by the last digit of column r.Y.
func (k *ranking) sameFunction(s *mdl.Scorer, r rewrite.Relation, a, b ranked) bool {
	in := expr.Apply(expr.Add, expr.Num(r.A), expr.Apply(expr.Mul, expr.Num(r.B), expr.X(r.X)))
	exact := b.Score
	exact.Tree = exact.Tree.Substitute(r.Y, in)
	left, written, other := s.Residuals(a.Score), s.Residuals(b.Score), s.Residuals(exact)
	size, digits, distance := dataset.RMS(left), floats.Distance(written, other, 2), floats.Distance(left, other, 2)
	return distance <= math.Sqrt(float64(len(left)))*size/1000+3*digits
}

// oneConstant is approximately the length that a constant inside a function adds to a law, in the
// unit of ranking.length.
const oneConstant = 6

// withoutConstant returns forms near t with one constant less. For example, it returns T for T − c
// if c is small.
func (k *ranking) withoutConstant(s *mdl.Scorer, t expr.Tree) []expr.Tree {
	if nonlinear(t, false) == 0 {
		return nil
	}
	fitted, ok := s.Score(t, mdl.Effort{Starts: 1, Final: true})
	if !ok {
		return nil
	}
	return k.simpler(fitted)
}

// preferred reports whether a is preferred to b, which is the same function. This is so if a is
// shorter, or has the same length and more columns. In both cases a must not have more constants
// than b.
func (k *ranking) preferred(a, b expr.Tree) bool {
	more := a.NumParams() - b.NumParams()
	longer := k.length(a) - k.length(b)
	return more <= 0 && (longer < 0 || longer == 0 && len(a.Vars()) > len(b.Vars()))
}
