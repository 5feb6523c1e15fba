package match

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/view"
)

// Join is a target with a base and a list of features. Its methods find combinations of the base
// and of up to three features that are close to the target.
type Join struct {
	s *view.Space
	p *dictionary.Pool
	// Weight of each point, by which the values of all columns at the point are multiplied.
	omega   []float64
	Base    [][]float64 // weighted columns that belong to every combination
	Basis   [][]float64 // orthonormal columns that span Base
	Share   []float64   // values by which columns with the role dictionary.Share are multiplied
	Factors bool        // columns are logarithms, so a combination stands for a product
	// Some features have the role dictionary.Share, so a combination stands for a ratio.
	Ratio    bool
	Target   []float64 // weighted target
	tq       []float64 // Target with the base projected out, normalised
	Norm     float64   // norm of Target with the base projected out
	Features []dictionary.Feature
	rows     pair.Rows
	r        []float32
	seen     map[uint64]struct{}
	buf      []float64
	dense    *dense
	Floor    float64 // least fraction of the squared norm of tq that pairs and triples must explain
	Kernel   pair.Kernel
}

// New returns a join for the target t, without features. The columns in base belong to every
// combination of the join. omega has a factor for each point; nil means 1 everywhere.
func New(s *view.Space, p *dictionary.Pool, t []float64, base [][]float64, omega []float64) *Join {
	j := &Join{s: s, p: p, omega: omega, seen: map[uint64]struct{}{}, buf: make([]float64, s.Points()), Kernel: pair.Default()}
	for _, b := range base {
		row := weigh(b, omega)
		j.Base = append(j.Base, row)
		if u, ok := column.Independent(j.Basis, row); ok {
			j.Basis = append(j.Basis, u)
		}
	}
	j.aim(weigh(t, omega))
	return j
}

// Retarget returns a join with the features of j and another target. j must have no weights. ok is
// false if the target is not finite, or is explained by the base alone.
func (j *Join) Retarget(t []float64) (*Join, bool) {
	o := *j
	o.Floor = 1 - 1e-7
	o.aim(t)
	if !(o.Norm > 0) || math.IsInf(o.Norm, 0) {
		return nil, false
	}
	o.r = j.rows.Along(o.tq)
	d := *j.double(DensePairs) // the same matrix for all targets
	d.r = make([]float64, d.n)
	for i, v := range d.rows {
		d.r[i] = column.Dot(v, o.tq)
	}
	o.dense = &d
	return &o, true
}

// aim sets the weighted target.
func (j *Join) aim(t []float64) {
	j.Target, j.tq = t, slices.Clone(t)
	j.Project(j.tq)
	j.Norm = math.Sqrt(column.Dot(j.tq, j.tq))
	for i := range j.tq {
		j.tq[i] /= j.Norm
	}
}

// weigh returns v times omega, point by point; a nil omega means 1 everywhere.
func weigh(v, omega []float64) []float64 {
	r := append([]float64(nil), v...)
	if omega != nil {
		floats.Mul(r, omega)
	}
	return r
}

// Row writes the weighted column of f to dst. The base is not projected out.
func (j *Join) Row(dst []float64, f dictionary.Feature) {
	switch {
	case f.Expr < 0:
		j.s.Value(dst, f.Monomial)
	default:
		copy(dst, j.p.Values(f.Expr))
		dictionary.RaiseHalf(dst, int(f.Half))
		j.s.Raise(dst, f.Monomial)
	}
	switch f.Role {
	case dictionary.Factor:
		for i, x := range dst {
			dst[i] = math.Log(math.Abs(x))
		}
	case dictionary.Share:
		floats.Mul(dst, j.Share)
	}
	if j.omega != nil {
		floats.Mul(dst, j.omega)
	}
}

// Residual returns the norm of the target with the base projected out, relative to the norm of the
// whole target.
func (j *Join) Residual() float64 { return j.Norm / math.Sqrt(column.Dot(j.Target, j.Target)) }

// Project subtracts from v its projection on the base.
func (j *Join) Project(v []float64) { column.Orthogonalize(v, j.Basis) }

// Add adds a feature and returns true. It returns false if the feature's column is not finite, is
// in the span of the base, or is a multiple of an earlier column.
func (j *Join) Add(f dictionary.Feature) bool {
	v := j.buf
	j.Row(v, f)
	n0 := math.Sqrt(column.Dot(v, v))
	if !(n0 > 0) || math.IsInf(n0, 0) {
		return false
	}
	j.Project(v)
	n := math.Sqrt(column.Dot(v, v))
	if !(n > 1e-7*n0) {
		return false
	}
	h := j.signature(v, n)
	if _, known := j.seen[h]; known {
		return false
	}
	j.seen[h] = struct{}{}
	j.Features = append(j.Features, f)
	j.rows = j.rows.Append(v)
	j.r = append(j.r, float32(column.Dot(v, j.tq)/n))
	return true
}

// signature returns a number that is the same for columns that are equal up to a factor and
// rounding.
func (j *Join) signature(v []float64, n float64) uint64 {
	a, b := column.Dot(j.p.Probe[0], v)/n, column.Dot(j.p.Probe[1], v)/n
	if a < 0 {
		a, b = -a, -b
	}
	h := math.Float64bits(math.Round(a*1e6)+0)*0x9e3779b97f4a7c15 ^ math.Float64bits(math.Round(b*1e6)+0)
	return h ^ h>>31
}

// Cost returns the sum of the costs of a combination's features, plus the number of features.
func (j *Join) Cost(c Combo) int {
	n := 0
	for _, f := range c.Features {
		n += j.Features[f].Cost + 1
	}
	return n
}

// HasTerm reports whether the numerator of the law that a combination represents has a term. It has
// none if the base is empty and all features are shares, which are terms of the denominator.
func (j *Join) HasTerm(c Combo) bool {
	return len(j.Base) > 0 || slices.ContainsFunc(c.Features, func(f int32) bool { return j.Features[f].Role != dictionary.Share })
}

// Exact is the relative error below which a law counts as exact at the sampled rows.
const Exact = 1e-9
