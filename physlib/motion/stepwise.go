package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// If derivatives are too noisy, laws are also changed by one term at a time and fitted to the
// trajectories. A forward step adds the term that is expected to shorten the description most (see
// tangent). A backward step removes a term.
const (
	// Largest number of library terms that are tried as an additional term. The same limit applies
	// to the terms of other laws.
	mostAdditions = 3
	leastGain     = 3 // least expected reduction of the description length, in bits
	stepwiseName  = "stepwise"
)

// extend returns, for each equation, the candidates that should be scored. They are laws with one
// term changed, with another damping, with sines and cosines in place of powers, with a free
// constant in place of an addend such as 1, or plainer ones (see plainer). Short windows hardly
// determine a constant or an exponent, longer windows do. Candidates already scored in the chosen
// system over the current windows are left out.
func (sr *searcher) extend(ctx context.Context) [][]*candidate {
	out := make([][]*candidate, sr.d.numMeasured())
	if sr.shot == nil {
		return out
	}
	g := sr.newTangent(ctx, sr.field(sr.trees()), sr.shot, sr.wins)
	for k, c := range sr.best {
		if c == nil || ctx.Err() != nil {
			continue
		}
		for _, t := range sr.changed(ctx, k, g) {
			if n, fresh := sr.offer(k, t); fresh {
				out[k] = append(out[k], n)
			}
		}
		for _, t := range slices.Concat(sr.otherDrags(k), sr.otherWaves(ctx, k), freedAddends(c.tree), plainer(c.tree)) {
			if n := sr.unscored(k, t); n != nil {
				out[k] = append(out[k], n)
			}
		}
	}
	return out
}

// changed returns variants of the chosen law of equation k: with a missing term added, with a term
// replaced, and with a term removed. If the law has an unresolved constant, the simplifications of
// the law come first.
func (sr *searcher) changed(ctx context.Context, k int, g *tangent) (out []expr.Tree) {
	t := sr.best[k].tree
	if sr.unresolved(k) {
		out = simplifications(t)
	}
	var missing []addition
	cols := sr.rateColumns(k)
	if g != nil {
		missing, cols = g.lacking(ctx, k, sr.termsFor(k)), g.cols
		missing = promising(missing)
		others := g.lacking(ctx, k, sr.recurring(k))
		missing = append(missing, others[:min(len(others), mostAdditions)]...)
	}
	s, ok := asSum(t, cols)
	for _, a := range missing {
		if !ok {
			term := expr.Apply(expr.Mul, expr.C(t.NumParams(), a.coef), a.term)
			out = append(out, expr.Apply(expr.Add, t, term))
			continue
		}
		out = append(out, s.with(a).tree())
		for j := range s.terms { // the new term replaces term j
			out = append(out, s.with(a).without(j).tree())
		}
	}
	if ok && len(s.terms) > 1 {
		out = append(out, s.tree())
		for j := range s.terms {
			out = append(out, s.without(j).tree())
		}
	}
	return out
}

// freedAddends returns variants of t in which one number that is an operand of a sum or difference
// is a free constant.
func freedAddends(t expr.Tree) []expr.Tree {
	e := editor{tree: t, free: t.NumParams(), seen: map[uint64]bool{t.Hash(): true}}
	for i, n := range t.Nodes() {
		if n.Op != expr.Add && n.Op != expr.Sub {
			continue
		}
		right := i - 1
		left := expr.SubtreeStart(t.Nodes(), right) - 1
		for _, at := range []int{left, right} {
			if a := t.Nodes()[at]; a.Op == expr.Number {
				e.number(at, a.Value)
			}
		}
	}
	return e.out
}

// plainer returns variants of t in which one exponent that is not whole is replaced by the next
// whole number below or above it, or in which one denominator lacks one of its addends.
func plainer(t expr.Tree) []expr.Tree {
	e := editor{tree: t, seen: map[uint64]bool{t.Hash(): true}}
	nodes := t.Nodes()
	for i, n := range nodes {
		switch {
		case n.Op == expr.Sqrt:
			e.put(i, t.Subtree(i-1))
		case n.Op == expr.Pow && nodes[i-1].Op == expr.Number:
			v := nodes[i-1].Value
			for _, whole := range []float64{math.Floor(v), math.Ceil(v)} {
				if whole != v && whole != 0 {
					e.put(i-1, expr.Num(whole))
				}
			}
		case n.Op == expr.Div || n.Op == expr.Inv:
			if d := nodes[i-1]; d.Op == expr.Add || d.Op == expr.Sub {
				for _, a := range t.Subtree(i - 1).Args() {
					e.put(i-1, a)
				}
			}
		}
	}
	return e.out
}

