package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Under noise, a search on the derivatives often finds a law close to the true one: a constant is
// rounded to 1, a power is wrong, or an addend of a denominator is missing. So the best laws of
// each equation are edited, one edit at a time, and fitted to the integral form of the equation.
const (
	parents       = 3   // largest number of laws that are edited in an iteration
	generations   = 3   // largest number of iterations
	mostEdits     = 240 // largest number of edits of one law
	children      = 6   // largest number of edited laws that are kept in an iteration
	editMargin    = 10  // an edited law is kept if it is at most this many bits above the best law
	editSteps     = 8   // largest number of steps in the fit of an edited law
	neighbourName = "edit"
)

// refine edits the best laws of equation k and scores the edited laws on the integral form f. Those
// that score about as well as the best law are added to the pool. refine repeats this, at most
// `generations` times, with the best laws that were not edited yet.
func (sr *searcher) refine(ctx context.Context, k int, f *integralForm) {
	if f == nil {
		return
	}
	p := &sr.pools[k]
	edited := map[*candidate]bool{}
	for range generations {
		slices.SortStableFunc(p.list, func(a, b *candidate) int { return compareScores(a.alone, b.alone) })
		var from []*candidate
		for _, c := range p.list[:min(len(p.list), 2*parents)] {
			if !edited[c] && !math.IsInf(c.alone, 0) && len(from) < parents {
				from = append(from, c)
				edited[c] = true
			}
		}
		if len(from) == 0 || ctx.Err() != nil {
			return
		}
		found := sr.edits(ctx, k, f, from)
		for _, c := range found[:min(len(found), children)] {
			if c.alone < p.list[0].alone+editMargin {
				p.seen[c.tree.Hash()], p.list = c, append(p.list, c)
			}
		}
	}
}

// edits returns the new neighbours of the given laws, fitted to f, best first.
func (sr *searcher) edits(ctx context.Context, k int, f *integralForm, from []*candidate) (out []*candidate) {
	p := &sr.pools[k]
	if p.edited == nil {
		p.edited = map[uint64]bool{}
	}
	for _, c := range from {
		for _, t := range neighbours(c.tree, len(sr.names)) {
			hash := t.Hash()
			if p.edited[hash] || p.seen[hash] != nil || !plausible(t) || !sr.admits(k, t) {
				continue
			}
			p.edited[hash] = true
			n := sr.newCandidate(k, t, neighbourName)
			n.alone = math.Inf(1) // score of a law that is never fitted
			out = append(out, n)
		}
	}
	best := from[0].alone
	parallel(ctx, len(out), func(i int) {
		c := out[i]
		params, rss, precision := f.fit(c.tree, editSteps, func(step int, rss float64) bool {
			return step >= 3 && c.bits+sr.dataBits(f, k, rss) > best+editHopeless
		})
		if math.IsInf(rss, 0) || math.IsNaN(rss) {
			return
		}
		c.tree = c.tree.WithStarts(params)
		c.law.Tree, c.law.Constants = c.tree, law.NewConstants(params, nil)
		c.alone = c.bits + precision + sr.dataBits(f, k, rss) + sr.oddities([]expr.Tree{c.tree}, params)
	})
	slices.SortStableFunc(out, func(a, b *candidate) int { return compareScores(a.alone, b.alone) })
	return out
}

// editHopeless is a number of bits. The fit of an edited law ends early if the law is farther above
// the best law.
const editHopeless = 60

// neighbours returns at most mostEdits laws that differ from
// t by one edit. An edit does one of these:
//
//   - It removes a subtree, adds an addend to it, or multiplies or divides it by a column.
//   - It changes a column or a power.
//   - It turns a number into a free constant, or gives a column a free coefficient.
//   - It gives each term of a sum its own coefficient.
//
// columns is the number of columns.
func neighbours(t expr.Tree, columns int) (out []expr.Tree) {
	e := editor{tree: t, columns: columns, free: t.NumParams(), seen: map[uint64]bool{t.Hash(): true}}
	for i := range t.Len() {
		e.at(i)
	}
	return e.out[:min(len(e.out), mostEdits)]
}

