package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// A term that occurs in the laws of two states, as in an exchange, is described once. The second
// occurrence costs as much as a state and its coefficient.
const (
	equalTerms = 0.02 // relative deviation at which two terms of one form count as equal
	sharedBits = 5    // bits per constant inside a term, about -log2 of equalTerms
)

// mutual returns the number of bits saved in the description of a system by recurring terms.
// params holds the constants of all trees, in turn. cols are columns of a field.
func (sr *searcher) mutual(trees []expr.Tree, params []float64, cols [][]float64) (bits float64) {
	if len(trees) < 2 || len(cols) == 0 {
		return 0
	}
	var known []recurring
	for _, t := range trees {
		n := t.NumParams()
		if t.Len() == 0 || n > len(params) {
			params = params[min(n, len(params)):]
			continue
		}
		own := recurringTerms(t.Bind(params[:n]), cols)
		params = params[n:]
		for _, a := range own {
			if slices.ContainsFunc(known, func(b recurring) bool { return a.form == b.form && proportional(a.value, b.value) }) {
				bits += sr.saved(a.tree)
			}
		}
		known = append(known, own...)
	}
	return bits
}

// saved returns the number of bits saved when a term recurs. The term may have a coefficient.
func (sr *searcher) saved(term expr.Tree) float64 {
	t := scaled(term)
	reference := law.Complexity(expr.Apply(expr.Mul, expr.C(0, 1), expr.X(0)), len(sr.names))
	return max(0, law.Complexity(t, len(sr.names))-reference) + sharedBits*float64(max(0, t.NumParams()-1))
}

// recurring is an addend of a law with a free coefficient.
type recurring struct {
	tree  expr.Tree // with free constants, including the coefficient
	form  uint64
	value []float64
}

// recurringTerms returns the addends of t that are longer than a single state.
func recurringTerms(t expr.Tree, cols [][]float64) (out []recurring) {
	for _, a := range terms(t) {
		b := bare(a)
		if b.Len() < 3 || len(b.Vars()) == 0 {
			continue
		}
		tree := scaled(b)
		value := make([]float64, len(cols[0]))
		expr.Compile(b).Eval(value, cols, nil)
		out = append(out, recurring{tree, tree.Hash(), value})
	}
	return out
}

// scaled returns t with a coefficient, and with its numbers except exponents as free constants.
// Redundant constants are merged.
func scaled(t expr.Tree) expr.Tree {
	nodes := slices.Clone(freed(t).Nodes())
	free := int32(freed(t).NumParams())
	for i, n := range nodes {
		if n.Op == expr.Number && math.Abs(n.Value) == 1 && (i+1 == len(nodes) || nodes[i+1].Op != expr.Pow) {
			nodes[i] = expr.Node{Op: expr.Param, Index: free, Value: n.Value}
			free++
		}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return expr.Apply(expr.Mul, expr.C(int(free), 1), out).AbsorbParams()
}

// recurring returns the terms of the other chosen laws that equation k may share.
func (sr *searcher) recurring(k int) (out []expr.Tree) {
	for j, c := range sr.best {
		if j == k || c == nil {
			continue
		}
		for _, t := range terms(c.tree.Bind(c.tree.Params())) {
			b := bare(t)
			if b.Len() >= 3 && len(b.Vars()) > 0 && sr.admits(k, expr.Apply(expr.Mul, expr.C(0, 1), b)) {
				out = append(out, freedInside(b))
			}
		}
	}
	return out
}

// proportional reports whether two columns are proportional to within equalTerms.
func proportional(a, b []float64) bool {
	aa, ab, bb := dot(a, a), dot(a, b), dot(b, b)
	return aa > 0 && bb > 0 && 1-ab*ab/(aa*bb) <= equalTerms*equalTerms
}

// someRows is the number of rows at which terms are compared.
const someRows = 60

// some returns the columns of a field at rows spread over all runs.
func (sr *searcher) some() [][]float64 {
	sr.once.Do(func() {
		cols := sr.rowsOf(0)
		every := (len(cols[0])-1)/someRows + 1
		for _, c := range cols {
			sr.sample = append(sr.sample, thinned(c, every))
		}
	})
	return sr.sample
}
