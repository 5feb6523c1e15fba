package require

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Shape limits the expression of a law. The zero Shape allows all expressions.
type Shape struct {
	Need    []int     // variables that must occur
	Without []int     // variables that must not occur
	No      []expr.Op // functions that must not occur
	// For each of these functions, the largest depth to which functions may be nested in its
	// operand.
	Nesting map[expr.Op]int
}

// Allows reports whether the shape allows the tree.
func (s Shape) Allows(t expr.Tree) bool {
	if len(s.Need) > 0 || len(s.Without) > 0 {
		vars := t.Vars()
		for _, v := range s.Need {
			if !slices.Contains(vars, v) {
				return false
			}
		}
		for _, v := range s.Without {
			if slices.Contains(vars, v) {
				return false
			}
		}
	}
	for _, n := range t.Nodes() {
		if slices.Contains(s.No, n.Op) {
			return false
		}
	}
	return len(s.Nesting) == 0 || s.nested(t)
}

// Function reports whether op is a function whose nesting can be limited.
func Function(op expr.Op) bool {
	o := op.Operator()
	return o.Arity == 1 && len(o.Code) > 0
}

// nested reports whether functions are nested no deeper than allowed.
func (s Shape) nested(t expr.Tree) bool {
	var stack []int // depth of nested functions in each operand
	for _, n := range t.Nodes() {
		top := len(stack) - 1
		switch n.Op.Arity() {
		case 0:
			stack = append(stack, 0)
		case 1:
			if most, ok := s.Nesting[n.Op]; ok && stack[top] > most {
				return false
			}
			if Function(n.Op) {
				stack[top]++
			}
		case 2:
			stack[top-1] = max(stack[top-1], stack[top])
			stack = stack[:top]
		}
	}
	return true
}
