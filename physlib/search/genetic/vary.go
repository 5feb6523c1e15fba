package genetic

import (
	"math/rand/v2"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Variation makes offspring of laws by the operators of the genetic search, its mutations and its
// crossover, without its populations: for those who breed from an archive of their own.
type Variation struct {
	g        *grammar
	maxNodes int
}

// NewVariation varies laws for p; ok is false where nothing can be learnt: no row, no usable
// column, or a target that is the same in every row.
func NewVariation(p *dataset.Problem, rng *rand.Rand) (v *Variation, ok bool) {
	m := newMaterial(p, rng)
	if m == nil {
		return nil, false
	}
	return &Variation{g: newGrammar(p.Ops, m), maxNodes: new(Search).maxNodes()}, true
}

// Offspring is a child of a: in one of four cases by crossover with b, else by one or two
// mutations, as an island breeds. Each term of the sum at its root has a free factor, as linear
// scaling gives it. ok is false where a draw comes to no law worth fitting; then it is tried again.
func (v *Variation) Offspring(rng *rand.Rand, a, b expr.Tree) (child expr.Tree, ok bool) {
	from := fold(a.Nodes())
	with := fold(b.Nodes())
	if from == nil || with == nil {
		return child, false
	}
	var nodes []expr.Node
	if rng.Float64() < crossShare {
		nodes = cross(v.g, rng, from, with)
	} else {
		nodes = mutations.draw(rng)(v.g, rng, from)
		if nodes != nil && rng.IntN(3) == 0 {
			nodes = mutations.draw(rng)(v.g, rng, nodes)
		}
	}
	if nodes == nil || len(nodes) > 2*v.maxNodes || !legal(nodes) {
		return child, false
	}
	if nodes = fold(nodes); nodes == nil || len(nodes) > v.maxNodes || !v.g.allows(nodes) {
		return child, false
	}
	return scaledTerms(nodes)
}

// crossShare is how many of the offspring have two parents.
const crossShare = 0.25

// scaledTerms is Σ cᵢ·termᵢ.
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
