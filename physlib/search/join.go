package search

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/search/pair"
)

// feature is one candidate term: ∏ xᵢ^eᵢ · a^(pow/2) for an expression a of the pool, in one of
// three roles.
type feature struct {
	role role
	m    mono  // nil: no monomial
	atom int32 // -1: none
	pow  int8  // halves of the atom's power; 2 is the atom itself
	cost int
}

type role uint8

const (
	asTerm   role = iota // its value
	asFactor             // log|value|: a factor with a free power
	asRate               // its value, against the logarithm of the target: exp(k·value) with k free
	asShare              // value · target, under the outer function or not: a term of the denominator
)

// join is one question to the pair kernel: which few features, beside a base, give the target?
type join struct {
	s       *space
	p       *pool
	omega   []float64   // weight of each point, multiplied to every row
	base    [][]float64 // weighted rows that are free, not projected
	q       [][]float64 // the same, orthonormal
	share   []float64   // what shares are of
	factors bool        // of logarithms: what fits is a product
	ratio   bool        // the target itself: what fits is a ratio
	t       []float64   // weighted target, not projected
	tq      []float64   // projected and normalised
	tnorm   float64     // norm of the projected target
	feats   []feature
	rows    pair.Rows
	r       []float32
	seen    map[uint64]struct{}
	buf     []float64
	dense   *dense
	floor   float64 // what pairs and triples must explain at least to be of interest
	kernel  pair.Kernel
}

// newJoin prepares the target t and the free rows base, both unweighted, for weights omega. ok is
// false when nothing is left of the target besides the base, to the relative precision eps; then the
// base alone explains it.
func newJoin(s *space, p *pool, t []float64, base [][]float64, omega []float64) *join {
	j := &join{s: s, p: p, omega: omega, seen: map[uint64]struct{}{}, buf: make([]float64, s.points()), kernel: pair.Default()}
	for _, b := range base {
		row := weigh(b, omega)
		j.base = append(j.base, row)
		if u, ok := independent(j.q, row); ok {
			j.q = append(j.q, u)
		}
	}
	j.t = weigh(t, omega)
	j.tq = append([]float64(nil), j.t...)
	j.project(j.tq)
	j.tnorm = math.Sqrt(dot(j.tq, j.tq))
	for i := range j.tq {
		j.tq[i] /= j.tnorm
	}
	return j
}

// retarget is the join, of one weight everywhere, with another target and the same features; ok is
// false when the base alone explains it, or when it is not finite.
func (j *join) retarget(t []float64) (*join, bool) {
	o := *j
	o.floor = 1 - 1e-7
	o.t, o.tq = t, append([]float64(nil), t...)
	o.project(o.tq)
	o.tnorm = math.Sqrt(dot(o.tq, o.tq))
	if !(o.tnorm > 0) || math.IsInf(o.tnorm, 0) {
		return nil, false
	}
	for i := range o.tq {
		o.tq[i] /= o.tnorm
	}
	narrow := narrow(o.tq)
	o.r = make([]float32, len(j.feats))
	for i := range o.r {
		sum := float32(0)
		for k, x := range j.rows.Data[i*j.rows.P:][:len(narrow)] {
			sum += x * narrow[k]
		}
		o.r[i] = sum
	}
	if o.dense != nil {
		d := *o.dense
		d.r = make([]float64, d.n)
		for i, v := range d.rows {
			d.r[i] = dot(v, o.tq)
		}
		o.dense = &d
	}
	return &o, true
}

// weigh is v times omega, point by point; nil omega means one everywhere.
func weigh(v, omega []float64) []float64 {
	r := append([]float64(nil), v...)
	if omega != nil {
		for i := range r {
			r[i] *= omega[i]
		}
	}
	return r
}

// residual is the share of the target's norm that the base leaves.
func (j *join) residual() float64 { return j.tnorm / math.Sqrt(dot(j.t, j.t)) }

// project takes the base out of v, twice for precision.
func (j *join) project(v []float64) {
	for range 2 {
		for _, q := range j.q {
			floats.AddScaled(v, -dot(q, v), q)
		}
	}
}

// row writes the feature's weighted row, not projected, to dst.
func (j *join) row(dst []float64, f feature) {
	switch {
	case f.atom < 0:
		j.s.value(dst, f.m)
	default:
		copy(dst, j.p.val(f.atom))
		power(dst, int(f.pow))
		j.s.raise(dst, f.m)
	}
	switch f.role {
	case asFactor:
		for i, x := range dst {
			dst[i] = math.Log(math.Abs(x))
		}
	case asShare:
		floats.Mul(dst, j.share)
	}
	if j.omega != nil {
		for i, w := range j.omega {
			dst[i] *= w
		}
	}
}

