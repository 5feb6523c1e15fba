package rewrite

import (
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// FewerSigns returns t with fewer minus signs: c·(b - a) for -c·(a - b), and a quotient whose two
// sides have only negative terms without these signs. The values are the same. Slots keep their
// constants, whose starting values may change their sign. A constant that occurs more than once
// keeps its sign.
func FewerSigns(t expr.Tree) expr.Tree {
	s := signer{}
	for _, n := range t.Nodes() {
		if n.Op == expr.Param {
			s[n.Index]++
		}
	}
	if u := s.fewer(t); Signs(u) <= Signs(t) {
		return u
	}
	return t
}

// Signs returns the number of minus signs with which t is printed.
func Signs(t expr.Tree) int {
	return strings.Count(Tidy(t.Bind(t.Params())).Infix(nil), "-")
}

// signer moves the minus signs of a tree. It holds how often each constant occurs.
type signer map[int32]int

// fewer returns t with fewer minus signs.
func (s signer) fewer(t expr.Tree) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	for i := range args {
		args[i] = s.fewer(args[i])
	}
	u := expr.Apply(t.Root(), args...)
	switch b := args[len(args)-1]; {
	case u.Root() == expr.Mul && b.Root() == expr.Param:
		u = expr.Apply(expr.Mul, b, args[0]) // constants first
	case u.Root() == expr.Sub && s.startsNegative(b):
		u = expr.Apply(expr.Add, args[0], s.negated(b))
	}
	if op := u.Root(); op != expr.Mul && op != expr.Div && op != expr.Neg {
		return u
	}
	if u.Root() == expr.Neg {
		if v := s.negated(args[0]); v.Root() != expr.Neg && Signs(v) < Signs(u) {
			return v
		}
		return u
	}
	for count, changed := Signs(u), true; changed; {
		changed = false
		for _, flipped := range s.flippedPairs(u) {
			if n := Signs(flipped); n < count {
				u, count, changed = flipped, n, true
			}
		}
	}
	return u
}

// startsNegative reports whether t is a negative constant, or a product or quotient with one in
// front.
func (s signer) startsNegative(t expr.Tree) bool {
	n := t.Nodes()[0]
	root := t.Root()
	return n.Op == expr.Param && s[n.Index] == 1 && n.Value < 0 && (t.Len() == 1 || root == expr.Mul || root == expr.Div)
}

// flippedPairs returns the product or quotient t with two of its factors negated.
func (s signer) flippedPairs(t expr.Tree) (out []expr.Tree) {
	var factors []int // last node of each factor
	var collect func(end int)
	nodes := t.Nodes()
	collect = func(end int) {
		if op := nodes[end].Op; op == expr.Mul || op == expr.Div {
			right := t.Subtree(end - 1)
			collect(end - 1 - right.Len())
			collect(end - 1)
			return
		}
		factors = append(factors, end)
	}
	collect(len(nodes) - 1)
	for j := range factors {
		for i := range j {
			u := t
			for _, end := range []int{factors[j], factors[i]} { // from the back, since lengths change
				part := t.Subtree(end)
				u = u.Splice(end+1-part.Len(), end+1, s.negated(part).Nodes()...)
			}
			out = append(out, u)
		}
	}
	return out
}

// negated returns -t, with the sign in its constants or in its sums if possible.
func (s signer) negated(t expr.Tree) expr.Tree {
	args, nodes := t.Args(), t.Nodes()
	switch t.Root() {
	case expr.Param:
		if s[nodes[0].Index] == 1 {
			return expr.C(int(nodes[0].Index), -nodes[0].Value)
		}
	case expr.Number:
		return expr.Num(-nodes[0].Value)
	case expr.Neg:
		return args[0]
	case expr.Sub:
		if a := s.negated(args[0]); a.Root() != expr.Neg && Signs(a) < Signs(args[0]) {
			return expr.Apply(expr.Add, a, args[1])
		}
		return expr.Apply(expr.Sub, args[1], args[0])
	case expr.Add:
		a, b := s.negated(args[0]), s.negated(args[1])
		switch {
		case a.Root() == expr.Neg && b.Root() != expr.Neg:
			return expr.Apply(expr.Sub, b, a.Args()[0])
		case b.Root() == expr.Neg:
			return expr.Apply(expr.Sub, a, b.Args()[0])
		}
		return expr.Apply(expr.Add, a, b)
	case expr.Mul, expr.Div:
		if first := s.negated(args[0]); first.Root() != expr.Neg {
			return expr.Apply(t.Root(), first, args[1])
		}
		if second := s.negated(args[1]); t.Root() == expr.Mul && second.Root() != expr.Neg {
			return expr.Apply(expr.Mul, args[0], second)
		}
	}
	return expr.Apply(expr.Neg, t)
}
