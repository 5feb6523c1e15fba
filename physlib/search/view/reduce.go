package view

import (
	"context"
	"maps"
	"math"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
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
// in drop.
func Reduce(ctx context.Context, p *dataset.Problem, drop map[int]bool) Reduction {
	r := Reduction{Problem: p, Drop: drop, factor: expr.Num(1)}
	r.symmetries(ctx)
	return r
}

// symmetries uses the symmetries of the reduced problem, one after the other. It looks for factors,
// then for differences or sums of two variables, then for scalings, which give units to variables,
// and last for sums of powers of two variables. Scalings come before sums of powers: where the
// polynomial fits badly, a law with two factors may seem to depend only on the sum of their
// reciprocals. Once the factors have different units, such a sum is excluded.
func (r *Reduction) symmetries(ctx context.Context) {
	apply := func(find func(*surrogate) (symmetry, bool)) func(*surrogate) bool {
		return func(g *surrogate) bool {
			m, ok := find(g)
			if ok {
				r.apply(&g.derivatives, m)
			}
			return ok
		}
	}
	factor := apply((*surrogate).factor)
	difference := apply(func(g *surrogate) (symmetry, bool) { return g.together(1) })
	sum := apply(func(g *surrogate) (symmetry, bool) { return g.together(1, 2, -1) })
	for _, step := range []func(*surrogate) bool{factor, difference, factor, r.scales, sum} {
		for {
			s, live := r.space(surrogateRows)
			g, ok := newSurrogate(ctx, s, live)
			if !ok {
				return
			}
			r.Clean = r.Clean || g.miss < cleanMiss
			if !step(g) {
				break
			}
			r.Found = true
		}
	}
}

// apply uses the symmetry m: it replaces the variables that m concerns by new ones.
func (r *Reduction) apply(g *derivatives, m symmetry) {
	if m.d == nil {
		r.merge(g, m.sum)
		return
	}
	by := g.s.Vars[g.live[m.lead]]
	for k, e := range m.d {
		if k != m.lead && e != 0 {
			r.divide(g.s.Vars[g.live[k]], by, e, m.d[m.lead])
		}
	}
	r.takeOut(by, m.half/m.d[m.lead])
}

// divide replaces variable xᵢ by xᵢ/x^(e/d), where x is the variable whose index is the argument
// by.
func (r *Reduction) divide(i, by, e, d int) {
	x, lead := r.Problem.Vars[i], r.Problem.Vars[by]
	p := build.One()
	p.By(r.written(i), 2)
	p.By(r.written(by), -2*e/d)
	r.put(p.Tree(), dataset.Quantity{
		Dim: x.Dim.Div(lead.Dim.Pow(unit.Rat(e, d))), Known: x.Known, Scale: 1, Values: over(x.Values, lead.Values, ratio(e, d)),
	}, i)
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
		q.Target.Dim[b] = unit.Rat(found[n].half, 2)
	}
	r.Problem = &q
	return true
}
