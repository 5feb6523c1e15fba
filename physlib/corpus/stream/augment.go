package stream

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// The augmentations of three papers: PhysDiffuse, PARR and PhysMDT. Each function returns a new
// problem and does not change p. It changes the law and the table in the same way, so that y =
// Scale·Law(x) stays true except for noise. If the law of a problem is the zero Tree, as at test
// time, only the table changes.

// WithNoise adds normal errors to the measurements. Their standard deviation is y·RMS(Y) in the
// target and x·RMS(column) in every column. In PhysDiffuse §8, y is 0.01, 0.05 or 0.1. In PARR
// §4.2, it is 0.01 or 0.05. In PhysMDT §6, both are up to 0.05.
func WithNoise(p Problem, y, x float64, rng *rand.Rand) Problem {
	disturbed := func(v []float64, by float64) []float64 {
		out, sigma := slices.Clone(v), by*dataset.RMS(v)
		for i := range out {
			out[i] += sigma * rng.NormFloat64()
		}
		return out
	}
	p.Y = disturbed(p.Y, y)
	if y > 0 {
		p.Noise = math.Hypot(p.Noise, y)
	}
	cols := make([][]float64, len(p.X))
	for c, v := range p.X {
		cols[c] = v
		if x > 0 {
			cols[c] = disturbed(v, x)
		}
	}
	p.X = cols
	return p
}

// WithRows returns p with the given rows, in the given order.
func WithRows(p Problem, rows []int) Problem {
	pick := func(v []float64) []float64 {
		out := make([]float64, len(rows))
		for i, r := range rows {
			out[i] = v[r]
		}
		return out
	}
	cols := make([][]float64, len(p.X))
	for c, v := range p.X {
		cols[c] = pick(v)
	}
	p.X, p.Y = cols, pick(p.Y)
	return p
}

// Subsample keeps the given share of the rows, at least one, in random order. The share is 0.5 to 1
// in PhysDiffuse §8, and 0.8 to 1 in PhysMDT §6.
func Subsample(p Problem, share float64, rng *rand.Rand) Problem {
	n := min(max(int(math.Round(share*float64(len(p.Y)))), 1), len(p.Y))
	return WithRows(p, rng.Perm(len(p.Y))[:n])
}

// WithOrder returns p with its columns reordered: the new column i is the old column order[i]. Its
// law has the new column numbers and is in canonical form (PhysDiffuse §8, PARR §4.2: permuted
// variables).
func WithOrder(p Problem, order []int) Problem {
	cols, dims := make([][]float64, len(p.X)), make([]unit.Dim, len(p.Dims))
	place := make([]int32, len(order))
	for i, from := range order {
		cols[i] = p.X[from]
		if len(dims) > 0 {
			dims[i] = p.Dims[from]
		}
		place[from] = int32(i)
	}
	p.X, p.Dims = cols, dims
	return p.withLaw(func(column int) expr.Tree { return expr.X(int(place[column])) })
}

// withLaw returns p with each column of its law replaced by change(column). If change returns the
// empty tree for a column, that column is not replaced. The law becomes empty if the result has no
// Skeleton.
func (p Problem) withLaw(change func(column int) expr.Tree) Problem {
	if p.Law.Len() == 0 {
		return p
	}
	t := p.Law.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op == expr.Var {
			return change(int(n.Index))
		}
		return expr.Tree{}
	})
	skel, scale, ok := Skeleton(t)
	if !ok {
		p.Law, p.Scale, p.Tier = expr.Tree{}, 0, 0
		return p
	}
	p.Law, p.Scale, p.Tier = skel, p.Scale*scale, tier(skel.Len())
	return p
}

// Rescaled returns p with column i multiplied by factors[i] and y by byY. The constants of the law
// change accordingly. A new constant appears where it is needed: if y gets ten times as large, x +
// y becomes x + c·y. Factors must be positive.
func Rescaled(p Problem, factors []float64, byY float64) Problem {
	times := func(v []float64, by float64) []float64 {
		out := slices.Clone(v)
		for i := range out {
			out[i] *= by
		}
		return out
	}
	cols := make([][]float64, len(p.X))
	for c, v := range p.X {
		cols[c] = times(v, factors[c])
	}
	p.X, p.Y, p.Scale = cols, times(p.Y, byY), p.Scale*byY
	return p.withLaw(func(column int) expr.Tree {
		if factors[column] == 1 {
			return expr.Tree{}
		}
		return expr.Apply(expr.Mul, expr.X(column), expr.Num(1/factors[column]))
	})
}

