package dictionary

import (
	"iter"

	"github.com/physlib/lab/physlib/expr"
)

// Factors yields the features of a product, for expressions a in the order of the pool. One stands
// for a factor a^p with p free. If rates is true, another one stands for a factor exp(k·a) with k
// free. For a^p it omits monomials, and expressions that are powers or exponentials of others.
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

// DeepRates returns features for factors exp(k·g) with k free, where g is a transcendental function
// or a product with one. An example is exp(k·exp(-x)), a growth that decays. Another is
// exp(k·exp(-x)·log q), a power of q that varies.
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
