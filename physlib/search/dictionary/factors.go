package dictionary

import (
	"iter"

	"github.com/physlib/lab/physlib/expr"
)

// Factors yields what a product may hold, by rising cost: expressions with a free power and, with
// rates, exponentials of k times an expression. Monomials and powers of what was there are left
// out.
func (p *Pool) Factors(rates bool) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for i := range p.nodes {
			nd := &p.nodes[i]
			f := Feature{Role: Factor, Expr: int32(i), Half: 2, Cost: int(nd.cost)}
			power := nd.shape == leaf || nd.shape == apply && (nd.fn == expr.Sqrt || nd.fn == expr.Square || nd.fn == expr.Inv || nd.fn == expr.Exp)
			if !power && !yield(f) {
				return
			}
			f.Role, f.Cost = Rate, f.Cost+1
			if rates && !nd.trans && nd.shape != shift && !yield(f) {
				return
			}
		}
	}
}

// DeepRates returns rates for exp(k·g) with g a transcendental function or a product with one: in
// exp(k·exp(-x)) growth decays, and exp(k·exp(-x)·log q) is a power of q that varies.
func (p *Pool) DeepRates() (all []Feature) {
	for c := 1; c <= 4 && c < len(p.levels); c++ {
		for _, a := range p.levels[c] {
			nd := &p.nodes[a]
			if nd.trans && !nd.grid && (nd.shape == times || nd.shape == apply && nd.fn != expr.Log) {
				all = append(all, Feature{Role: Rate, Expr: a, Half: 2, Cost: c + 2})
			}
		}
	}
	return all
}
