package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
)

// The terms that matter, and the law that they make.

// extended returns orthonormal rows that span v as well, or rows themselves if they do.
func extended(rows [][]float64, v []float64) [][]float64 {
	if u, ok := column.Independent(rows, v); ok {
		return append(rows, u)
	}
	return rows
}

// left returns the share of the norm of t outside the span of orthonormal rows; it is 1 if t has a
// NaN.
func left(rows [][]float64, t []float64) float64 {
	whole := column.Dot(t, t)
	near := whole
	for _, u := range rows {
		d := column.Dot(u, t)
		near -= d * d
	}
	if !(near < 1e-9*whole) {
		return 1
	}
	_, norm := column.Outside(rows, t)
	return norm / math.Sqrt(whole)
}

// offerMany yields the law that the features make of the target, if it has few terms.
func (w *work) offerMany(m *many, fs []dictionary.Feature) (exact bool) {
	cols := make([][]float64, len(fs))
	for i, f := range fs {
		cols[i], _ = m.column(f)
	}
	kept, coef := column.Sift(cols, m.Target, mostTerms, wideEps)
	if len(kept) == 0 {
		return false
	}
	b := &dictionary.Writer{Space: w.s, Pool: w.p}
	above, below := parts{}, parts{}
	for i, k := range kept {
		f := fs[k]
		if f.Role == dictionary.Term {
			above.add(b, f, coef[i])
		} else {
			below.add(b, f, -coef[i])
		}
	}
	if len(above.list) == 0 {
		return false
	}
	t := above.tree(b)
	if len(below.list) > 0 {
		t = expr.Apply(expr.Div, t, expr.Apply(expr.Add, expr.Num(1), below.tree(b)))
	}
	t = m.h.inverse(t)
	return w.holds(t) && w.yield(t) && w.everywhere(t)
}

// everywhere reports whether a tree gives the target on all rows, including those not sampled.
func (w *work) everywhere(t expr.Tree) bool {
	y := w.s.Problem.Target.Values
	v := make([]float64, len(y))
	cols := make([][]float64, len(w.s.Problem.Vars))
	for i, q := range w.s.Problem.Vars {
		cols[i] = q.Values
	}
	expr.Compile(t).Eval(v, cols, t.Params())
	off, all := 0.0, 0.0
	for i := range y {
		if !math.IsNaN(v[i]) && !math.IsNaN(y[i]) {
			off += (v[i] - y[i]) * (v[i] - y[i])
			all += y[i] * y[i]
		}
	}
	return off <= wideEps*wideEps*all
}

// parts are sums of products, collected by the expression that multiplies them.
type parts struct {
	list []dictionary.Feature // one of each expression
	sums []expr.Tree
}

// add adds coef times the feature's monomial to the sum that its expression multiplies.
func (p *parts) add(b *dictionary.Writer, f dictionary.Feature, coef float64) {
	t := build.Mul(b.Free(coef), b.Term(dictionary.Feature{Monomial: f.Monomial, Expr: -1}))
	for i, g := range p.list {
		if g.Expr == f.Expr && g.Half == f.Half {
			p.sums[i] = expr.Apply(expr.Add, p.sums[i], t)
			return
		}
	}
	p.list, p.sums = append(p.list, f), append(p.sums, t)
}

// tree returns the sum of all parts: each sum times its expression.
func (p *parts) tree(b *dictionary.Writer) (t expr.Tree) {
	for i, f := range p.list {
		part := build.Product{Above: p.sums[i], Below: expr.Num(1)}
		if f.Expr >= 0 {
			part.By(b.Node(f.Expr), int(f.Half))
		}
		if i == 0 {
			t = part.Tree()
		} else {
			t = expr.Apply(expr.Add, t, part.Tree())
		}
	}
	return t
}
