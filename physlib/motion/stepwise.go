package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Sums of terms are also built on the trajectories themselves, where derivatives are too noisy to
// show them: forward by the term that a fitted system lacks most (see tangent), backward by those
// that have become superfluous.
const (
	branches     = 3 // first terms from which sums are built
	longestSum   = 6 // terms of a sum
	superfluous  = 3 // standard errors below which a coefficient is tried as zero
	extensions   = 3 // terms that are tried as an addend of a chosen law
	leastGain    = 3 // bits by which a term must promise to shorten the description
	stepwiseName = "stepwise"
)

// sum is a law that is a sum of terms with a free coefficient each.
type sum struct {
	terms []expr.Tree // may have free constants of their own, after the coefficients
	coefs []float64
}

// tree is c0·a + c1·b + …, with the coefficients first. Free constants inside of terms follow.
func (s sum) tree() expr.Tree {
	if len(s.terms) == 0 {
		return expr.Num(0)
	}
	var t expr.Tree
	next := int32(len(s.terms))
	for i, a := range s.terms {
		nodes := slices.Clone(a.Nodes())
		slots := map[int32]int32{}
		for k, n := range nodes {
			if n.Op != expr.Param {
				continue
			}
			if _, ok := slots[n.Index]; !ok {
				slots[n.Index] = next
				next++
			}
			nodes[k].Index = slots[n.Index]
		}
		term, _ := expr.FromNodes(nodes)
		if term.Root() == expr.Number && term.Nodes()[0].Value == 1 {
			term = expr.C(i, s.coefs[i])
		} else {
			term = expr.Apply(expr.Mul, expr.C(i, s.coefs[i]), term)
		}
		if i == 0 {
			t = term
		} else {
			t = expr.Apply(expr.Add, t, term)
		}
	}
	return t
}

// with is s and one more term.
func (s sum) with(a addition) sum {
	return sum{append(slices.Clone(s.terms), a.term), append(slices.Clone(s.coefs), a.coef)}
}

// without is s less term i.
func (s sum) without(i int) sum {
	return sum{slices.Delete(slices.Clone(s.terms), i, i+1), slices.Delete(slices.Clone(s.coefs), i, i+1)}
}

// asSum multiplies t out, with the coefficients that its constants give the terms; cols are columns
// on which it has a value. ok reports whether that is t.
func asSum(t expr.Tree, cols [][]float64) (s sum, ok bool) {
	params := t.Params()
	rows := len(cols[0])
	value, plain := make([]float64, rows), make([]float64, rows)
	for _, term := range terms(t.Bind(params)) {
		b := bare(term)
		expr.Compile(term).Eval(value, cols, nil)
		expr.Compile(b).Eval(plain, cols, nil)
		if len(b.Vars()) == 0 {
			b = expr.Num(1)
			for i := range plain {
				plain[i] = 1
			}
		}
		size := dot(plain, plain)
		if !(size > 0) || math.IsInf(size, 0) {
			return s, false
		}
		c := dot(plain, value) / size
		for i, v := range value {
			if math.Abs(v-c*plain[i]) > 1e-6*(math.Abs(v)+math.Sqrt(size/float64(rows))*math.Abs(c)) {
				return s, false
			}
		}
		hash := b.Hash()
		if k := slices.IndexFunc(s.terms, func(o expr.Tree) bool { return o.Hash() == hash }); k >= 0 {
			s.coefs[k] += c
			continue
		}
		s.terms, s.coefs = append(s.terms, freedInside(b)), append(s.coefs, c)
	}
	// terms flips no signs of subtracted addends: their coefficients are fitted to the whole
	expr.Compile(t).Eval(value, cols, params)
	var base [][]float64
	for _, a := range s.terms {
		v := make([]float64, rows)
		expr.Compile(a).Eval(v, cols, a.Params())
		base = append(base, v)
	}
	s.coefs = leastSquares(base, value)
	if s.coefs == nil {
		return s, false
	}
	off := slices.Clone(value)
	for i, v := range base {
		subtract(off, v, s.coefs[i])
	}
	return s, dot(off, off) <= 1e-10*dot(value, value)
}

