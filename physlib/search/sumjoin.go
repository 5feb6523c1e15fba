package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
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
	return ok && w.tiers(ctx, j, h, w.queries(ctx, j), true)
}

// sumJoin returns the sum join with up to size features.
func (w *work) sumJoin(h transform, size int, shares bool) (*match.Join, bool) {
	t, omega, ok := w.target(h, false)
	if !ok {
		return nil, false
	}
	var base [][]float64
	if !w.space.Units {
		base = [][]float64{column.Ones(len(t))}
	}
	j := w.join(t, base, omega)
	if len(j.Basis)+1 >= len(t) {
		return nil, false
	}
	origin := w.originOf(h)
	if shares {
		j.Share, j.Ratio = t, true
		so := make(view.Monomial, len(origin))
		// The cheapest shares and terms come first (see early).
		w.fill(j, so, dictionary.Share, early/2)
		w.fill(j, origin, dictionary.Term, early)
		w.fill(j, so, dictionary.Share, size/2)
	}
	w.fill(j, origin, dictionary.Term, size)
	return j, true
}

// fill adds features of role r with the dimension of origin until the number of features is size.
// It then also adds the remaining monomials that cost no more than the last one added.
func (w *work) fill(j *match.Join, origin view.Monomial, r dictionary.Role, size int) {
	cost := -1 // cost of the last monomial
	for f := range w.pool.Terms(origin, r, size) {
		if len(j.Features) >= size && (f.Expr >= 0 || f.Cost > cost) {
			return
		}
		j.Add(f)
		if f.Expr < 0 {
			cost = f.Cost
		}
	}
}

// sum returns the law h(y) = Σ terms / (1 - Σ shares) that a combination represents. A share is a
// feature that multiplies h(y) in h(y) = Σ terms + h(y)·Σ shares. Without shares, it is a sum of
// terms. If inner constants are fitted, a single feature can give a second law, in which inner
// constants that are 1 are free as well.
func (w *work) sum(j *match.Join, h transform, c match.Combo) (laws []expr.Tree) {
	coef, _, ok := j.Solve(c.Features)
	if !ok {
		return nil
	}
	add := func(ones bool) {
		b := w.writer()
		b.Ones = ones
		law := w.linear(b, j, coef, c.Features, dictionary.Term)
		if shares := w.linear(b, j, coef, c.Features, dictionary.Share); shares.Len() > 0 && law.Len() > 0 {
			law = expr.Apply(expr.Div, law, expr.Apply(expr.Sub, expr.Num(1), shares))
		}
		if law.Len() > 0 && (len(laws) == 0 || law.NumParams() > laws[0].NumParams()) {
			laws = append(laws, h.inverse(law))
		}
	}
	add(false)
	if w.freed && len(c.Features) == 1 {
		add(true)
	}
	return laws
}

// linear returns Σ coefᵢ·termᵢ with free coefficients. The terms are those of the features feats
// that have role r; if r is dictionary.Term, the columns of the base come first. Negligible terms
// are left out.
func (w *work) linear(b *dictionary.Writer, j *match.Join, coef []float64, feats []int32, r dictionary.Role) (t expr.Tree) {
	nb := len(j.Base)
	least := 1e-9 * floats.Norm(j.Target, 2)
	row := make([]float64, w.space.Points())
	for i, c := range coef {
		f := dictionary.Feature{Role: dictionary.Term, Expr: -1} // the term 1
		if i < nb {
			copy(row, j.Base[i])
		} else {
			f = j.Features[feats[i-nb]]
			j.Row(row, f)
		}
		if f.Role == r && math.Abs(c)*floats.Norm(row, 2) >= least {
			t = rewrite.Plus(t, build.Mul(b.Free(c), b.Term(f)))
		}
	}
	return t
}
