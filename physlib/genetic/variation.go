package genetic

import (
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Variation makes offspring of laws by the mutations and the crossover of the genetic search, but
// without its populations. Callers that keep their own population use it.
type Variation struct {
	g        *grammar
	maxNodes int
}

// NewVariation returns a Variation for laws of p. ok is false if there is no row, no usable column,
// or a constant target.
func NewVariation(p *dataset.Problem, rng *rand.Rand) (v *Variation, ok bool) {
	m := newMaterial(p, rng)
	if m == nil {
		return nil, false
	}
	return &Variation{g: newGrammar(p.Ops, m), maxNodes: new(Search).maxNodes()}, true
}

// Offspring returns a child of a. With probability 1/4 it is made by crossover with b, otherwise by
// one or two mutations. The child is a sum of terms, each with a free factor as in linear scaling.
// If the result is not worth fitting, ok is false; the caller should then call Offspring again.
func (v *Variation) Offspring(rng *rand.Rand, a, b expr.Tree) (child expr.Tree, ok bool) {
	from := fold(a.Nodes())
	with := fold(b.Nodes())
	if from == nil || with == nil {
		return child, false
	}
	var nodes []expr.Node
	// The share of the semantic operator, which Variation does not have, goes to crossover.
	if rng.Float64() < semanticShare+crossShare {
		nodes = cross(v.g, rng, from, with)
	} else {
		nodes = v.g.mutated(rng, from)
	}
	if nodes = v.g.admitted(nodes, v.maxNodes); nodes == nil {
		return child, false
	}
	return scaledTerms(nodes)
}

// scaledTerms returns Σ cᵢ·termᵢ, where each cᵢ is a free constant. It returns false if there would
// be too many free constants.
func scaledTerms(nodes []expr.Node) (expr.Tree, bool) {
	list := terms(nodes, maxTerms)
	if renumber(nodes)+len(list) > maxConstants+maxTerms {
		return expr.Tree{}, false
	}
	var out []expr.Node
	for i, t := range list {
		out = append(append(append(out, param(1)...), nodes[t.from:t.to]...), expr.Node{Op: expr.Mul})
		if i > 0 {
			out = append(out, expr.Node{Op: expr.Add})
		}
	}
	renumber(out)
	return expr.FromNodes(out)
}
