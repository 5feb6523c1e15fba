package search

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/search/pair"
)

// Which few features explain the target: the kernel proposes sets of one, two, three and more in
// single precision, and each set is scored again in double.

// combo is a set of features with the share r2 of the projected target that they explain.
type combo struct {
	feats []int32
	r2    float64
	miss  float64 // 1-r2, without cancellation
}

// exact reports whether the combination leaves less than eps of the whole target's norm.
func (j *join) exact(c combo, eps float64) bool {
	return math.Sqrt(c.miss)*j.residual() < eps
}

// score explains the target by the features in double precision; row gives their rows with the base
// taken out.
func (j *join) score(feats []int32, row func(int32) []float64) combo {
	q := make([][]float64, 0, len(feats))
	res := append([]float64(nil), j.tq...)
	for _, f := range feats {
		u, ok := independent(q, row(f))
		if !ok {
			return combo{feats, 0, 1}
		}
		q = append(q, u)
		floats.AddScaled(res, -dot(u, res), u)
	}
	miss := dot(res, res)
	if math.IsNaN(miss) {
		miss = 1
	}
	return combo{feats, 1 - miss, miss}
}

// projected are the rows of the features that occur in sets, the base taken out.
func (j *join) projected(sets [][]int32) func(int32) []float64 {
	at := map[int32]int{}
	var ids []int32
	for _, s := range sets {
		for _, f := range s {
			if _, known := at[f]; !known {
				at[f] = len(ids)
				ids = append(ids, f)
			}
		}
	}
	rows := make([][]float64, len(ids))
	each.Do(len(ids), func(i int) {
		rows[i] = make([]float64, j.s.points())
		j.row(rows[i], j.feats[ids[i]])
		j.project(rows[i])
	})
	return func(f int32) []float64 { return rows[at[f]] }
}

// explicit is the share of the projected target that a ratio leaves, where score has that of the
// equation cleared of its denominator.
func (j *join) explicit(c combo) float64 {
	coef, _, ok := j.solve(c.feats)
	if !ok {
		return c.miss
	}
	res, below := append([]float64(nil), j.t...), ones(len(j.t))
	v := make([]float64, len(j.t))
	for i, k := range coef {
		if i < len(j.base) {
			floats.AddScaled(res, -k, j.base[i])
			continue
		}
		f := j.feats[c.feats[i-len(j.base)]]
		j.row(v, f)
		floats.AddScaled(res, -k, v)
		if f.role == asShare {
			for r, t := range j.t {
				if t != 0 {
					below[r] -= k * v[r] / t
				}
			}
		}
	}
	floats.Div(res, below)
	miss := dot(res, res) / (j.tnorm * j.tnorm)
	if !(miss < 1) {
		return 1
	}
	return miss
}

// rescore turns the kernel's answers into combinations scored in double, best first, at most keep.
func (j *join) rescore(sets [][]int32, keep int) []combo {
	cs := make([]combo, len(sets))
	row := j.projected(sets)
	each.Do(len(sets), func(i int) {
		cs[i] = j.score(sets[i], row)
		if j.ratio && cs[i].miss < 0.1 {
			cs[i].miss = j.explicit(cs[i])
			cs[i].r2 = 1 - cs[i].miss
		}
	})
	sort.SliceStable(cs, func(a, b int) bool { return cs[a].miss < cs[b].miss })
	if len(cs) > keep {
		cs = cs[:keep]
	}
	return cs
}

// singles are the best single features.
func (j *join) singles(keep int) []combo {
	idx := make([]int32, len(j.feats))
	for i := range idx {
		idx[i] = int32(i)
	}
	sort.SliceStable(idx, func(a, b int) bool { return abs32(j.r[idx[a]]) > abs32(j.r[idx[b]]) })
	if len(idx) > 2*keep {
		idx = idx[:2*keep]
	}
	sets := make([][]int32, len(idx))
	for i, f := range idx {
		sets[i] = []int32{f}
	}
	return j.rescore(sets, keep)
}

// abs32 is |x| in single precision.
func abs32(x float32) float32 { return float32(math.Abs(float64(x))) }