// freedInside is t with its numbers, but for whole ones, exponents and what stands alone, as free
// constants.
func freedInside(t expr.Tree) expr.Tree {
	if len(t.Vars()) == 0 {
		return t
	}
	return freed(t)
}

// leastSquares are the coefficients of columns that give y best; nil where they are not independent.
func leastSquares(columns [][]float64, y []float64) []float64 {
	n := len(columns)
	var q [][]float64
	r := make([][]float64, n)
	for i, c := range columns {
		v := slices.Clone(c)
		r[i] = make([]float64, n)
		for range 2 {
			for j, u := range q {
				d := dot(u, v)
				r[j][i] += d
				subtract(v, u, d)
			}
		}
		size := math.Sqrt(dot(v, v))
		if !(size > 1e-9*math.Sqrt(dot(c, c))) || math.IsInf(size, 0) {
			return nil
		}
		for k := range v {
			v[k] /= size
		}
		r[i][i] = size
		q = append(q, v)
	}
	out := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = dot(q[i], y)
		for j := i + 1; j < n; j++ {
			out[i] -= r[i][j] * out[j]
		}
		out[i] /= r[i][i]
	}
	return out
}

// offer puts a law into the pool of equation k, unless it is there; it returns the candidate and
// whether it is new.
func (h *hunt) offer(k int, t expr.Tree) (c *candidate, fresh bool) {
	t = t.AbsorbParams()
	p := &h.pools[k]
	hash := t.Hash()
	if c = p.seen[hash]; c != nil {
		return c, false
	}
	if !h.balancedTree(k, t) || !plausible(t) {
		return nil, false
	}
	c = &candidate{tree: t, bits: h.complexity(t), alone: math.NaN(), joint: math.NaN(), law: law.Law{Tree: t, Vars: h.names,
		Target: h.tr.Target(k), Constants: law.Named(t.Params(), nil), Complexity: law.Complexity(t, len(h.names)), Proposer: stepwiseName}}
	p.seen[hash], p.list = c, append(p.list, c)
	return c, true
}

// balancedTree reports whether the units of t balance as the rate of equation k, where they are known.
func (h *hunt) balancedTree(k int, t expr.Tree) bool {
	dims, known, target, targetKnown := h.dims(k)
	_, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	return violation == 0
}

// library are the terms that laws of equation k may be sums of.
func (h *hunt) library(k int) []expr.Tree {
	n := len(h.names)
	var out []expr.Tree
	for _, t := range atoms(n) {
		if h.balancedTree(k, expr.Apply(expr.Mul, expr.C(0, 1), t)) {
			out = append(out, t)
		}
	}
	return out
}

// stepwise builds sums for equation k from nothing, the other states given, over windows.
func (h *hunt) stepwise(ctx context.Context, k int, wins []window) {
	library := h.library(k)
	var begin []addition
	if g := h.tangentOf(k, sum{}, wins); g != nil {
		begin = g.lacking(k, library)
	}
	for _, a := range begin[:min(len(begin), branches)] {
		s := sum{}.with(a)
		for len(s.terms) <= longestSum && ctx.Err() == nil {
			next, shot := h.settleSum(ctx, k, s, wins)
			if shot == nil {
				break
			}
			s = next
			g := h.tangentOf(k, s, wins)
			if g == nil {
				break
			}
			more := g.lacking(k, library)
			if len(more) == 0 || more[0].bits < leastGain {
				break
			}
			s = s.with(more[0])
		}
	}
}

// tangentOf is equation k with the law s to first order, the other states given.
func (h *hunt) tangentOf(k int, s sum, wins []window) *tangent {
	trees := make([]expr.Tree, h.d.measured())
	trees[k] = s.tree()
	f := h.field(trees)
	shot := h.d.shoot(f, wins, max(h.tolerance(), 1e-7), 3, nil, nil)
	trees[k] = trees[k].WithStarts(shot.Params)
	return h.newTangent(h.field(trees), shot, wins)
}

