package motion

import (
	"context"
	"math"
	"slices"

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

// simplify replaces the laws by shorter forms with the same values (see collected), with few minus
// signs. Then it joins constants of a law that are equal within their errors, if this shortens the
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
		form := freedPowers(rewrite.FewerSigns(collected(t, s.rateColumns(k), complexity)))
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
			for _, form := range withJoint(t, s.rateColumns(k)) {
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