// pairs are the best pairs among the first n features.
func (j *join) pairs(ctx context.Context, n, keep int) []combo {
	n = min(n, len(j.feats))
	if n < 2 {
		return nil
	}
	found := j.kernel.Square(ctx, j.rows.Slice(0, n), j.r[:n], pair.Options{K: 3*keep + 500, Floor: j.singleFloor()})
	sets := make([][]int32, len(found))
	for i, f := range found {
		sets[i] = []int32{f.I, f.J}
	}
	return j.rescore(sets, keep)
}

// singleFloor is floor for the kernel, whose precision is single.
func (j *join) singleFloor() float32 { return float32(max(0, j.floor-1e-3)) }

// rect are the best pairs of one of the first n features with one of the rest.
func (j *join) rect(ctx context.Context, n, keep int) []combo {
	if len(j.feats) <= n {
		return nil
	}
	found := j.kernel.Rect(ctx, j.rows.Slice(0, n), j.r[:n], j.rows.Slice(n, len(j.feats)), j.r[n:], pair.Options{K: 3*keep + 500})
	sets := make([][]int32, len(found))
	for i, f := range found {
		sets[i] = []int32{f.I, int32(n) + f.J}
	}
	return j.rescore(sets, keep)
}

// triples are the best triples among the first n features.
func (j *join) triples(ctx context.Context, n, keep int) []combo {
	n = min(n, len(j.feats))
	if n < 3 {
		return nil
	}
	found := pair.Triples(ctx, j.rows.Slice(0, n), j.r[:n], pair.Options{K: 2*keep + 300})
	sets := make([][]int32, len(found))
	for i, f := range found {
		sets[i] = []int32{f.I, f.J, f.K}
	}
	return j.rescore(sets, keep)
}

// extend adds one more feature to each of the combinations.
func (j *join) extend(ctx context.Context, from []combo, keep int) []combo {
	var bases []pair.Basis
	var of []combo
	for _, c := range from {
		if b, ok := j.basis(c); ok {
			bases = append(bases, b)
			of = append(of, c)
		}
	}
	if len(bases) == 0 {
		return nil
	}
	found := pair.Extend(ctx, j.rows, bases, pair.Options{K: 3 * keep})
	known := map[string]bool{}
	var sets [][]int32
	for _, f := range found {
		set := append(append([]int32(nil), of[f.Base].feats...), f.I)
		sort.Slice(set, func(a, b int) bool { return set[a] < set[b] })
		key := setKey(set)
		if !known[key] {
			known[key] = true
			sets = append(sets, set)
		}
	}
	return j.rescore(sets, keep)
}

// setKey is equal for equal sets of features in the same order, and for no others.
func setKey(set []int32) string {
	b := make([]byte, 0, 4*len(set))
	for _, i := range set {
		b = append(b, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
	}
	return string(b)
}

// basis makes of a combination what the kernel extends.
func (j *join) basis(c combo) (pair.Basis, bool) {
	var q [][]float64
	res := append([]float64(nil), j.tq...)
	var b pair.Basis
	for _, f := range c.feats {
		v := make([]float64, j.s.points())
		j.row(v, j.feats[f])
		j.project(v)
		u, ok := independent(q, v)
		if !ok {
			return b, false
		}
		q = append(q, u)
		floats.AddScaled(res, -dot(u, res), u)
		b.Q = append(b.Q, narrow(u))
	}
	b.Resid = narrow(res)
	return b, true
}

// narrow rounds v to single precision, for the kernel.
func narrow(v []float64) []float32 {
	r := make([]float32, len(v))
	for i, x := range v {
		r[i] = float32(x)
	}
	return r
}

// solve finds the coefficients of the base rows and of the features by least squares, and their
// standard errors for residuals of the size found.
func (j *join) solve(feats []int32) (coef, stderr []float64, ok bool) {
	cols := append([][]float64(nil), j.base...)
	for _, f := range feats {
		v := make([]float64, j.s.points())
		j.row(v, j.feats[f])
		cols = append(cols, v)
	}
	return leastSquares(cols, j.t)
}