// settleSum fits s and drops terms that have become superfluous, as long as that shortens the
// description. Each sum on the way is a candidate.
func (h *hunt) settleSum(ctx context.Context, k int, s sum, wins []window) (sum, *Shot) {
	fitted := func(s sum) (sum, *Shot, float64) {
		trees := make([]expr.Tree, h.d.measured())
		trees[k] = s.tree()
		f := h.field(trees)
		shot := h.d.shoot(f, wins, max(h.tolerance(), 1e-7), 6, nil, nil)
		bits := h.complexity(trees[k])
		score := h.score(bits, f, shot, func(j int) bool { return j == k })
		s.coefs = slices.Clone(shot.Params[:len(s.terms)])
		t := s.tree().WithStarts(shot.Params)
		if c, fresh := h.offer(k, t); fresh {
			c.alone = score
		}
		return s, shot, score
	}
	s, shot, score := fitted(s)
	if shot.Lost == len(wins) {
		return s, nil
	}
	for len(s.terms) > 1 && ctx.Err() == nil {
		weak := slices.MinFunc(slices.Collect(indices(len(s.terms))), func(a, b int) int {
			return cmp.Compare(math.Abs(s.coefs[a])/shot.StdErr[a], math.Abs(s.coefs[b])/shot.StdErr[b])
		})
		if !(math.Abs(s.coefs[weak]) < superfluous*shot.StdErr[weak]) {
			break
		}
		less, other, bits := fitted(s.without(weak))
		if !(bits < score) {
			break
		}
		s, shot, score = less, other, bits
	}
	return s, shot
}

// indices are 0 … n-1.
func indices(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// extend offers to each equation of the chosen system what it lacks, and what it could do without,
// on the fitted trajectories. It returns the new candidates by equation.
func (h *hunt) extend(ctx context.Context) [][]*candidate {
	m := h.d.measured()
	out := make([][]*candidate, m)
	if h.shot == nil {
		return out
	}
	g := h.newTangent(h.field(h.trees()), h.shot, h.wins)
	for k, c := range h.best {
		if c == nil || ctx.Err() != nil {
			continue
		}
		offer := func(t expr.Tree) {
			if n, fresh := h.offer(k, t); fresh {
				out[k] = append(out[k], n)
			}
		}
		var missing []addition
		cols := h.rowsOf(k)
		if g != nil {
			missing, cols = g.lacking(k, h.library(k)), g.cols
		}
		s, ok := asSum(c.tree, cols)
		for i, a := range missing[:min(len(missing), extensions)] {
			if a.bits < leastGain && i > 0 {
				break
			}
			if ok {
				offer(s.with(a).tree())
				for j := range s.terms { // in exchange for another
					offer(s.with(a).without(j).tree())
				}
			} else {
				n := c.tree.NumParams()
				offer(expr.Apply(expr.Add, c.tree, expr.Apply(expr.Mul, expr.C(n, a.coef), a.term)))
			}
		}
		if ok && len(s.terms) > 1 {
			offer(s.tree())
			for j := range s.terms {
				offer(s.without(j).tree())
			}
		}
	}
	return out
}

// rowsOf are the columns of a field at the rows of the table of equation k.
func (h *hunt) rowsOf(k int) [][]float64 {
	t, _ := h.table(k)
	return columns(h.names, t)
}

// steepest is the greatest power that a law may have: steeper ones imitate what they are not.
const steepest = 8

// plausible reports whether no power in t is steeper than laws have.
func plausible(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && (nodes[i-1].Op == expr.Number || nodes[i-1].Op == expr.Param) && math.Abs(nodes[i-1].Value) > steepest {
			return false
		}
	}
	return true
}

// complexity is the description length of t without the precision of its constants. A power that
// is no simple fraction is a constant that was fitted as well.
func (h *hunt) complexity(t expr.Tree) float64 {
	bits := law.Complexity(t, len(h.names))
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Number {
			if e := 12 * nodes[i-1].Value; math.Abs(e-math.Round(e)) > 1e-9 {
				bits += fittedPower
			}
		}
	}
	return bits
}

// fittedPower is the price of a power that is no simple fraction.
const fittedPower = 12