// power raises v to half/2.
func power(v []float64, half int) {
	switch half {
	case 2:
	case 4:
		for i, x := range v {
			v[i] = x * x
		}
	case 1:
		for i, x := range v {
			v[i] = math.Sqrt(x)
		}
	case -1:
		for i, x := range v {
			v[i] = 1 / math.Sqrt(x)
		}
	case -2:
		for i, x := range v {
			v[i] = 1 / x
		}
	case -4:
		for i, x := range v {
			v[i] = 1 / (x * x)
		}
	default:
		for i, x := range v {
			v[i] = math.Pow(x, float64(half)/2)
		}
	}
}

// add takes the feature in unless its row is not finite, lies in the base or is known up to a
// factor.
func (j *join) add(f feature) bool {
	v := j.buf
	j.row(v, f)
	n0 := math.Sqrt(dot(v, v))
	if !(n0 > 0) || math.IsInf(n0, 0) {
		return false
	}
	j.project(v)
	n := math.Sqrt(dot(v, v))
	if !(n > 1e-7*n0) {
		return false
	}
	h := j.signature(v, n)
	if _, known := j.seen[h]; known {
		return false
	}
	j.seen[h] = struct{}{}
	j.feats = append(j.feats, f)
	p := (j.s.points() + 15) / 16 * 16
	at := len(j.rows.Data)
	for range p {
		j.rows.Data = append(j.rows.Data, 0)
	}
	r := 0.0
	for i, x := range v {
		v[i] = x / n
		j.rows.Data[at+i] = float32(v[i])
		r += v[i] * j.tq[i]
	}
	j.rows.N, j.rows.P = len(j.feats), p
	j.r = append(j.r, float32(r))
	return true
}

// signature is equal for rows equal up to a factor and rounding.
func (j *join) signature(v []float64, n float64) uint64 {
	a, b := dot(j.p.probe[0], v)/n, dot(j.p.probe[1], v)/n
	if a < 0 {
		a, b = -a, -b
	}
	h := math.Float64bits(math.Round(a*1e6)+0)*0x9e3779b97f4a7c15 ^ math.Float64bits(math.Round(b*1e6)+0)
	return h ^ h>>31
}

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

// leastSquares solves Σ coefᵢ colsᵢ ≈ t by modified Gram–Schmidt, columns in the span of earlier
// ones get 0. The standard errors are scaled by the residuals.
func leastSquares(cols [][]float64, t []float64) (coef, stderr []float64, ok bool) {
	n := len(cols)
	q := make([][]float64, 0, n)
	used := make([]int, 0, n)
	r := make([][]float64, 0, n) // r[c][i]: component of used column c along q[i]
	for c, col := range cols {
		v := append([]float64(nil), col...)
		norm0 := math.Sqrt(dot(v, v))
		comp := make([]float64, len(q), len(q)+1)
		for range 2 {
			for i, u := range q {
				d := dot(u, v)
				comp[i] += d
				floats.AddScaled(v, -d, u)
			}
		}
		norm := math.Sqrt(dot(v, v))
		if !(norm > 1e-11*norm0) || math.IsInf(norm, 0) {
			continue
		}
		for k := range v {
			v[k] /= norm
		}
		q = append(q, v)
		r = append(r, append(comp, norm))
		used = append(used, c)
	}
	res := append([]float64(nil), t...)
	rhs := make([]float64, len(q))
	for range 2 {
		for i, u := range q {
			d := dot(u, res)
			rhs[i] += d
			floats.AddScaled(res, -d, u)
		}
	}
	sigma := math.Sqrt(dot(res, res) / float64(max(1, len(t)-len(q))))
	coef, stderr = make([]float64, n), make([]float64, n)
	m := len(q)
	inv := make([][]float64, m) // columns of R^-1
	for c := range m {
		inv[c] = make([]float64, m)
		inv[c][c] = 1 / r[c][c]
		for i := c - 1; i >= 0; i-- {
			s := 0.0
			for k := i + 1; k <= c; k++ {
				s += r[k][i] * inv[c][k]
			}
			inv[c][i] = -s / r[i][i]
		}
	}
	for i := range m {
		x, v := 0.0, 0.0
		for c := i; c < m; c++ {
			x += inv[c][i] * rhs[c]
			v += inv[c][i] * inv[c][i]
		}
		coef[used[i]], stderr[used[i]] = x, sigma*math.Sqrt(v)
		ok = ok || !math.IsNaN(x)
	}
	return coef, stderr, ok
}
