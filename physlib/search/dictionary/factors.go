package dictionary

import (
	"iter"

	"github.com/physlib/lab/physlib/expr"
)

// Factors yields features for factors of a product. For each expression a of the pool, in order, it
// yields a feature for a factor a^p with p free. If rates is true, it also yields a feature for a
// factor exp(k·a) with k free. There is no factor a^p if a is a monomial, or a power or exponential
// of another expression.
func (p *Pool) Factors(rates bool) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for i := range p.nodes {
			nd := &p.nodes[i]
			f := Feature{Role: Factor, Expr: int32(i), Half: 2, Cost: int(nd.cost)}
			other := nd.shape == leaf || nd.shape == apply && repeats(nd.fn, 0)
			if !other && !yield(f) {
				return
			}
			f.Role, f.Cost = Rate, f.Cost+1
			if rates && !nd.transcendental && nd.shape != shift && !yield(f) {
				return
			}
		}
	}
}

// DeepRates returns features for factors exp(k·g) with k free, where g is a transcendental function
// or a product that contains one. An example is exp(k·exp(-x)), a growth that slows down. Another
// is exp(k·exp(-x)·log q), which is q to a power that varies.
func (p *Pool) DeepRates() (all []Feature) {
	for c := 1; c <= 4 && c < len(p.levels); c++ {
		for _, a := range p.levels[c] {
			nd := &p.nodes[a]
			if nd.transcendental && !nd.grid && (nd.shape == times || nd.shape == apply && nd.fn != expr.Log) {
				all = append(all, Feature{Role: Rate, Expr: a, Half: 2, Cost: c + 2})
			}
		}
	}
	return all
}
