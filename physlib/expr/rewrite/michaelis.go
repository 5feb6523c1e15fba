package rewrite

import "github.com/physlib/lab/physlib/expr"

// WithoutInverse returns a·x/(c0 + c1·x) for a/(c0/x + c1). It returns t if t is not such a
// quotient.
func WithoutInverse(t expr.Tree) expr.Tree {
	args := t.Args()
	if t.Root() != expr.Div || args[1].Root() != expr.Add {
		return t
	}
	terms := args[1].Args()
	for i, a := range terms {
		parts := a.Args()
		if a.Root() != expr.Div || len(parts[1].Vars()) == 0 {
			continue
		}
		x, other := parts[1], expr.Apply(expr.Mul, terms[1-i], parts[1])
		return expr.Apply(expr.Div, expr.Apply(expr.Mul, args[0], x), expr.Apply(expr.Add, parts[0], other))
	}
	return t
}

// ConstantBefore returns c0·a/(x + c1·b) for a/(c1·x + c2·b), and c0·a/(1/x + c1) for a/(c1/x +
// c2). In these forms, one term of the denominator has no constant, as in Michaelis-Menten
// kinetics. There is one form for each term that can lose its constant. There is none if t is not
// such a quotient.
func ConstantBefore(t expr.Tree) (out []expr.Tree) {
	if t.Root() != expr.Div {
		return nil
	}
	args := t.Args()
	if args[1].Root() != expr.Add {
		return nil
	}
	terms := args[1].Args()
	for i, a := range terms {
		b := terms[1-i]
		p, x, scaled := scaledTerm(a)
		q, y, free := scaledTerm(b)
		// A number may stand for a constant that was merged into the constant in front of the
		// quotient.
		if !free && b.Root() == expr.Number {
			q, free = expr.Node{Index: int32(t.NumParams()), Value: b.Nodes()[0].Value}, true
		}
		if !scaled || !free || x.Len() == 0 || p.Index == q.Index {
			continue
		}
		other := expr.C(int(q.Index), q.Value/p.Value)
		if y.Len() > 0 {
			other = expr.Apply(expr.Mul, other, y)
		}
		above := expr.Apply(expr.Mul, expr.C(int(p.Index), 1/p.Value), args[0])
		law := expr.Apply(expr.Div, above, expr.Apply(expr.Add, x, other))
		if law = law.MergeParams(); law.NumParams() <= t.NumParams() {
			out = append(out, law)
		}
	}
	return out
}

// scaledTerm splits a term into the constant in front and the rest. The rest is empty if the term
// is a constant. ok is false if there is no constant in front.
func scaledTerm(t expr.Tree) (constant expr.Node, rest expr.Tree, ok bool) {
	if t.Root() == expr.Param {
		return t.Nodes()[0], expr.Tree{}, true
	}
	args := t.Args()
	if t.Root() != expr.Mul && t.Root() != expr.Div {
		return expr.Node{}, expr.Tree{}, false
	}
	constant, rest, ok = scaledTerm(args[0])
	switch {
	case !ok:
		return expr.Node{}, expr.Tree{}, false
	case rest.Len() > 0:
		rest = expr.Apply(t.Root(), rest, args[1])
	case t.Root() == expr.Mul:
		rest = args[1]
	default:
		rest = expr.Apply(expr.Inv, args[1])
	}
	return constant, rest, true
}
