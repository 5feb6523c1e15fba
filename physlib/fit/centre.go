package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// centred is a tree with a'·exp(b·(x - m)) in place of a·exp(b·x). m is the middle of a column x
// whose values are far from zero, such as a year. In the original form, a changes by many powers of
// ten while b changes within its error. In the centred form, a' hardly changes.
type centred struct {
	tree  expr.Tree
	pairs []centredPair
}

type centredPair struct {
	factor, rate int32 // slots of a and b
	middle       float64
}

// far is the distance of a column's middle from zero, in units of the column's width, above which
// the column is centred.
const far = 1.5

// centre returns t with its exponentials centred. If no exponential can be centred, the result has
// no pairs.
func centre(t expr.Tree, cols [][]float64, rows int) (c centred) {
	src := t.Nodes()
	if len(src) < 6 || !slices.ContainsFunc(src, func(n expr.Node) bool { return n.Op == expr.Exp }) {
		return c
	}
	var nodes []expr.Node // nil until a pair is found
	for i := 0; i < len(src); i++ {
		p, x, ok := pairAt(src, i)
		if ok {
			col := cols[src[x].Index][:rows]
			lo, hi := floats.Min(col), floats.Max(col)
			p.middle = (lo + hi) / 2
			ok = hi > lo && math.Abs(p.middle) > far*(hi-lo) && !math.IsInf(p.middle, 0)
		}
		if !ok {
			if nodes != nil {
				nodes = append(nodes, src[i])
			}
			continue
		}
		if nodes == nil {
			nodes = append(make([]expr.Node, 0, len(src)+4), src[:i]...)
		}
		a, b := src[i], src[i+1]
		if b.Op != expr.Param {
			b = src[i+2]
		}
		if a.Value *= math.Exp(b.Value * p.middle); a.Value == 0 || math.IsNaN(a.Value) || math.IsInf(a.Value, 0) {
			a.Value = 1
		}
		nodes = append(nodes, a, b, src[x], expr.Node{Op: expr.Number, Value: p.middle}, expr.Node{Op: expr.Sub},
			expr.Node{Op: expr.Mul}, expr.Node{Op: expr.Exp}, expr.Node{Op: expr.Mul})
		c.pairs = append(c.pairs, p)
		i += 5
	}
	if nodes != nil {
		c.tree, _ = expr.FromNodes(nodes)
	}
	return c
}

// pairAt reports whether a·exp(b·x) begins at node i, where a and b are constants that occur
// nowhere else. x is the index of the column's node.
func pairAt(src []expr.Node, i int) (p centredPair, x int, ok bool) {
	if i+5 >= len(src) || src[i].Op != expr.Param || src[i+3].Op != expr.Mul || src[i+4].Op != expr.Exp || src[i+5].Op != expr.Mul {
		return p, 0, false
	}
	rate, x := i+1, i+2
	if src[rate].Op != expr.Param {
		rate, x = x, rate
	}
	if src[rate].Op != expr.Param || src[x].Op != expr.Var {
		return p, 0, false
	}
	p.factor, p.rate = src[i].Index, src[rate].Index
	for j, n := range src {
		if n.Op == expr.Param && (n.Index == p.factor && j != i || n.Index == p.rate && j != rate) {
			return p, 0, false
		}
	}
	return p, x, true
}

// undo converts a fit of the centred tree to one of the original tree. ok is false if a constant of
// the original is too large or small for a float64.
func (c centred) undo(r *Result) (ok bool) {
	k := len(r.Params)
	for _, p := range c.pairs {
		a, b := int(p.factor), int(p.rate)
		scale := math.Exp(-r.Params[b] * p.middle)
		r.Params[a] *= scale
		if v := math.Abs(r.Params[a]); v < 1e-300 || !(v < 1e300) {
			return false
		}
		// da = scale·da' - m·a·db
		for range 2 { // first for the rows of the covariance, then for its columns
			for j := range k {
				r.Cov[a*k+j] = scale*r.Cov[a*k+j] - p.middle*r.Params[a]*r.Cov[b*k+j]
			}
			transpose(r.Cov, k)
		}
		r.StdErr[a] = math.Sqrt(r.Cov[a*k+a])
		if math.IsNaN(r.StdErr[a]) {
			r.StdErr[a] = math.Inf(1)
		}
	}
	return true
}

func transpose(m []float64, k int) {
	for i := range k {
		for j := range i {
			m[i*k+j], m[j*k+i] = m[j*k+i], m[i*k+j]
		}
	}
}
