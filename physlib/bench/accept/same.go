package accept

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Same reports whether two laws of the table have the same form. Both are in the columns of t, and
// their fitted constants are Params that start from their values.
//
// Two laws have the same form if each becomes the other when its constants are refitted. One
// direction is enough if no constant of the refitted law vanishes. So 0.6283*x has the form pi/5*x.
// c0*x + c1 does not have the form 3*x, since c1 vanishes.
func Same(t *Table, a, b expr.Tree) bool {
	abAsForm, abVanishes := becomes(t, a, b)
	baAsForm, baVanishes := becomes(t, b, a)
	return abAsForm && baAsForm || abAsForm && !abVanishes || baAsForm && !baVanishes
}

// becomes reports whether the law `one` equals the law `other` after the constants of `one` are
// refitted. vanishes reports whether a constant of `one` is then superfluous: it may be 0, or it
// is an exponent that may be 1.
func becomes(t *Table, one, other expr.Tree) (ok, vanishes bool) {
	f := newForm("", one)
	r, ok := NewReference(f, t, f.tree.Params())
	if !ok {
		return false, false
	}
	c := r.constantsFor(newLaw("", other))
	if c == nil {
		return false, false
	}
	return true, r.vanishes(c) || r.powerOfOne(c)
}

// powerOfOne reports whether one of the constants c is an exponent that can be set to 1 without
// changing the values of the form.
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

// alike reports whether the constants c and d give the same values at the rows, within the
// tolerances.
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
