package search

import (
	"iter"

	"github.com/physlib/lab/physlib/expr"
)

// factors yields what a product may hold, by rising cost: expressions with a free power and, with
// rates, exponentials of k times an expression. Monomials and powers of what was there are left
// out.
func (p *pool) factors(rates bool) iter.Seq[feature] {
	return func(yield func(feature) bool) {
		for i := range p.nodes {
			nd := &p.nodes[i]
			f := feature{role: asFactor, atom: int32(i), pow: 2, cost: int(nd.cost)}
			power := nd.shape == leaf || nd.shape == apply && (nd.fn == expr.Sqrt || nd.fn == expr.Square || nd.fn == expr.Inv || nd.fn == expr.Exp)
			if !power && !yield(f) {
				return
			}
			f.role, f.cost = asRate, f.cost+1
			if rates && !nd.trans && nd.shape != shift && !yield(f) {
				return
			}
		}
	}
}

// deepRates lists exponentials of k·g for functions g: growth whose rate decays, exp(k·exp(-x)), or
// a ratio to a power that varies, exp(k·exp(-x)·log q).
func (p *pool) deepRates() (all []feature) {
	for c := 1; c <= 4 && c < len(p.levels); c++ {
		for _, a := range p.levels[c] {
			nd := &p.nodes[a]
			if nd.trans && !nd.grid && (nd.shape == times || nd.shape == apply && nd.fn != expr.Log) {
				all = append(all, feature{role: asRate, atom: a, pow: 2, cost: c + 2})
			}
		}
	}
	return all
}