// unresolved reports whether a constant of the chosen law of equation k is smaller than its error.
// Such a law is close to a simpler one, as sqrt(c - y) is close to a straight line if c is large.
func (sr *searcher) unresolved(k int) bool {
	at := sr.before(k)
	for i := range sr.best[k].tree.NumParams() {
		if !(sr.shot.StdErr[at+i] < math.Abs(sr.shot.Params[at+i])) {
			return true
		}
	}
	return false
}

// offer adds a law to the pool of equation k and returns its candidate. It returns nil if the law
// is not allowed, and the existing candidate if there is one. fresh reports whether the candidate
// has to be scored, because it is new or now has a shorter form.
func (sr *searcher) offer(k int, t expr.Tree) (c *candidate, fresh bool) {
	t = factored(shortened(t.AbsorbParams()), len(sr.names), sr.complexity).AbsorbParams()
	p := &sr.pools[k]
	hash := t.Hash()
	if c = p.seen[hash]; c != nil {
		return c, sr.shorten(k, c, t)
	}
	if !sr.admits(k, t) || !plausible(t) {
		return nil, false
	}
	c = sr.newCandidate(k, t, stepwiseName)
	p.seen[hash], p.list = c, append(p.list, c)
	return c, true
}

// unscored offers a law of equation k (see offer) and returns its candidate. It returns nil if the
// law is not allowed, is the chosen one, or was already scored in the chosen system over the
// current windows.
func (sr *searcher) unscored(k int, t expr.Tree) *candidate {
	c, _ := sr.offer(k, t)
	if c == nil || c == sr.best[k] || c.shot != nil && c.windowLength == sr.windowLength && c.others == sr.others(k) {
		return nil
	}
	return c
}

// shorten replaces the form of candidate c of equation k by t. t must be a shorter form of the same
// law, and c must not be chosen. It reports whether the form was replaced.
func (sr *searcher) shorten(k int, c *candidate, t expr.Tree) bool {
	bits := sr.complexity(t)
	if bits >= c.bits || sr.best[k] == c || t.NumParams() > c.tree.NumParams() {
		return false
	}
	c.tree, c.bits, c.alone, c.joint, c.shot = t, bits, math.NaN(), math.NaN(), nil
	c.law.Tree, c.law.Vars, c.law.Constants, c.law.Complexity = t, sr.names, law.NewConstants(t.Params(), nil), law.Complexity(t, len(sr.names))
	return true
}

// admits reports whether t has only allowed operators, and whether its units balance with the rate
// of equation k, as far as units are known.
func (sr *searcher) admits(k int, t expr.Tree) bool {
	allowed := dataset.Problem{Ops: sr.s.Search.Ops}
	if !allowed.Allows(t) {
		return false
	}
	dims, known, target, targetKnown := sr.dims(k)
	_, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	return violation == 0
}

// promising returns the first terms of a ranking, as long as they are expected to save at least
// leastGain bits. It returns at most mostAdditions terms, and always the first one.
func promising(ranked []addition) []addition {
	n := min(len(ranked), 1)
	for n < min(len(ranked), mostAdditions) && ranked[n].bits >= leastGain {
		n++
	}
	return slices.Clip(ranked[:n])
}

// smoothedStates returns the smoothed states at all rows.
func (sr *searcher) smoothedStates() [][]float64 {
	d := sr.d
	out := make([][]float64, d.numStates())
	for k := range out {
		for r := range d.runs {
			for row := range d.runs[r].t {
				out[k] = append(out[k], d.start(r, row, k))
			}
		}
	}
	return out
}

// rateColumns returns the columns of the right-hand sides at the rows of the table of equation k.
func (sr *searcher) rateColumns(k int) [][]float64 {
	t, _ := sr.table(k)
	return columns(sr.names, t)
}

// mostRateExponent is the largest plausible exponent. Larger exponents imitate other functions.
const mostRateExponent = 8

// plausible reports whether no exponent in t has an absolute value above mostRateExponent.
func plausible(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && (nodes[i-1].Op == expr.Number || nodes[i-1].Op == expr.Param) && math.Abs(nodes[i-1].Value) > mostRateExponent {
			return false
		}
	}
	return true
}

