package search

import "github.com/physlib/lab/physlib/expr"

// look offers the simplest laws: a constant, a product of powers, a linear function. It tells
// whether the second is exact; an exact linear function may have terms that only say that there is
// nothing of them.
func (w *work) look() (exact bool) {
	w.tell("simplest laws")
	c := &builder{s: w.s, p: w.p}
	if !w.s.units || w.s.tdim.IsZero() {
		w.yield(c.free(median(w.s.y)))
	}
	if j, ok := w.productJoin(identity, 0); ok {
		exact = w.offer(j, identity, combo{nil, 0, 1}, w.product)
	}
	var cols [][]float64
	var of []expr.Tree
	if !w.s.units || w.s.tdim.IsZero() {
		cols, of = append(cols, ones(w.s.points())), append(of, oneTree)
	}
	for i, x := range w.s.x {
		if !w.s.units || w.s.dims[i] == w.s.tdim {
			cols, of = append(cols, x), append(of, expr.X(w.s.keep[i]))
		}
	}
	coef, _, ok := leastSquares(cols, w.s.y)
	if exact || !ok {
		return exact
	}
	b := &builder{s: w.s, p: w.p}
	var t expr.Tree
	for i, k := range coef {
		if part := mul(b.free(k), of[i]); t.Len() == 0 {
			t = part
		} else {
			t = expr.Apply(expr.Add, t, part)
		}
	}
	w.yield(t)
	return false
}
