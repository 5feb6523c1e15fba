package accept

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Same reports whether two laws of the table are of one form. Both are over the columns of t, and
// their fitted constants are Params that start from their values.
//
// They are if the constants of each can be fitted so that it becomes the other. One direction is
// enough if no constant vanishes in the fit. So 0.6283*x is of the form pi/5*x, whereas c0*x + c1
// becomes 3*x only without c1.
func Same(t *Table, a, b expr.Tree) bool {
	abAsForm, abVanishes := becomes(t, a, b)
	baAsForm, baVanishes := becomes(t, b, a)
	return abAsForm && baAsForm || abAsForm && !abVanishes || baAsForm && !baVanishes
}

// becomes reports whether the constants of one law can turn it into the other, and whether it does
// not need one of them then.
func becomes(t *Table, one, other expr.Tree) (ok, vanishes bool) {
	f := newForm("", one)
	r, ok := NewReference(f, t, f.tree.Params())
	if !ok {
		return false, false
	}
	c := r.become(newLaw("", other))
	if c == nil {
		return false, false
	}
	return true, r.vanishes(c) || r.powerOfOne(c)
}

// powerOfOne reports whether a constant of c is an exponent that may as well be 1.
func (r *Reference) powerOfOne(c []float64) bool {
	nodes := r.Form.tree.Nodes()
	for i, n := range nodes {
		if n.Op != expr.Pow || nodes[i-1].Op != expr.Param {
			continue
		}
		one := slices.Clone(c)
		one[nodes[i-1].Index] = 1
		if r.alike(c, one) {
			return true
		}
	}
	return false
}

// alike reports whether two sets of constants give the same values at the rows.
func (r *Reference) alike(c, d []float64) bool {
	n := len(r.table.y)
	f, g := r.Form.at(c, r.table.cols, n), r.Form.at(d, r.table.cols, n)
	sigma := r.sigma(f)
	for i := range f {
		if !(math.Abs(g[i]-f[i]) <= max(closeValue*math.Abs(f[i]), closeNoise*sigma[i])) {
			return false
		}
	}
	return true
}
