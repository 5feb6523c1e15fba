package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// The sum join finds h(y) = Σ cᵢ·fᵢ. Each term fᵢ has the dimension of h(y). It is a monomial, or a
// monomial times a power of a pool expression. For a ratio of two sums there are further features,
// the shares: h(y) times a dimensionless term. They give the denominator.

// early is the number of features that are added first to the join of a ratio. Half of them are the
// cheapest shares, and half are the cheapest terms.
const early = 60

// sums runs the sum join for h(y), with up to size features, and yields the laws found. If shares
// is true, the laws are ratios of sums.
func (w *work) sums(ctx context.Context, h transform, size int, shares bool) (exact bool) {
	j, ok := w.sumJoin(h, size, shares)
	if !ok {
		return false
	}
	write := w.sum
	if shares {
		write = w.ratio
	}
	if len(j.Base) > 0 && w.offer(j, h, match.Bare(), write) {
		return true
	}
	return w.tiers(ctx, j, h, write)
}

// sumJoin returns the sum join with up to size features.
func (w *work) sumJoin(h transform, size int, shares bool) (*match.Join, bool) {
	s := w.s
	origin, ok := s.Lattice.Origin(s.Dims, h.dim(s.TargetDim), s.Units)
	if !ok {
		return nil, false
	}
	t, omega, ok := w.outer(h)
	if !ok {
		return nil, false
	}
	var base [][]float64
	if !s.Units {
		base = [][]float64{column.Ones(len(t))}
	}
	j := w.join(t, base, omega)
	if len(j.Basis)+1 >= len(t) {
		return nil, false
	}
	if shares {
		j.Share, j.Ratio = t, true
		so, ok := s.Lattice.Origin(s.Dims, unit.Dim{}, s.Units)
		if !ok {
			return nil, false
		}
		// The cheapest shares and terms come first (see early).
		w.fill(j, so, dictionary.Share, early/2)
		w.fill(j, origin, dictionary.Term, early)
		w.fill(j, so, dictionary.Share, size/2)
	}
	w.fill(j, origin, dictionary.Term, size)
	return j, true
}

// outer returns h(y), where y is the target. For noisy data, it also returns a weight for each
// point, which is proportional to 1/(standard error of h(y)). In noisy data, points at which h is
// undefined get the weight 0. In exact data, ok is false if there is such a point.
func (w *work) outer(h transform) (t, omega []float64, ok bool) {
	t = make([]float64, w.s.Points())
	if w.noisy {
		omega = make([]float64, len(t))
	}
	for i, y := range w.s.Y {
		t[i] = h.of(y)
		if w.noisy {
			omega[i] = w.s.RootWeights[i] / math.Abs(h.slope(y))
			if math.IsNaN(omega[i]) || math.IsInf(omega[i], 0) || math.IsNaN(t[i]) {
				t[i], omega[i] = 0, 0
			}
		}
	}
	if h.name != identity.name {
		clip(omega)
	}
	return t, omega, column.Finite(t)
}

// fill adds features of role r with the dimension of origin until the join has size features. It
// then also adds the remaining monomials that cost no more than the last one added.
func (w *work) fill(j *match.Join, origin view.Monomial, r dictionary.Role, size int) {
	cost := -1 // cost of the last monomial
	for f := range w.p.Terms(origin, r, size) {
		if len(j.Features) >= size && (f.Expr >= 0 || f.Cost > cost) {
			return
		}
		if j.Add(f); f.Expr < 0 {
			cost = f.Cost
		}
	}
}

// linear returns Σ coefᵢ·termᵢ with free coefficients, and the number of terms. The terms are the
// columns of the base and the features feats. Negligible terms, and terms for which use returns
// false, are left out.
func (w *work) linear(b *dictionary.Writer, j *match.Join, coef []float64, feats []int32, use func(dictionary.Feature) bool) (t expr.Tree, n int) {
	nb := len(j.Base)
	scale := math.Sqrt(column.Dot(j.Target, j.Target))
	row := make([]float64, w.s.Points())
	for i, c := range coef {
		var term expr.Tree
		if i < nb {
			if !use(dictionary.Feature{Role: dictionary.Term, Expr: -1}) || math.Abs(c)*math.Sqrt(column.Dot(j.Base[i], j.Base[i])) < 1e-9*scale {
				continue
			}
			term = expr.Num(1)
		} else {
			f := j.Features[feats[i-nb]]
			j.Row(row, f)
			if !use(f) || math.Abs(c)*math.Sqrt(column.Dot(row, row)) < 1e-9*scale {
				continue
			}
			term = b.Term(f)
		}
		t = rewrite.Plus(t, build.Mul(b.Free(c), term))
		n++
	}
	return t, n
}

// sum returns the law that a combination of terms represents.
func (w *work) sum(j *match.Join, h transform, c match.Combo) []expr.Tree {
	coef, _, ok := j.Solve(c.Features)
	if !ok {
		return nil
	}
	b := w.writer()
	t, n := w.linear(b, j, coef, c.Features, func(dictionary.Feature) bool { return true })
	if n == 0 {
		return nil
	}
	trees := []expr.Tree{h.inverse(t)}
	// A second law for a single feature: inner constants that are 1 become free, too.
	if w.freed && len(c.Features) == 1 {
		b = w.writer()
		b.Ones = true
		if t, _ = w.linear(b, j, coef, c.Features, func(dictionary.Feature) bool { return true }); t.NumParams() > trees[0].NumParams() {
			trees = append(trees, h.inverse(t))
		}
	}
	return trees
}

// ratio returns the law h(y) = Σ terms / (1 - Σ shares) that a combination represents.
func (w *work) ratio(j *match.Join, h transform, c match.Combo) []expr.Tree {
	coef, _, ok := j.Solve(c.Features)
	if !ok {
		return nil
	}
	b := w.writer()
	law, nt := w.linear(b, j, coef, c.Features, func(f dictionary.Feature) bool { return f.Role == dictionary.Term })
	if nt == 0 {
		return nil
	}
	shares, ns := w.linear(b, j, coef, c.Features, func(f dictionary.Feature) bool { return f.Role == dictionary.Share })
	if ns > 0 {
		law = expr.Apply(expr.Div, law, expr.Apply(expr.Sub, expr.Num(1), shares))
	}
	return []expr.Tree{h.inverse(law)}
}
