package view

import (
	"context"
	"maps"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/unit"
)

// cleanMiss is the largest share of the variance that a polynomial leaves unexplained in data
// without noise. The corresponding relative error is its square root, 3·10⁻⁵.
const cleanMiss = 1e-9

// Reduction is the problem that remains after symmetries are used: factors xᵢ^a are divided out of
// the target, and variables that occur only together are merged.
type Reduction struct {
	Problem *dataset.Problem
	Drop    map[int]bool      // variables that are divided out or replaced
	factor  expr.Tree         // ∏ xᵢ^a
	merged  map[int]expr.Tree // new variables, as expressions in variables of the table
	Found   bool              // symmetries were found
	// The polynomial is so close to the target that there is no significant noise.
	Clean bool
}

// Reduce returns the problem that remains after the symmetries of p are used, without the variables
// in drop. ok is false if there are no symmetries.
func Reduce(ctx context.Context, p *dataset.Problem, drop map[int]bool) (r Reduction, ok bool) {
	r = Reduction{Problem: p, Drop: drop, factor: expr.Num(1)}
	return r, r.symmetries(ctx)
}

// symmetries uses the symmetries of the reduced problem, one after the other. It reports whether it
// found any. It looks for factors, then for differences of two variables, then for scalings, which
// give units to variables, and last for sums of powers of two variables. Scalings come before sums:
// where the polynomial fits badly, a law with two factors may seem to depend only on the sum of
// their reciprocals. Once the factors have different units, such a sum is excluded.
func (r *Reduction) symmetries(ctx context.Context) (found bool) {
	for _, step := range []func(*Reduction, *surrogate) bool{
		(*Reduction).factors, (*Reduction).differences, (*Reduction).factors, (*Reduction).scales, (*Reduction).sums,
	} {
		for {
			g, ok := r.surrogate(ctx)
			if !ok {
				return found
			}
			r.Clean = r.Clean || g.miss < cleanMiss
			if !step(r, g) {
				break
			}
			found = true
		}
	}
	return found
}

// factors looks for a variable that is only a factor of the law. If it finds one, it divides the
// target by the power of that variable and returns true.
func (r *Reduction) factors(g *surrogate) bool {
	k, half, ok := g.pureFactor()
	if ok {
		r.takeOut(g.s.Vars[g.live[k]], half)
	}
	return ok
}

// differences merges two variables that occur only as their difference or sum. It reports whether
// there are two such variables.
func (r *Reduction) differences(g *surrogate) bool { return r.mergeOne(g, 1) }

// sums merges two variables that occur only as xᵢ^p ± xⱼ^q, where p and q are 1, 2 or −1. It
// reports whether there are two such variables.
func (r *Reduction) sums(g *surrogate) bool { return r.mergeOne(g, 1, 2, -1) }

func (r *Reduction) mergeOne(g *surrogate, powers ...int) bool {
	for _, m := range g.sums(powers) {
		if g.adds(m.merged) {
			r.merge(&g.derivatives, m.merged)
			return true
		}
	}
	return false
}

// takeOut divides the target by xᵢ^(half/2), and drops xᵢ.
func (r *Reduction) takeOut(i, half int) {
	q := *r.Problem
	x := q.Vars[i]
	q.Target.Values = append([]float64(nil), q.Target.Values...)
	q.Weights = append([]float64(nil), q.Weights...)
	for k, v := range x.Values {
		f := math.Pow(v, float64(half)/2)
		q.Target.Values[k] /= f
		switch {
		case r.Problem.Weights != nil:
			q.Weights[k] *= f * f
		case q.Noise != 0:
			q.Weights = append(q.Weights, f*f)
		}
	}
	if q.Units {
		q.Target.Dim = q.Target.Dim.Div(x.Dim.Pow(unit.Rat(half, 2)))
	}
	r.factor = build.Mul(r.factor, build.Pow(r.written(i), half))
	r.leaveOut(i)
	r.Problem = &q
}

// leaveOut adds vars to Drop. It copies the set first, since other reductions share it.
func (r *Reduction) leaveOut(vars ...int) {
	r.Drop = maps.Clone(r.Drop)
	if r.Drop == nil {
		r.Drop = map[int]bool{}
	}
	for _, i := range vars {
		r.Drop[i] = true
	}
}

