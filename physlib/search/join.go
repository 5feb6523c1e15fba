package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/pair"
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

// newJoin prepares the target t and the free rows base, both unweighted, for weights omega;
// residual tells what is left of the target besides the base.
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

// cost of a combination's features.
func (j *join) cost(c combo) int {
	n := 0
	for _, f := range c.feats {
		n += j.feats[f].cost + 1
	}
	return n
}

// hasTerm reports whether a combination is more than shares of the target itself.
func (j *join) hasTerm(c combo) bool {
	if len(j.base) > 0 {
		return true
	}
	for _, f := range c.feats {
		if j.feats[f].role != asShare {
			return true
		}
	}
	return false
}

// eps is the relative error below which a law counts as exact here; the engine judges again on all
// rows.
const eps = 1e-9
