package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Laws are also changed by a term at a time on the trajectories, where derivatives are too
// noisy. Forward steps add the term that a fitted system lacks most (see tangent). Backward
// steps remove each term in turn.
const (
	extensions   = 3 // terms tried as an addend of a chosen law
	leastGain    = 3 // least expected reduction of the description length, in bits
	stepwiseName = "stepwise"
)

// sum is a law that is a sum of terms with free coefficients.
type sum struct {
	terms []expr.Tree // may have free constants of their own
	coefs []float64
}

// extend changes each equation of the chosen system by one term on the fitted trajectories. It
// adds missing terms, exchanges terms and removes terms. It returns the new candidates by
// equation.
func (sr *searcher) extend(ctx context.Context) [][]*candidate {
	m := sr.d.measured()
	out := make([][]*candidate, m)
	if sr.shot == nil {
		return out
	}
	g := sr.newTangent(sr.field(sr.trees()), sr.shot, sr.wins)
	for k, c := range sr.best {
		if c == nil || ctx.Err() != nil {
			continue
		}
		offer := func(t expr.Tree) {
			if n, fresh := sr.offer(k, t); fresh {
				out[k] = append(out[k], n)
			}
		}
		var missing []addition
		cols := sr.rowsOf(k)
		if g != nil {
			missing, cols = g.lacking(k, sr.library(k)), g.cols
			missing = promising(missing)
			others := g.lacking(k, sr.recurring(k))
			missing = append(missing, others[:min(len(others), extensions)]...)
		}
		s, ok := asSum(c.tree, cols)
		for _, a := range missing {
			if ok {
				offer(s.with(a).tree())
				for j := range s.terms { // in exchange for another term
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

// with returns s with one more term.
func (s sum) with(a addition) sum {
	return sum{append(slices.Clone(s.terms), a.term), append(slices.Clone(s.coefs), a.coef)}
}

// without returns s without term i.
func (s sum) without(i int) sum {
	return sum{slices.Delete(slices.Clone(s.terms), i, i+1), slices.Delete(slices.Clone(s.coefs), i, i+1)}
}

// asSum expands t into a sum of terms with coefficients. ok reports whether the sum equals t on
// cols, on which t has a value.
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
	// terms ignores the signs of subtracted addends, so the coefficients are fitted to the whole
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

// freedInside returns t with its numbers freed as in freed, unless t is a constant.
func freedInside(t expr.Tree) expr.Tree {
	if len(t.Vars()) == 0 {
		return t
	}
	return freed(t)
}

// leastSquares returns the coefficients of columns that best fit y, or nil if the columns are
// linearly dependent.
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

// offer adds a law to the pool of equation k, unless it is there. It returns the candidate and
// whether it is new.
func (sr *searcher) offer(k int, t expr.Tree) (c *candidate, fresh bool) {
	t = factored(t.AbsorbParams(), len(sr.names), sr.complexity).AbsorbParams()
	p := &sr.pools[k]
	hash := t.Hash()
	if c = p.seen[hash]; c != nil {
		return c, sr.shorten(k, c, t)
	}
	if !sr.balancedTree(k, t) || !plausible(t) {
		return nil, false
	}
	c = sr.newCandidate(k, t, stepwiseName)
	p.seen[hash], p.list = c, append(p.list, c)
	return c, true
}

// shorten gives candidate c of equation k the form t, which is the same law, if t is shorter and c
// is not chosen. It reports whether it did.
func (sr *searcher) shorten(k int, c *candidate, t expr.Tree) bool {
	bits := sr.complexity(t)
	if bits >= c.bits || sr.best[k] == c || t.NumParams() > c.tree.NumParams() {
		return false
	}
	c.tree, c.bits, c.alone, c.joint, c.shot = t, bits, math.NaN(), math.NaN(), nil
	c.law.Tree, c.law.Vars, c.law.Constants, c.law.Complexity = t, sr.names, law.Named(t.Params(), nil), law.Complexity(t, len(sr.names))
	return true
}

// tree returns c0·a + c1·b + …, with the coefficients first. Free constants inside terms follow.
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

// library returns the terms for sums of equation k.
func (sr *searcher) library(k int) []expr.Tree {
	n := len(sr.names)
	var out []expr.Tree
	for _, t := range append(atoms(n), sr.bent(n)...) {
		if sr.balancedTree(k, expr.Apply(expr.Mul, expr.C(0, 1), t)) {
			out = append(out, t)
		}
	}
	return out
}

// balancedTree reports whether the units of t balance with the rate of equation k, as far as
// they are known.
func (sr *searcher) balancedTree(k int, t expr.Tree) bool {
	dims, known, target, targetKnown := sr.dims(k)
	_, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	return violation == 0
}

// promising returns the first terms of a ranking that are worth a fit, at least one if there is
// any.
func promising(ranked []addition) []addition {
	n := min(len(ranked), 1)
	for n < min(len(ranked), extensions) && ranked[n].bits >= leastGain {
		n++
	}
	return slices.Clip(ranked[:n])
}

// bends are the starting values of the constants of saturating or decaying curves, as fractions
// of a column's size.
var bends = []float64{0.12, 0.5, 2}

// leastExp is the least scale of an exponential, as a fraction of a column's size. Steeper ones
// select a few rows.
const leastExp = 0.5

// insideBits is the price of a constant inside a term beyond its precision. Such a term can
// imitate many curves, and in its limits other terms.
const insideBits = 8

// nearlyZero is how far errors may take a positive column below zero, as a fraction of its size.
const nearlyZero = 0.05

// hills are the exponents of saturating curves, as in cooperative binding.
var hills = []float64{1, 2, 3, 4}

// bent returns terms with a constant inside, which is fitted. For a nonnegative column these are
// curves that saturate, decay or peak, alone and multiplied by another column. For other columns
// they are exponentials.
func (sr *searcher) bent(n int) (out []expr.Tree) {
	ap := expr.Apply
	x := sr.columnsOf()
	for i := range min(n, len(x)) {
		var size float64
		for _, v := range x[i] {
			size += v * v / float64(len(x[i]))
		}
		size = math.Sqrt(size)
		if !(size > 0) {
			continue
		}
		v := expr.X(i)
		if slices.Min(x[i]) < -nearlyZero*size {
			out = append(out, ap(expr.Exp, ap(expr.Div, v, expr.C(0, size))), ap(expr.Exp, ap(expr.Neg, ap(expr.Div, v, expr.C(0, size)))))
			continue
		}
		for _, share := range bends {
			c := expr.C(0, share*size)
			var curves []expr.Tree
			for _, p := range hills {
				power, bend := v, c
				if p > 1 {
					power, bend = ap(expr.Pow, v, expr.Num(p)), expr.C(0, math.Pow(share*size, p))
				}
				curves = append(curves, ap(expr.Inv, ap(expr.Add, bend, power)), ap(expr.Div, power, ap(expr.Add, bend, power)))
			}
			hump := ap(expr.Div, v, ap(expr.Add, expr.C(0, share*share*size*size), ap(expr.Square, v)))
			times := append(slices.Clone(curves[:4]), hump)
			curves = append(curves, hump)
			if share >= leastExp {
				decay := ap(expr.Exp, ap(expr.Neg, ap(expr.Div, v, c)))
				curves = append(curves, decay, ap(expr.Mul, v, decay))
				times = append(times, decay)
			}
			out = append(out, curves...)
			for j := range min(n, len(x)) {
				if j != i {
					for _, f := range times {
						out = append(out, ap(expr.Mul, expr.X(j), f))
					}
				}
			}
		}
	}
	return out
}

// columnsOf returns the smoothed states at all rows.
func (sr *searcher) columnsOf() [][]float64 {
	d := sr.d
	out := make([][]float64, d.states())
	for k := range out {
		for r := range d.runs {
			for row := range d.runs[r].t {
				out[k] = append(out[k], d.start(r, row, k))
			}
		}
	}
	return out
}

// rowsOf returns the columns of a field at the rows of the table of equation k.
func (sr *searcher) rowsOf(k int) [][]float64 {
	t, _ := sr.table(k)
	return columns(sr.names, t)
}

// steepest is the largest plausible exponent. Steeper powers imitate other functions.
const steepest = 8

// plausible reports whether no exponent in t exceeds steepest.
func plausible(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && (nodes[i-1].Op == expr.Number || nodes[i-1].Op == expr.Param) && math.Abs(nodes[i-1].Value) > steepest {
			return false
		}
	}
	return true
}

// complexity returns the description length of t without the precision of its constants. An
// exponent that is no simple fraction counts as a fitted constant. So does in part a 1 added to a
// column: for a quantity with a unit it is a coincidence.
func (sr *searcher) complexity(t expr.Tree) float64 {
	bits := law.Complexity(t, len(sr.names))
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Number {
			if e := 12 * nodes[i-1].Value; math.Abs(e-math.Round(e)) > 1e-9 {
				bits += fittedPower
			}
		}
		if n.Op == expr.Number && math.Abs(n.Value) == 1 && isAddend(nodes, i) {
			bits += unityBits
		}
	}
	return bits
}

// fittedPower is the price in bits of an exponent that is no simple fraction.
const fittedPower = 12

// unityBits is the price in bits of a 1 in a sum.
const unityBits = 3

// isAddend reports whether the number at node i is an operand of a sum.
func isAddend(nodes []expr.Node, i int) bool {
	if i+1 < len(nodes) && (nodes[i+1].Op == expr.Add || nodes[i+1].Op == expr.Sub) {
		return true
	}
	for end := i + 1; end < len(nodes)-1; end++ { // the first operand, before another subtree
		if expr.SubtreeStart(nodes, end) == i+1 {
			op := nodes[end+1].Op
			if op == expr.Add || op == expr.Sub {
				return true
			}
		}
	}
	return false
}
