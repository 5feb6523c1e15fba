package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// separateFit fits separate constants of groups of runs to trajectories, see fitSeparate.
type separateFit struct {
	sr     *searcher
	own    []Separate
	groups []string
	res    *Result     // laws in which the separate constants are columns
	trees  []expr.Tree // laws with the separate constants as sums over groups
	wins   []window
	// For each separate constant and each equation that contains it, the equation. Its values are
	// the last constants of this equation, see marked.
	first [][]int
}

// newSeparateFit returns the fit of own, the separate constants of groups, in the laws of res.
func (sr *searcher) newSeparateFit(own []Separate, groups []string, res *Result) *separateFit {
	f := &separateFit{sr: sr, own: own, groups: groups, res: res, first: make([][]int, len(own))}
	for k, e := range res.Equations {
		f.trees = append(f.trees, f.marked(k, e))
	}
	f.trees = append(f.trees, make([]expr.Tree, sr.tr.Inputs)...)
	f.wins = sr.d.windows(res.Window, mostIntervals/windowLength)
	return f
}

// replaceFunctions replaces functions of a separate constant alone by the constant itself, in the
// laws of f.res, if the laws then fit as well. Such functions are the same as other values of the
// constant. They may describe errors of the first estimates of these values.
func (f *separateFit) replaceFunctions(ctx context.Context) {
	least := f.run(ctx, f.trees)
	for k := range f.res.Equations {
		for _, c := range f.own {
			for _, l := range withoutFunctions(f.res.Equations[k].Law, c) {
				res := *f.res
				res.Equations = slices.Clone(res.Equations)
				res.Equations[k].Law = l
				trial := f.sr.newSeparateFit(f.own, f.groups, &res)
				shot := trial.run(ctx, trial.trees)
				if ctx.Err() != nil {
					return
				}
				if shot.Lost == 0 && (least.Lost > 0 || sum64(shot.RSS) <= replaceable*sum64(least.RSS)) {
					least = shot
					f.res.Equations, f.trees, f.first = res.Equations, trial.trees, trial.first
					break
				}
			}
		}
	}
}

// withoutFunctions returns forms of l without functions of the separate constant c alone. Each such
// function, and each occurrence of c by itself, is replaced by a multiple of c or by a number.
// Short forms come first.
func withoutFunctions(l law.Law, c Separate) (out []law.Law) {
	j := slices.Index(l.Vars, c.Name)
	if j < 0 || l.Tree.Len() == 0 {
		return nil
	}
	t := l.Tree.WithStarts(l.Params())
	parts := functionsOf(t, j)
	if len(parts) == 0 || len(parts) > mostFunctions || len(parts) == 1 && expr.Equal(bare(t.Subtree(parts[0])), expr.X(j)) {
		return nil
	}
	cols := make([][]float64, len(l.Vars))
	cols[j] = []float64{mean(c.Values)}
	value := make([]float64, 1)
	for mask := 1; mask < 1<<len(parts); mask++ {
		nodes, free := t.Nodes(), t.NumParams()
		for i, end := range slices.Backward(parts) {
			s := t.Subtree(end)
			expr.Compile(s).Eval(value, cols, t.Params())
			by := expr.C(free, value[0])
			if mask>>i&1 == 1 {
				by = expr.Apply(expr.Mul, expr.C(free, value[0]/cols[j][0]), expr.X(j))
			}
			free++
			nodes = slices.Concat(nodes[:expr.SubtreeStart(nodes, end)], by.Nodes(), nodes[end+1:])
		}
		form, _ := expr.FromNodes(nodes)
		form = form.CompactParams().AbsorbParams()
		n := l
		n.Tree, n.Constants = form, law.NewConstants(form.Params(), nil)
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b law.Law) int {
		return cmp.Or(cmp.Compare(a.Tree.Len(), b.Tree.Len()),
			cmp.Compare(len(a.Tree.Denominators()), len(b.Tree.Denominators())))
	})
	return out
}

// mostFunctions is the largest number of functions of a separate constant in a law that are
// replaced.
const mostFunctions = 4

// functionsOf returns the last nodes of the largest subtrees of t that contain column j and no
// other column, in ascending order.
func functionsOf(t expr.Tree, j int) (out []int) {
	for i := t.Len() - 1; i >= 0; i-- {
		if v := t.Subtree(i).Vars(); len(v) == 1 && v[0] == j {
			out = append(out, i)
			i = expr.SubtreeStart(t.Nodes(), i)
		}
	}
	slices.Reverse(out)
	return out
}

