package motion

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
)

// collected returns t with the terms of its sums collected, if this is shorter: y·(a·x - c) for
// y·(b·x - c·(x + 1)), and x·(x·y - c) for x·(x·y - 1) - b·x. Common factors are put in front of
// sums. Differences of two columns are kept. The values are the same. The result has no more
// free constants than t. complexity measures the length of a form.
func collected(t expr.Tree, cols [][]float64, complexity func(expr.Tree) float64) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	if coupled(t) {
		return t
	}
	constants := make(map[int32]int)
	for _, n := range t.Nodes() {
		if n.Op == expr.Param {
			constants[n.Index]++
		}
	}
	for _, n := range constants {
		if n > 1 { // a constant that occurs twice would become two
			return t
		}
	}
	best := t
	if s, ok := asSum(t, cols); ok && len(s.terms) > 1 {
		form := factored(unitCoefs(s), len(cols), complexity)
		if form.NumParams() <= t.NumParams() && complexity(form) < complexity(t) {
			best = form
		}
	}
	if args = best.Args(); len(args) == 0 {
		return best
	}
	for i, a := range args {
		args[i] = collected(a.CompactParams(), cols, complexity)
	}
	return joined(best.Root(), args)
}

// coupled reports whether t contains the difference of two columns, as in a force between two
// masses. Such a difference is kept.
func coupled(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Sub && nodes[i-1].Op == expr.Var && nodes[i-2].Op == expr.Var {
			return true
		}
	}
	return false
}

// joined returns op applied to trees that each number their free constants from 0.
func joined(op expr.Op, args []expr.Tree) expr.Tree {
	n := 0
	for i, a := range args {
		args[i] = a.ShiftParams(n)
		n += a.NumParams()
	}
	return expr.Apply(op, args...)
}

// unitCoefs returns s as a tree whose coefficients are free constants, apart from 1 and -1.
func unitCoefs(s sum) (t expr.Tree) {
	for i, term := range s.terms {
		one := sum{[]expr.Tree{term}, []float64{s.coefs[i]}}.tree()
		negative := false
		if c := s.coefs[i]; math.Abs(math.Abs(c)-1) < 1e-9 {
			one, negative = term.CompactParams(), c < 0
		}
		switch {
		case t.Len() == 0 && negative:
			t = expr.Apply(expr.Neg, one)
		case t.Len() == 0:
			t = one
		case negative:
			t = joined(expr.Sub, []expr.Tree{t, one})
		default:
			t = joined(expr.Add, []expr.Tree{t, one})
		}
	}
	return t
}

// fewerSigns returns t with fewer minus signs: c·(b - a) for -c·(a - b), and a quotient whose two
// sides have only negative terms without these signs. Slots keep their constants, whose starting
// values may change their sign.
func fewerSigns(t expr.Tree) expr.Tree {
	args := t.Args()
	if len(args) == 0 {
		return t
	}
	for i := range args {
		args[i] = fewerSigns(args[i])
	}
	u := expr.Apply(t.Root(), args...)
	switch b := args[len(args)-1]; {
	case u.Root() == expr.Mul && b.Root() == expr.Param:
		u = expr.Apply(expr.Mul, b, args[0]) // constants first
	case u.Root() == expr.Sub && startsNegative(b):
		u = expr.Apply(expr.Add, args[0], negated(b))
	}
	if op := u.Root(); op != expr.Mul && op != expr.Div && op != expr.Neg {
		return u
	}
	if u.Root() == expr.Neg {
		if v := negated(args[0]); v.Root() != expr.Neg && signs(v) < signs(u) {
			return v
		}
		return u
	}
	var least expr.Tree
	count := signs(u)
	for _, flipped := range flippedPairs(u) {
		if n := signs(flipped); n < count {
			least, count = flipped, n
		}
	}
	if least.Len() > 0 {
		return fewerSigns(least)
	}
	return u
}

// signs returns the number of minus signs with which t is printed.
func signs(t expr.Tree) int {
	return strings.Count(rewrite.Tidy(t.Bind(t.Params())).Infix(nil), "-")
}

// startsNegative reports whether t is a negative constant or a product with one in front.
func startsNegative(t expr.Tree) bool {
	n := t.Nodes()[0]
	return n.Op == expr.Param && n.Value < 0 && (t.Len() == 1 || t.Root() == expr.Mul)
}

// flippedPairs returns the product or quotient t with two of its factors negated.
func flippedPairs(t expr.Tree) (out []expr.Tree) {
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
				u = u.Splice(end+1-part.Len(), end+1, negated(part).Nodes()...)
			}
			out = append(out, u)
		}
	}
	return out
}