// InUnits returns p in other units. The unit of base quantity b is divided by powers[b]; the base
// quantities are in the order kg, m, s, A, K, mol, cd (PhysDiffuse §8: rescaled units). If
// powers[1] = 1000, for example, a length in m becomes a length in mm. A law that balances keeps
// its form, and only constants with units change. If units are unknown, p does not change.
func InUnits(p Problem, powers [len(unit.Dim{})]float64) Problem {
	if !p.Units {
		return p
	}
	factor := func(d unit.Dim) float64 {
		f := 1.0
		for b, e := range d {
			if !e.IsZero() {
				f *= math.Pow(powers[b], e.Float64())
			}
		}
		return f
	}
	factors := make([]float64, len(p.X))
	for c := range factors {
		factors[c] = factor(p.Dims[c])
	}
	return Rescaled(p, factors, factor(p.Target))
}

// Resampled draws all columns of p again and calculates y by the law without noise (PARR §4.2: new
// points from other ranges). Each end of the range of a column moves outwards or inwards by up to a
// quarter of the range. Points at which the law is undefined are drawn again. ok is false if p has
// no law or such points are too frequent.
func Resampled(p Problem, rng *rand.Rand) (q Problem, ok bool) {
	if p.Law.Len() == 0 {
		return p, false
	}
	m := makers.Get().(*maker)
	defer makers.Put(m)
	m.source.Seed(rng.Uint64(), rng.Uint64())
	spans := make([]span, len(p.X))
	for c, v := range p.X {
		low, high := slices.Min(v), slices.Max(v)
		s := span{low, high, low > 0 && high > 10*low}
		if s.log {
			stretch := math.Pow(high/low, 0.5*m.rng.Float64()-0.25)
			s.low, s.high = low/stretch, high*stretch
		} else {
			by := (high - low) * (0.5*m.rng.Float64() - 0.25)
			s.low, s.high = low-by, high+by
			if low > 0 {
				s.low = max(s.low, low/2)
			}
		}
		spans[c] = s
	}
	t := tape{nodes: p.Law.Nodes()}
	if q.X, q.Y, ok = m.table(&t, spans, len(p.Y)); !ok {
		return p, false
	}
	for i := range q.Y {
		q.Y[i] *= p.Scale
	}
	p.X, p.Y, p.Noise = q.X, q.Y, 0
	return p, true
}

// AugmentPhysDiffuse returns p with the augmentation of PhysDiffuse §8. It keeps at least half of
// the rows, permutes the variables, and adds noise of 1, 5 or 10 % to y. It divides each base unit
// by a factor from 10⁻³ to 10³.
func AugmentPhysDiffuse(p Problem, rng *rand.Rand) Problem {
	p = Subsample(p, 0.5+0.5*rng.Float64(), rng)
	p = WithOrder(p, rng.Perm(len(p.X)))
	var powers [len(unit.Dim{})]float64
	for b := range powers {
		powers[b] = math.Pow(10, float64(rng.IntN(7)-3))
	}
	p = InUnits(p, powers)
	return WithNoise(p, [...]float64{0.01, 0.05, 0.1}[rng.IntN(3)], 0, rng)
}

// AugmentPARR returns p with one of the four augmentations of PARR §4.2, at random: noise of 1 or 5
// %, other points, another order of the variables, or factors from 0.5 to 2 for the columns and y.
func AugmentPARR(p Problem, rng *rand.Rand) Problem {
	switch rng.IntN(4) {
	case 0:
		return WithNoise(p, [...]float64{0.01, 0.05}[rng.IntN(2)], 0, rng)
	case 1:
		if q, ok := Resampled(p, rng); ok {
			return q
		}
	case 2:
		return WithOrder(p, rng.Perm(len(p.X)))
	}
	factors := make([]float64, len(p.X))
	for c := range factors {
		factors[c] = math.Pow(2, 2*rng.Float64()-1)
	}
	return Rescaled(p, factors, math.Pow(2, 2*rng.Float64()-1))
}

// AugmentPhysMDT returns p with the augmentation of PhysMDT §6: noise of up to 5 % in all data, 80
// to 100 % of the rows in random order, and each variable scaled by up to 10 %. The paper keeps the
// target tokens, although x + y then needs a constant. Here, variables are not scaled if this would
// change the form of the law.
func AugmentPhysMDT(p Problem, rng *rand.Rand) Problem {
	factors := make([]float64, len(p.X))
	for c := range factors {
		factors[c] = 0.9 + 0.2*rng.Float64()
	}
	if q := Rescaled(p, factors, 1); sameNodes(q.Law.Nodes(), p.Law.Nodes()) {
		p = q
	}
	p = Subsample(p, 0.8+0.2*rng.Float64(), rng)
	sigma := 0.05 * rng.Float64()
	return WithNoise(p, sigma, sigma, rng)
}