// surrogate fits a surrogate to the reduced problem. ok is false if there are too few or too many
// variables, or too few rows.
func (r *Reduction) surrogate(ctx context.Context) (g *surrogate, ok bool) {
	s, live := r.space(surrogateRows)
	if len(live) < 2 || len(live) > maxSymmetric {
		return nil, false
	}
	return newSurrogate(ctx, s, live)
}

// space returns the reduced problem at up to points rows, and the indices in s.X of the variables
// that are not constant.
func (r *Reduction) space(points int) (s *Space, live []int) {
	s = NewSpace(r.Problem, points, r.Problem.Units, r.Drop)
	for i, x := range s.X {
		if !column.Constant(x) {
			live = append(live, i)
		}
	}
	return s, live
}

// merge replaces two variables by xᵢ^p ± xⱼ^q.
func (r *Reduction) merge(g *derivatives, m merged) {
	i, j := g.s.Vars[g.live[m.i]], g.s.Vars[g.live[m.j]]
	a, b := r.Problem.Vars[i], r.Problem.Vars[j]
	op := expr.Add
	if m.sign < 0 {
		op = expr.Sub
	}
	sum := expr.Apply(op, build.Pow(r.written(i), 2*m.p), build.Pow(r.written(j), 2*m.q))
	r.put(sum, dataset.Quantity{
		Dim: a.Dim.Pow(unit.Rat(m.p, 1)), Known: a.Known, Scale: 1, Values: m.values(a.Values, b.Values),
	}, i, j)
}

// put adds the variable v in place of the variables others. t is v as an expression in the table's
// variables.
func (r *Reduction) put(t expr.Tree, v dataset.Quantity, others ...int) {
	q := *r.Problem
	q.Vars = append(q.Vars[:len(q.Vars):len(q.Vars)], v)
	if r.merged == nil {
		r.merged = map[int]expr.Tree{}
	}
	r.merged[len(q.Vars)-1] = t
	r.leaveOut(others...)
	r.Problem = &q
}

// written returns variable i as an expression in the table's variables.
func (r *Reduction) written(i int) expr.Tree {
	if t, ok := r.merged[i]; ok {
		return t
	}
	return expr.X(i)
}

// Restore rewrites t, a law of the reduced problem, as a law of the whole problem.
func (r *Reduction) Restore(t expr.Tree) expr.Tree {
	t = t.ReplaceLeaves(func(n expr.Node) (by expr.Tree) {
		if n.Op == expr.Var {
			by = r.written(int(n.Index))
		}
		return by
	})
	return build.Mul(t, r.factor)
}

// scales gives units to variables that scale together. Each scaling that does not follow from the
// problem's units gets a base unit that is not used yet. scales reports whether there were any such
// scalings.
func (r *Reduction) scales(g *surrogate) bool {
	var free []int
	var rows [][]float64
	for b := range len(unit.Dim{}) {
		row := make([]float64, len(g.live))
		used := r.Problem.Units && !r.Problem.Target.Dim[b].IsZero()
		for k, i := range g.live {
			if r.Problem.Units {
				row[k] = g.s.Dims[i][b].Float64()
				used = used || row[k] != 0
			}
		}
		if !used {
			free = append(free, b)
		} else if u, ok := column.Independent(rows, row); ok {
			rows = append(rows, u)
		}
	}
	found := g.scalings(rows)
	if len(found) == 0 {
		return false
	}
	q := *r.Problem
	q.Vars = append([]dataset.Quantity(nil), q.Vars...)
	if !q.Units {
		for i := range q.Vars {
			q.Vars[i].Dim = unit.Dim{}
		}
		q.Target.Dim, q.Units = unit.Dim{}, true
	}
	for n, b := range free[:min(len(free), len(found))] {
		for k, e := range found[n].d {
			q.Vars[g.s.Vars[g.live[k]]].Dim[b] = unit.Rat(e, 1)
		}
		q.Target.Dim[b] = unit.Rat(int(2*found[n].a), 2)
	}
	r.Problem = &q
	return true
}