// negated returns -t, with the sign in its constants or in its sums if possible.
func negated(t expr.Tree) expr.Tree {
	args, nodes := t.Args(), t.Nodes()
	switch t.Root() {
	case expr.Param:
		return expr.C(int(nodes[0].Index), -nodes[0].Value)
	case expr.Number:
		return expr.Num(-nodes[0].Value)
	case expr.Neg:
		return args[0]
	case expr.Sub:
		if a := negated(args[0]); a.Root() != expr.Neg && signs(a) < signs(args[0]) {
			return expr.Apply(expr.Add, a, args[1])
		}
		return expr.Apply(expr.Sub, args[1], args[0])
	case expr.Add:
		a, b := negated(args[0]), negated(args[1])
		switch {
		case a.Root() == expr.Neg && b.Root() != expr.Neg:
			return expr.Apply(expr.Sub, b, a.Args()[0])
		case b.Root() == expr.Neg:
			return expr.Apply(expr.Sub, a, b.Args()[0])
		}
		return expr.Apply(expr.Add, a, b)
	case expr.Mul, expr.Div:
		if first := negated(args[0]); first.Root() != expr.Neg {
			return expr.Apply(t.Root(), first, args[1])
		}
		if second := negated(args[1]); t.Root() == expr.Mul && second.Root() != expr.Neg {
			return expr.Apply(expr.Mul, args[0], second)
		}
	}
	return expr.Apply(expr.Neg, t)
}

// simplify replaces the laws by shorter forms with the same values (see collected and fewerSigns).
// Then it joins constants of a law that are equal within their errors, if this shortens the
// description. The constants of the new forms are fitted again.
func (s *system) simplify(ctx context.Context) {
	over := s.polishTimer(ctx)
	s.merged = make([]int, len(s.trees))
	if over() || s.slow(ctx, s.shot.Rows) {
		return
	}
	complexity := func(t expr.Tree) float64 { return law.Complexity(t, len(s.names)) }
	trees := s.withParams(s.shot)
	old, score := s.evaluate(trees, s.shot.starts, over)
	for k, t := range trees {
		if t.Len() == 0 {
			continue
		}
		form := freedPowers(fewerSigns(collected(t, s.rowsOf(k), complexity)))
		if expr.Equal(form, t) {
			continue
		}
		if over() {
			return
		}
		trial := slices.Clone(s.withParams(s.shot))
		trial[k] = form
		if shot, sc := s.evaluate(trial, s.shot.starts, over); s.asClose(shot, old) {
			s.accept(trial, shot)
			old, score = shot, sc
		}
	}
	for range mostJoined {
		best, fit := s.trees, s.shot
		for k, t := range s.withParams(s.shot) {
			for _, form := range withJoint(t, s.rowsOf(k)) {
				if over() {
					return
				}
				trial := slices.Clone(s.withParams(s.shot))
				trial[k] = form
				if shot, sc := s.evaluate(trial, s.shot.starts, over); sc < score && shot.Lost == 0 {
					best, fit, score = trial, shot, sc
				}
			}
		}
		if fit == s.shot {
			return
		}
		s.accept(best, fit)
	}
}

// asClose reports whether the fit a loses no window and has no clearly larger residuals than b.
func (s *system) asClose(a, b *trajectoryFit) bool {
	for k := range s.numLaws() {
		if !(a.RSS[k] <= 1.01*b.RSS[k]) {
			return false
		}
	}
	return a.Lost == 0
}

// accept replaces the system by trees with the fit shot.
func (s *system) accept(trees []expr.Tree, shot *trajectoryFit) {
	for k, t := range trees {
		s.merged[k] += s.trees[k].NumParams() - t.NumParams()
	}
	s.trees, s.shot = trees, shot
	s.trees = s.withParams(shot)
}

const (
	mostJoined = 4    // largest number of pairs of constants that are joined
	nearlySame = 0.01 // largest relative difference of constants that may be equal
)

// freedPowers returns t with free constants in place of exponents that are no simple fractions.
// Such an exponent was fitted. As a free constant, it gets a standard error.
func freedPowers(t expr.Tree) expr.Tree {
	nodes, free := t.Nodes(), int32(t.NumParams())
	return t.MapLeaves(func(i int, n expr.Node) expr.Node {
		if n.Op == expr.Number && i+1 < len(nodes) && nodes[i+1].Op == expr.Pow && !expr.IsSimpleExponent(n.Value) {
			n = expr.Node{Op: expr.Param, Index: free, Value: n.Value}
			free++
		}
		return n
	})
}

// withJoint returns forms of the law t in which two coefficients of nearly the same size become one
// constant, as in c·(x - y) for a·x - b·y.
func withJoint(t expr.Tree, cols [][]float64) (out []expr.Tree) {
	if t.Len() == 0 {
		return nil
	}
	s, ok := asSum(t, cols)
	if !ok {
		return nil
	}
	for j := range s.terms {
		for i := range j {
			a, b := s.coefs[i], s.coefs[j]
			if math.Abs(math.Abs(a)-math.Abs(b)) > nearlySame*math.Abs(a) {
				continue
			}
			op, terms := expr.Add, []expr.Tree{s.terms[i].CompactParams(), s.terms[j].CompactParams()}
			switch {
			case a*b < 0 && a > 0:
				op = expr.Sub
			case a*b < 0:
				op, a = expr.Sub, b
				slices.Reverse(terms)
			}
			form := joined(expr.Mul, []expr.Tree{expr.C(0, a), joined(op, terms)})
			if rest := s.without(j).without(i); len(rest.terms) > 0 {
				form = joined(expr.Add, []expr.Tree{rest.tree(), form})
			}
			if form.NumParams() < t.NumParams() {
				out = append(out, form)
			}
		}
	}
	return out
}