// simplifications returns the laws that follow from t if one function or operation is replaced by
// one of its operands.
func simplifications(t expr.Tree) []expr.Tree {
	e := editor{tree: t, seen: map[uint64]bool{t.Hash(): true}}
	for i := range t.Len() {
		for _, a := range t.Subtree(i).Args() {
			e.put(i, a)
		}
	}
	return e.out
}

// at adds all edits of the subtree that ends at node i.
func (e *editor) at(i int) {
	n, s := e.tree.Nodes()[i], e.tree.Subtree(i)
	ap := expr.Apply
	switch {
	case n.Op == expr.Number:
		e.number(i, n.Value)
		return
	case n.Op == expr.Param:
		return
	case n.Op == expr.Var:
		for j := range e.columns {
			e.put(i, expr.X(j))
		}
		e.put(i, ap(expr.Mul, expr.C(e.free, 1), s))
	}
	if n.Op == expr.Add || n.Op == expr.Sub {
		e.put(i, e.untied(s))
	}
	for _, a := range s.Args() {
		e.put(i, a)
	}
	if i < e.tree.Len()-1 { // at the root of the law, extend finds addends instead
		c := expr.C(e.free, smallStart)
		e.put(i, ap(expr.Add, s, c))
		for j := range e.columns {
			e.put(i, ap(expr.Add, s, ap(expr.Mul, c, expr.X(j))))
			e.put(i, ap(expr.Add, s, ap(expr.Mul, c, ap(expr.Square, expr.X(j)))))
		}
	}
	for j := range e.columns {
		e.put(i, ap(expr.Mul, s, expr.X(j)))
		e.put(i, ap(expr.Div, s, expr.X(j)))
	}
}

// untied returns the sum t with a separate free coefficient for each term, as a*x + b*y + c for
// a*(x + y) + 1. A term with a constant inside a function stays.
func (e *editor) untied(t expr.Tree) expr.Tree {
	var out []expr.Tree
	for i, a := range terms(t) {
		b := bare(a)
		if b.NumParams() > 0 {
			out = append(out, a)
			continue
		}
		start := 1.0
		if a.Root() == expr.Neg {
			start = -1
		}
		for _, n := range a.Nodes() {
			if n.Op == expr.Param {
				start *= n.Value
			}
		}
		term := expr.C(e.free+i, start)
		if len(b.Vars()) > 0 {
			term = expr.Apply(expr.Mul, term, b)
		}
		out = append(out, term)
	}
	return total(out)
}

// smallStart is the starting value of the coefficient of a new addend.
const smallStart = 0.01

// number adds edits of the number v at node i. An exponent becomes another number. Any other number
// becomes a free constant.
func (e *editor) number(i int, v float64) {
	nodes := e.tree.Nodes()
	if i+1 < len(nodes) && nodes[i+1].Op == expr.Pow {
		for _, d := range []float64{-1, -0.5, 0.5, 1} {
			if v+d != 0 {
				e.put(i, expr.Num(v+d))
			}
		}
		return
	}
	e.put(i, expr.C(e.free, v))
}

// editor collects edits of a tree.
type editor struct {
	tree    expr.Tree
	columns int
	free    int // slot of a new constant
	seen    map[uint64]bool
	out     []expr.Tree
}

// put adds a copy of the tree in which the tree by replaces the subtree that ends at node i.
func (e *editor) put(i int, by expr.Tree) {
	nodes := e.tree.Nodes()
	lo := expr.SubtreeStart(nodes, i)
	next := slices.Concat(nodes[:lo], by.Nodes(), nodes[i+1:])
	t, ok := expr.FromNodes(next)
	if !ok {
		return
	}
	t = shortened(t.AbsorbParams())
	if hash := t.Hash(); len(t.Vars()) > 0 && !e.seen[hash] {
		e.seen[hash] = true
		e.out = append(e.out, t)
	}
}