// run fits the system of trees.
func (f *separateFit) run(ctx context.Context, trees []expr.Tree) *trajectoryFit {
	done := func(float64, int) bool { return ctx.Err() != nil }
	return f.sr.d.shoot(f.sr.field(trees), f.wins, f.sr.tolerance(), 30, nil, done)
}

// marked returns the law of equation k in the columns of f.sr. Each separate constant in it is
// replaced by a sum over the groups of a free constant times the column of the group. These free
// constants follow those of the law. A further equation with the same separate constant gets values
// of its own, which start equal.
func (f *separateFit) marked(k int, e Equation) expr.Tree {
	if e.Law.Tree.Len() == 0 {
		return expr.Tree{}
	}
	t := e.Law.Tree.WithStarts(e.Law.Params())
	free := t.NumParams()
	sums := map[string]expr.Tree{}
	for i, c := range f.own {
		var sum expr.Tree
		if !slices.ContainsFunc(t.Vars(), func(j int) bool { return e.Law.Vars[j] == c.Name }) {
			continue
		}
		for g, label := range f.groups {
			column := slices.Index(f.sr.names, "group "+label)
			term := expr.Apply(expr.Mul, expr.C(free, c.Values[g]), expr.X(column))
			free++
			if g == 0 {
				sum = term
			} else {
				sum = expr.Apply(expr.Add, sum, term)
			}
		}
		f.first[i] = append(f.first[i], k)
		sums[c.Name] = sum
	}
	return t.ReplaceLeaves(func(n expr.Node) expr.Tree {
		if n.Op != expr.Var {
			return expr.Tree{}
		}
		name := e.Law.Vars[n.Index]
		if sum, ok := sums[name]; ok {
			return sum
		}
		return expr.X(slices.Index(f.sr.names, name))
	})
}

// fit fits all constants. If the values of the groups can absorb a constant, which is then an
// addend or a common factor, it becomes 0 or 1. Otherwise the values would not be determined. It
// returns nil if the system could not be integrated.
func (f *separateFit) fit(ctx context.Context) *trajectoryFit {
	best := f.run(ctx, f.trees)
	if best.Lost > 0 {
		return nil
	}
	s := &system{searcher: f.sr, trees: f.trees}
	f.trees = s.withParams(best)
	for k := range f.trees {
		for slot := f.shared(k) - 1; slot >= 0; slot-- {
			for _, v := range []float64{0, 1} {
				trial := slices.Clone(f.trees)
				trial[k] = f.without(k, slot, v)
				shot := f.run(ctx, trial)
				if ctx.Err() != nil {
					return nil
				}
				if shot.Lost == 0 && sum64(shot.RSS) <= replaceable*sum64(best.RSS) {
					s.trees, best = trial, shot
					f.trees = s.withParams(shot)
					break
				}
			}
		}
	}
	return best
}

// without returns the law of equation k with v in place of the free constant in a slot. If v is 1,
// the separate values start at their products with this constant, as if it were a common factor.
func (f *separateFit) without(k, slot int, v float64) expr.Tree {
	t := f.trees[k].SubstituteParam(slot, expr.Num(v)).CompactParams()
	if v != 1 {
		return t
	}
	starts := slices.Clone(t.Params())
	floats.Scale(f.trees[k].Params()[slot], starts[f.shared(k)-1:])
	return t.WithStarts(starts)
}

// replaceable is the largest factor by which the misfit may grow if a constant becomes 0 or 1.
const replaceable = 1.001

// shared returns the number of constants of equation k that all groups share.
func (f *separateFit) shared(k int) int {
	n := f.trees[k].NumParams()
	for _, equations := range f.first {
		if slices.Contains(equations, k) {
			n -= len(f.groups)
		}
	}
	return n
}

// store sets the values and errors of the separate constants from the fit. A separate constant of
// several equations gets the values and errors of the first of these equations. The sign of a
// constant is chosen such that its values are mostly positive.
func (f *separateFit) store(shot *trajectoryFit) {
	for i := range f.own {
		c := &f.own[i]
		k := f.first[i][0]
		at := f.shared(k)
		for _, t := range f.trees[:k] {
			at += t.NumParams()
		}
		for j := range i {
			if slices.Contains(f.first[j], k) {
				at += len(f.groups)
			}
		}
		c.Values = slices.Clone(shot.Params[at : at+len(f.groups)])
		floats.Scale(math.Copysign(1, floats.Sum(c.Values)), c.Values)
		c.StdErr = slices.Clone(shot.StdErr[at : at+len(f.groups)])
	}
}
