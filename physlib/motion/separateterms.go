package motion

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Limits on sums of terms with separate coefficients in each group of runs.
const (
	separateTerms = 4  // largest number of terms in a sum
	separateWidth = 40 // number of sums that are kept for each length
	separateTried = 16 // number of sums for which all choices of shared coefficients are tried
	// Least number of bits by which separate coefficients must shorten the description.
	separateGain = 20
	// Smaller residual sums of squares, relative to that of the target, are ascribed to the
	// integration of smoothed states.
	separateRSS  = 1e-8
	mostSeparate = 2     // largest number of separate constants
	leastCosine  = 0.995 // cosine above which two separate coefficients count as one
)

// separate returns first estimates of the constants that have separate values in the groups of
// runs: coefficients of the sums of library terms that best describe the equations. It also returns
// these sums as laws, by equation. It returns nil if sums with the same coefficients in all runs
// are as good, or if ctx ends.
func (tr *Trajectories) separate(ctx context.Context, s Settings) (own []Separate, laws [][]law.Law) {
	sr := &searcher{tr: tr, s: s, began: s.Clock.Now()}
	sr.prepare(ctx)
	if ctx.Err() != nil {
		return nil, nil
	}
	labels, of := tr.groups()
	laws = make([][]law.Law, sr.numLaws())
	for k := range sr.numLaws() {
		sum := sr.separateCoefficients(ctx, k, len(labels), of)
		columns := make([]int, len(sum.terms)) // index in own of the coefficient of each term
		for i, v := range sum.separate {
			if v == nil {
				columns[i] = -1
				continue
			}
			columns[i] = slices.IndexFunc(own, func(c Separate) bool { return parallels(c.Values, v) })
			if columns[i] < 0 && len(own) < mostSeparate {
				columns[i] = len(own)
				own = append(own, Separate{Name: tr.separateName(len(own)), Groups: labels, Values: v})
			}
		}
		laws[k] = sr.separateLaw(own, sum, columns)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	return own, laws
}

// separateLaw returns a sum of terms as a law. columns[i] is the index in own of the separate
// coefficient of term i, or -1. It returns no law if a separate coefficient is not in own, or if
// there is none.
func (sr *searcher) separateLaw(own []Separate, sum separateSum, columns []int) []law.Law {
	l := law.Law{Vars: slices.Clone(sr.names), Proposer: sparseName}
	for _, c := range own {
		l.Vars = append(l.Vars, c.Name)
	}
	var list []expr.Tree
	free := 0
	for i, t := range sum.terms {
		if columns[i] < 0 && sum.separate[i] != nil {
			return nil
		}
		nodes := slices.Clone(t.Nodes())
		for n := range nodes {
			if nodes[n].Op == expr.Param {
				nodes[n].Index += int32(free)
			}
		}
		term, _ := expr.FromNodes(nodes)
		free += t.NumParams()
		term = expr.Apply(expr.Mul, expr.C(free, 1), term)
		free++
		if columns[i] >= 0 {
			term = expr.Apply(expr.Mul, term, expr.X(len(sr.names)+columns[i]))
		}
		list = append(list, term)
	}
	if len(list) == 0 {
		return nil
	}
	l.Tree = total(list).AbsorbParams()
	l.Constants = law.NewConstants(l.Tree.Params(), nil)
	return []law.Law{l}
}

// separateName returns the name of a separate constant, such as k_run.
func (tr *Trajectories) separateName(i int) string {
	name := "k_" + tr.Group.Name
	if i > 0 {
		name = fmt.Sprintf("k%d_%s", i+1, tr.Group.Name)
	}
	for used := append(tr.vars(), tr.Time); slices.ContainsFunc(used, called(name)); {
		name += "_"
	}
	return name
}

// parallels reports whether a and b are proportional.
func parallels(a, b []float64) bool {
	return math.Abs(dot(a, b)) > leastCosine*math.Sqrt(dot(a, a)*dot(b, b))
}

// separateBeam is the selection of terms with separate coefficients in each group.
type separateBeam struct {
	*beam          // of all rows together
	groups []*beam // of the rows of each group
	extra  float64 // bits of the further coefficients of a term with separate coefficients
}

// separateSum is a sum of terms, some of which have separate coefficients.
type separateSum struct {
	terms    []expr.Tree
	separate [][]float64 // coefficients of each term by group; nil: shared
}

// separateCoefficients returns the sum of terms that best describes equation k with separate
// coefficients. It is empty if a sum with the same coefficients in all groups is as good. of holds
// the group of each run, and n is the number of groups.
func (sr *searcher) separateCoefficients(ctx context.Context, k, n int, of []int) (sum separateSum) {
	m := sr.matching(k)
	if m == nil {
		return sum
	}
	b := &separateBeam{beam: sr.newBeam(ctx, k, m)}
	b.extra = float64(n-1) * math.Log2(max(b.rows/float64(n), 2)) / 2
	b.floor = max(b.floor, separateRSS*b.cost)
	for g := range n {
		b.groups = append(b.groups, m.group(ctx, m.groupRows(of, g)))
	}
	shared := b.beam.sums(ctx)
	sums := b.sums(ctx)
	if ctx.Err() != nil || len(shared) == 0 {
		return sum
	}
	least := shared[0].bits
	best := assigned{bits: math.Inf(1)}
	for _, s := range sums[:min(len(sums), separateTried)] {
		for mask := range 1 << len(s.terms) {
			switch a := b.assign(s.terms, mask); {
			case mask == 0:
				least = min(least, a.bits)
			case a.bits < best.bits:
				best = a
			}
		}
	}
	if best.bits > least-separateGain {
		return sum
	}
	for i, a := range best.terms {
		if v := best.separate[i]; v != nil {
			floats.Scale(math.Copysign(1/m.size[a], floats.Sum(v)), v) // mostly positive
		}
		sum.terms = append(sum.terms, m.trees[a])
	}
	sum.separate = best.separate
	return sum
}

// groupRows returns the rows of f that belong to the runs of group g.
func (f *integralForm) groupRows(of []int, g int) (rows []int) {
	at := 0
	for _, w := range f.wins {
		for range w.n + 1 {
			if at%f.every == 0 && of[w.run] == g {
				rows = append(rows, at/f.every)
			}
			at++
		}
	}
	return rows
}

// group returns the inner products of the terms over some of the rows.
func (m *matching) group(ctx context.Context, rows []int) *beam {
	pick := func(v []float64) []float64 {
		out := make([]float64, len(rows))
		for i, r := range rows {
			out[i] = v[r]
		}
		return out
	}
	l := termMatrix{trees: m.trees, y: pick(m.termMatrix.y)}
	for _, v := range m.cols {
		l.cols = append(l.cols, pick(v))
	}
	return l.beam(ctx, func(expr.Tree) float64 { return 0 })
}

// sums returns the sums that best describe the target if each group has separate coefficients, best
// first.
func (b *separateBeam) sums(ctx context.Context) (all []subset) {
	own := *b.beam
	own.prices = slices.Clone(own.prices)
	for i := range own.prices {
		own.prices[i] += b.extra
	}
	level := []subset{{}}
	for range separateTerms {
		lists := make([][]subset, len(level))
		parallel(ctx, len(level), func(i int) {
			rest := make([]leftover, len(b.withTarget))
			for _, g := range b.groups {
				for a, r := range g.remaining(level[i].terms) {
					rest[a].rss += r.rss
				}
			}
			lists[i] = own.extended(level[i], rest)
		})
		if ctx.Err() != nil {
			return nil
		}
		level = distinct(slices.Concat(lists...))
		level = level[:min(len(level), separateWidth)]
		all = append(all, level...)
	}
	slices.SortFunc(all, compareSubsets)
	return all
}

// assigned is a sum whose coefficients are shared or separate.
type assigned struct {
	terms    []int
	separate [][]float64 // coefficients of each term by group; nil: shared
	bits     float64
}

// assign fits a sum of terms. Bit i of mask says whether term i has separate coefficients.
func (b *separateBeam) assign(terms []int, mask int) assigned {
	type unknown struct{ term, group int } // group -1: shared
	var list []unknown
	out := assigned{terms: terms, separate: make([][]float64, len(terms)), bits: math.Inf(1)}
	price := 0.0
	for i, a := range terms {
		price += b.prices[a]
		if mask>>i&1 == 0 {
			list = append(list, unknown{i, -1})
			continue
		}
		price += b.extra
		for g := range b.groups {
			list = append(list, unknown{i, g})
		}
	}
	normal, right := mat.NewSymDense(len(list), nil), mat.NewVecDense(len(list), nil)
	for i, u := range list {
		for g, one := range b.groups {
			if u.group >= 0 && u.group != g {
				continue
			}
			right.SetVec(i, right.AtVec(i)+one.withTarget[terms[u.term]])
			for j, v := range list[:i+1] {
				if v.group < 0 || v.group == g {
					normal.SetSym(i, j, normal.At(i, j)+one.gram[terms[u.term]][terms[v.term]])
				}
			}
		}
	}
	var factor mat.Cholesky
	var x mat.VecDense
	if !factor.Factorize(normal) || factor.SolveVecTo(&x, right) != nil {
		return out
	}
	out.bits = price + b.rows/2*math.Log2(max(b.cost-mat.Dot(&x, right), b.floor))
	for i, u := range list {
		if u.group >= 0 {
			out.separate[u.term] = append(out.separate[u.term], x.AtVec(i))
		}
	}
	return out
}

// called returns a function that reports whether a column has the given name.
func called(name string) func(dataset.Column) bool {
	return func(c dataset.Column) bool { return c.Name == name }
}
