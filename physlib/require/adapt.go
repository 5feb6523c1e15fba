package require

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Statements are all statements about one law and its unknown functions.
type Statements []Statement

// About returns the statements about the function of the given name. The name "" means the whole
// law.
func (s Statements) About(subject string) (out Statements) {
	for _, one := range s {
		if one.Subject == subject {
			out = append(out, one)
		}
	}
	return out
}

// Hold reports whether the tree satisfies all statements on t.
func (s Statements) Hold(tree expr.Tree, t Table) bool {
	for _, one := range s {
		if !one.Holds(tree, t) {
			return false
		}
	}
	return true
}

// mostAdapted is the largest number of forms that Adapted returns. longest is the largest number of
// nodes by which a form may exceed the given tree.
const (
	mostAdapted = 12
	longest     = 14
)

// Adapted returns forms similar to a tree that satisfy the statements. They have one or two
// constants fewer than the tree. If the tree itself satisfies the statements, Adapted returns none.
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

// changed returns trees in which one constant is replaced by 0, by 1, or by the expression that a
// statement about a value requires.
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

// solved returns an expression for the free constant in slot that makes the statement true. ok
// reports whether the tree is linear in this constant at the point of the statement.
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

// Fixed returns the simplified tree with the number v in place of the constant in slot. The other
// constants are renumbered. ok is false if the result is empty.
func Fixed(tree expr.Tree, slot int, v float64) (fixed expr.Tree, ok bool) {
	return replaced(tree, slot, expr.Num(v))
}

// replaced returns the simplified tree with the tree `by` in place of the constant in slot. The
// other constants are renumbered.
func replaced(tree expr.Tree, slot int, by expr.Tree) (expr.Tree, bool) {
	t := tree.SubstituteParam(slot, by).Simplify()
	if t.Len() == 0 {
		return t, false
	}
	return t.NumberParams(), true
}
