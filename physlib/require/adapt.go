package require

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Statements are all that is known of one law or function.
type Statements []Statement

// About returns the statements about a function by its name, "" for the law.
func (s Statements) About(subject string) (out Statements) {
	for _, one := range s {
		if one.Subject == subject {
			out = append(out, one)
		}
	}
	return out
}

// Hold reports whether a tree keeps all statements.
func (s Statements) Hold(tree expr.Tree, t Table) bool {
	for _, one := range s {
		if !one.Holds(tree, t) {
			return false
		}
	}
	return true
}

// mostAdapted bounds the forms that one is adapted to, longest how much longer they may be.
const (
	mostAdapted = 12
	longest     = 14
)

// Adapted returns forms near that of a tree, with fewer constants, that keep statements which it
// breaks. The tree itself is not among them.
func (s Statements) Adapted(tree expr.Tree, t Table) (out []expr.Tree) {
	seen := map[uint64]bool{tree.Hash(): true}
	level := []expr.Tree{tree}
	for range 2 {
		var next []expr.Tree
		for _, from := range level {
			if s.Hold(from, t) {
				continue
			}
			for _, a := range s.changed(from, t) {
				if h := a.Hash(); !seen[h] && a.Len() <= tree.Len()+longest && len(a.Vars()) > 0 {
					seen[h] = true
					next = append(next, a)
				}
			}
		}
		for _, a := range next {
			if s.Hold(a, t) && len(out) < mostAdapted {
				out = append(out, a)
			}
		}
		level = next[:min(len(next), 4*mostAdapted)]
	}
	return out
}

// changed are trees with a constant less: 0, 1, or what a statement about a value makes of it.
func (s Statements) changed(tree expr.Tree, t Table) (out []expr.Tree) {
	for slot := range tree.NumParams() {
		for _, v := range []float64{0, 1} {
			if a, ok := replaced(tree, slot, expr.Num(v)); ok {
				out = append(out, a)
			}
		}
		for _, one := range s {
			if one.kind != value {
				continue
			}
			if by, ok := one.solved(tree, slot, t); ok {
				if a, ok := replaced(tree, slot, by); ok {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// solved returns the statement solved for a constant in which the tree is linear at the statement's
// point.
func (s Statement) solved(tree expr.Tree, slot int, t Table) (by expr.Tree, ok bool) {
	there := tree
	right := s.by
	for i, a := range s.point {
		v := slices.Index(t.Names, a.name)
		if a.name == "" {
			v = min(i, len(t.Names)-1)
		}
		there, right = there.Substitute(v, expr.Num(a.at)), right.Substitute(v, expr.Num(a.at))
	}
	at := func(v float64) expr.Tree { return there.SubstituteParam(slot, expr.Num(v)) }
	zero, one, two := t.eval(at(0)), t.eval(at(1)), t.eval(at(2))
	for i := range zero {
		slope := one[i] - zero[i]
		if math.IsNaN(slope) || slope == 0 || math.Abs(two[i]-one[i]-slope) > 1e-9*math.Abs(slope) {
			return by, false
		}
	}
	rise := expr.Apply(expr.Sub, at(1), at(0)).Simplify()
	by = expr.Apply(expr.Div, expr.Apply(expr.Sub, right, at(0)), rise).Simplify()
	return by, true
}

// Fixed returns a tree with a number in place of a constant, simplified, its other constants
// numbered anew; ok is false where nothing is left.
func Fixed(tree expr.Tree, slot int, v float64) (fixed expr.Tree, ok bool) {
	return replaced(tree, slot, expr.Num(v))
}

// replaced returns a simplified tree with another in place of a constant, its constants numbered
// anew.
func replaced(tree expr.Tree, slot int, by expr.Tree) (expr.Tree, bool) {
	t := tree.SubstituteParam(slot, by).Simplify()
	if t.Len() == 0 {
		return t, false
	}
	return t.NumberParams(), true
}
