package motion

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// States often exchange a quantity, as in reactions, food chains and pairs of forces. So the search
// for the law of one equation gets terms of the other equations' laws as additional columns. In the
// laws found, these columns are replaced by the terms.

// termColumn is a term of the law of another equation, added to the table as a column.
type termColumn struct {
	column dataset.Column
	tree   expr.Tree // over the columns of the right-hand sides
}

// Limits for terms that become columns. Shorter terms are found by the search itself.
const (
	mostOthers = 3 // largest number of terms
	leastNodes = 5 // least number of nodes of a term
)

// otherTerms returns at most mostOthers terms of the laws of all equations except k. From each law,
// it takes the longest terms first.
func (sr *searcher) otherTerms(k int) []termColumn {
	var out []termColumn
	for j, c := range sr.best {
		if j == k || c == nil {
			continue
		}
		terms := terms(c.tree.Bind(c.tree.Params()))
		slices.SortStableFunc(terms, func(a, b expr.Tree) int { return cmp.Compare(b.Len(), a.Len()) })
		for _, t := range terms {
			t = bare(t)
			if t.Len() >= leastNodes && len(t.Vars()) > 0 && len(out) < mostOthers &&
				!slices.ContainsFunc(out, func(o termColumn) bool { return o.tree.Hash() == t.Hash() }) {
				column := sr.tr.rate(j, sr.tr.Order)
				column.Name = "term" + string(rune('A'+len(out)))
				if column.HasUnit && len(sr.tr.States) > 0 {
					column.HasUnit = sr.balances(j, t)
				}
				out = append(out, termColumn{column, t})
			}
		}
	}
	return out
}

// balances reports whether t has the dimension of the rate of equation j.
func (sr *searcher) balances(j int, t expr.Tree) bool {
	dims, known, target, targetKnown := sr.dims(j)
	_, violation := t.ParamDimsKnown(dims, known, target, targetKnown)
	return violation == 0
}

// bare returns t without constant factors.
func bare(t expr.Tree) expr.Tree { return unscaled(t.Simplify()) }

// unscaled returns t without the constant factors of its products and quotients.
func unscaled(t expr.Tree) expr.Tree {
	args := t.Args()
	constant := func(i int) bool { return len(args[i].Vars()) == 0 }
	switch op := t.Root(); {
	case op == expr.Neg, op == expr.Mul && constant(1), op == expr.Div && constant(1):
		return unscaled(args[0])
	case op == expr.Mul && constant(0):
		return unscaled(args[1])
	case op == expr.Div && constant(0):
		return expr.Apply(op, expr.Num(1), unscaled(args[1]))
	case op == expr.Mul, op == expr.Div:
		return expr.Apply(op, unscaled(args[0]), unscaled(args[1]))
	}
	return t
}

// addTerms adds the columns of terms to a table.
func (sr *searcher) addTerms(t *dataset.Table, terms []termColumn) {
	cols := columns(sr.names, t)
	for _, l := range terms {
		l.column.Values = make([]float64, t.Rows())
		expr.Compile(l.tree).Eval(l.column.Values, cols, nil)
		if slices.ContainsFunc(l.column.Values, func(v float64) bool { return v-v != 0 }) {
			clear(l.column.Values)
		}
		t.Vars = append(t.Vars, l.column)
	}
}

// withTerms returns l with the added columns replaced by their terms.
func (sr *searcher) withTerms(l law.Law, terms []termColumn) law.Law {
	if len(terms) == 0 {
		return l
	}
	vars := slices.Clone(sr.names)
	var nodes []expr.Node
	for _, n := range l.Tree.Nodes() {
		if n.Op == expr.Var {
			name := l.Vars[n.Index]
			if i := slices.IndexFunc(terms, func(t termColumn) bool { return t.column.Name == name }); i >= 0 {
				nodes = append(nodes, terms[i].tree.Nodes()...)
				continue
			}
			n.Index = int32(slices.Index(vars, name))
		}
		nodes = append(nodes, n)
	}
	if t, ok := expr.FromNodes(nodes); ok && len(nodes) > 0 {
		l.Tree, l.Vars = t.Simplify(), vars
		l.Constants = law.NewConstants(l.Tree.Params(), nil)
	}
	return l
}

// terms returns the addends of t with their signs. Products and quotients of sums are expanded.
func terms(t expr.Tree) []expr.Tree {
	args := t.Args()
	over := func(list []expr.Tree, f func(expr.Tree) expr.Tree) (out []expr.Tree) {
		for _, a := range list {
			if a.Root() == expr.Neg {
				out = append(out, expr.Apply(expr.Neg, f(a.Args()[0])))
			} else {
				out = append(out, f(a))
			}
		}
		return out
	}
	negative := func(list []expr.Tree) (out []expr.Tree) {
		for _, a := range list {
			if a.Root() == expr.Neg {
				out = append(out, a.Args()[0])
			} else {
				out = append(out, expr.Apply(expr.Neg, a))
			}
		}
		return out
	}
	switch op := t.Root(); op {
	case expr.Add:
		return append(terms(args[0]), terms(args[1])...)
	case expr.Sub:
		return append(terms(args[0]), negative(terms(args[1]))...)
	case expr.Neg:
		return negative(terms(args[0]))
	case expr.Div:
		return over(terms(args[0]), func(a expr.Tree) expr.Tree { return expr.Apply(op, a, args[1]) })
	case expr.Mul:
		if right := terms(args[1]); len(right) > 1 {
			return over(right, func(b expr.Tree) expr.Tree { return expr.Apply(op, args[0], b) })
		}
		return over(terms(args[0]), func(a expr.Tree) expr.Tree { return expr.Apply(op, a, args[1]) })
	}
	return []expr.Tree{t}
}
