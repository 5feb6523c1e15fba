package search

import (
	"context"
	"maps"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// cleanMiss is the share of the variance that a polynomial leaves of data without noise: the square
// of a few in 10⁵.
const cleanMiss = 1e-9

// reduction is what is left of a problem after factors xᵢ^a that stand alone in the law were
// divided out and variables that enter only together were merged; with scaled it has units that
// nobody gave.
type reduction struct {
	p      *dataset.Problem
	drop   map[int]bool      // variables that are used up
	factor expr.Tree         // ∏ xᵢ^a
	merged map[int]expr.Tree // variables that stand for several of the table's
	scaled bool              // p has units that were found in the data
	any    bool              // symmetries were found
	clean  bool              // a polynomial comes so near to the target that there is no noise to speak of
}

// reduce looks for symmetries of p without the variables of drop; ok is false when there are none.
func reduce(ctx context.Context, p *dataset.Problem, drop map[int]bool) (r reduction, ok bool) {
	r = reduction{p: p, drop: drop, factor: expr.Num(1)}
	return r, r.symmetries(ctx)
}

// symmetries merges variables of what is left of p that enter together, and gives those that scale
// together units of their own; found reports whether there were any. Differences come before
// scalings, and these before sums of powers: reciprocals of two factors would pass for a sum where
// a polynomial fits badly, but not once the factors have units.
func (r *reduction) symmetries(ctx context.Context) (found bool) {
	for _, step := range []func(*reduction, *surrogate) bool{
		(*reduction).factors, (*reduction).differences, (*reduction).factors, (*reduction).scales, (*reduction).sums,
	} {
		for {
			g, ok := r.surrogate(ctx)
			if !ok {
				return found
			}
			r.clean = r.clean || g.miss < cleanMiss
			if !step(r, g) {
				break
			}
			found = true
		}
	}
	return found
}

// factors divides by one variable that enters only as a power.
func (r *reduction) factors(g *surrogate) bool {
	k, half, ok := g.factor()
	if ok {
		r.takeOut(g.s.keep[g.live[k]], half)
	}
	return ok
}

// differences merges two variables that enter only as their difference or sum.
func (r *reduction) differences(g *surrogate) bool { return r.mergeOne(g, 1) }

// sums does the same with their squares and reciprocals, too.
func (r *reduction) sums(g *surrogate) bool { return r.mergeOne(g, 1, 2, -1) }

func (r *reduction) mergeOne(g *surrogate, powers ...int) bool {
	for _, m := range g.sums(powers) {
		if g.adds(m) {
			r.merge(g, m)
			return true
		}
	}
	return false
}

// takeOut divides the target by xᵢ^(half/2).
func (r *reduction) takeOut(i, half int) {
	q := *r.p
	x := q.Vars[i]
	q.Target.Values = append([]float64(nil), q.Target.Values...)
	q.Weights = append([]float64(nil), q.Weights...)
	for k, v := range x.Values {
		f := math.Pow(v, float64(half)/2)
		q.Target.Values[k] /= f
		switch {
		case r.p.Weights != nil:
			q.Weights[k] *= f * f
		case q.Noise != 0:
			q.Weights = append(q.Weights, f*f)
		}
	}
	if q.Units {
		q.Target.Dim = q.Target.Dim.Div(x.Dim.Pow(unit.Rat(half, 2)))
	}
	r.factor = mul(r.factor, pow(r.written(i), half))
	r.leaveOut(i)
	r.p = &q
}

// leaveOut drops variables, in a set of its own.
func (r *reduction) leaveOut(vars ...int) {
	r.drop = maps.Clone(r.drop)
	if r.drop == nil {
		r.drop = map[int]bool{}
	}
	for _, i := range vars {
		r.drop[i] = true
	}
}

// surrogate is one of what is left; ok is false when there is no more to learn.
func (r *reduction) surrogate(ctx context.Context) (g *surrogate, ok bool) {
	s := newSpace(r.p, 1000, r.p.Units, r.drop)
	var live []int
	for i, x := range s.x {
		if !constant(x) {
			live = append(live, i)
		}
	}
	if len(live) < 2 || len(live) > maxSymmetric {
		return nil, false
	}
	return newSurrogate(ctx, s, live)
}

// merge puts xᵢ^p ± xⱼ^q in the place of both variables.
func (r *reduction) merge(g *surrogate, m merged) {
	q := *r.p
	i, j := g.s.keep[g.live[m.i]], g.s.keep[g.live[m.j]]
	a, b := q.Vars[i], q.Vars[j]
	op := expr.Add
	if m.sign < 0 {
		op = expr.Sub
	}
	sum := expr.Apply(op, pow(r.written(i), 2*m.p), pow(r.written(j), 2*m.q))
	q.Vars = append(q.Vars[:len(q.Vars):len(q.Vars)], dataset.Quantity{
		Dim: a.Dim.Pow(unit.Rat(m.p, 1)), Known: a.Known, Scale: 1, Values: m.values(a.Values, b.Values),
	})
	if r.merged == nil {
		r.merged = map[int]expr.Tree{}
	}
	r.merged[len(q.Vars)-1] = sum
	r.leaveOut(i, j)
	r.p = &q
}

// written is variable i in terms of the table's.
func (r *reduction) written(i int) expr.Tree {
	if t, ok := r.merged[i]; ok {
		return t
	}
	return expr.X(i)
}

// whole is the law of the whole problem that t, of what is left, stands for.
func (r *reduction) whole(t expr.Tree) expr.Tree {
	if len(r.merged) > 0 {
		var nodes []expr.Node
		for _, n := range t.Nodes() {
			if n.Op == expr.Var {
				nodes = append(nodes, r.written(int(n.Index)).Nodes()...)
				continue
			}
			nodes = append(nodes, n)
		}
		t, _ = expr.FromNodes(nodes)
	}
	return mul(t, r.factor)
}

// scales gives the problem a base unit, of those that it does not use, for each scaling that its
// units do not account for.
func (r *reduction) scales(g *surrogate) bool {
	var free []int
	var rows [][]float64
	for b := range len(unit.Dim{}) {
		row := make([]float64, len(g.live))
		used := r.p.Units && !r.p.Target.Dim[b].IsZero()
		for k, i := range g.live {
			if r.p.Units {
				row[k] = g.s.dims[i][b].Float64()
				used = used || row[k] != 0
			}
		}
		if !used {
			free = append(free, b)
		} else if u, ok := independent(rows, row); ok {
			rows = append(rows, u)
		}
	}
	found := g.scalings(rows)
	if len(found) == 0 {
		return false
	}
	q := *r.p
	q.Vars = append([]dataset.Quantity(nil), q.Vars...)
	if !q.Units {
		for i := range q.Vars {
			q.Vars[i].Dim = unit.Dim{}
		}
		q.Target.Dim, q.Units = unit.Dim{}, true
	}
	for n, b := range free[:min(len(free), len(found))] {
		for k, e := range found[n].d {
			q.Vars[g.s.keep[g.live[k]]].Dim[b] = unit.Rat(e, 1)
		}
		q.Target.Dim[b] = unit.Rat(int(2*found[n].a), 2)
	}
	r.p, r.scaled = &q, true
	return true
}