// complexity returns the description length of t without the precision of its constants. It differs
// from law.Complexity in four points:
//
//   - An exponent that is not a simple fraction counts as a fitted constant.
//   - A 1 that is added to a column, or is the scale of an exponential, counts as part of a fitted
//     constant. For a quantity with a unit, such a 1 would be a coincidence.
//   - A sine, cosine or tangent costs more if all states are amounts, such as populations.
//   - Distances, speeds and their squares cost less than their nodes, since they are quantities
//     with a name in mechanics.
func (sr *searcher) complexity(t expr.Tree) float64 {
	bits := law.Complexity(t, len(sr.names))
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Number {
			if !expr.IsSimpleExponent(nodes[i-1].Value) {
				bits += fittedPower
			}
		}
		if n.Op == expr.Number && math.Abs(n.Value) == 1 && isAddend(nodes, i) {
			bits += unityBits
		}
		if sr.amounts && periodic(n.Op) && len(t.Subtree(i).Vars()) > 0 {
			bits += waveBits
		}
		if growing(n.Op) && !scaledArgument(t.Subtree(i)) {
			bits += unityBits
		}
		if n.Op == expr.Abs && sr.isVelocity(nodes[i-1]) {
			bits -= rootBits
		}
		if n.Op != expr.Add {
			continue
		}
		if _, ok := sr.squaredNorm(t.Subtree(i)); ok {
			bits -= normBits
			if isRooted(nodes, i) {
				bits -= rootBits
			}
		}
	}
	return bits
}

// fittedPower is the price in bits of an exponent that is not a simple fraction.
const fittedPower = 12

// unityBits is the price in bits of a 1 that is a term of a sum or the scale of a function's
// argument.
const unityBits = 3

// waveBits is the price in bits of a sine, cosine or tangent if all states are amounts.
const waveBits = 8

// periodic reports whether op is a sine, cosine or tangent.
func periodic(op expr.Op) bool { return op == expr.Sin || op == expr.Cos || op == expr.Tan }

// Discounts in bits, see complexity.
const (
	// Discount on the square of a distance or speed, for each component after the first.
	normBits = 6
	// Discount on a distance or speed itself: on the root of such a square, in addition to
	// normBits, or on |v|.
	rootBits = 4
)

// isVelocity reports whether n is a velocity of a system of the second order.
func (sr *searcher) isVelocity(n expr.Node) bool {
	return n.Op == expr.Var && sr.d != nil && sr.d.order == 2 &&
		int(n.Index) >= sr.d.numMeasured() && int(n.Index) < sr.d.numStates()
}

// squaredNorm reports whether t is the square of a coordinate or velocity, or a sum of such
// squares. All squares of a sum must be of coordinates, or all of velocities. kind is 0 for
// coordinates and 1 for velocities.
func (sr *searcher) squaredNorm(t expr.Tree) (kind int, ok bool) {
	if sr.d == nil || sr.d.order != 2 {
		return 0, false
	}
	nodes := t.Nodes()
	if t.Root() == expr.Add {
		args := t.Args()
		a, first := sr.squaredNorm(args[0])
		b, second := sr.squaredNorm(args[1])
		return a, first && second && a == b
	}
	square := len(nodes) == 2 && nodes[1].Op == expr.Square ||
		len(nodes) == 3 && nodes[2].Op == expr.Pow && nodes[1].Value == 2
	if !square || nodes[0].Op != expr.Var {
		return 0, false
	}
	kind = int(nodes[0].Index) / sr.d.numMeasured()
	return kind, kind < sr.d.order
}

// isRooted reports whether the subtree that ends at node i is raised to an odd multiple of 1/2.
func isRooted(nodes []expr.Node, i int) bool {
	if i+1 < len(nodes) && nodes[i+1].Op == expr.Sqrt {
		return true
	}
	if i+2 >= len(nodes) || nodes[i+1].Op != expr.Number || nodes[i+2].Op != expr.Pow {
		return false
	}
	twice := 2 * nodes[i+1].Value
	return math.Mod(math.Abs(twice), 2) == 1
}

// growing reports whether op is an exponential or a function made of exponentials. The argument of
// such a function has a scale.
func growing(op expr.Op) bool {
	return op == expr.Exp || op == expr.Sinh || op == expr.Cosh || op == expr.Tanh
}

// scaledArgument reports whether the argument of a function has a constant other than 1.
func scaledArgument(t expr.Tree) bool {
	return slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool {
		return n.Op == expr.Param || n.Op == expr.Number && math.Abs(n.Value) != 1
	})
}

// isAddend reports whether the number at node i is an operand of a sum.
func isAddend(nodes []expr.Node, i int) bool {
	if i+1 < len(nodes) && (nodes[i+1].Op == expr.Add || nodes[i+1].Op == expr.Sub) {
		return true
	}
	// If node i is the first operand, the second operand begins at node i+1.
	for end := i + 1; end < len(nodes)-1; end++ {
		if expr.SubtreeStart(nodes, end) == i+1 {
			op := nodes[end+1].Op
			if op == expr.Add || op == expr.Sub {
				return true
			}
		}
	}
	return false
}
