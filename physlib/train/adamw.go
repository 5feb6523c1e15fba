package train

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// adam returns the direction of AdamW for w with the gradient g,
//
//	m ← β₁m + (1-β₁)g,  v ← β₂v + (1-β₂)g²,  m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + ε).
//
// The function move then adds the weight decay (Loshchilov and Hutter, arXiv:1711.05101).
func (u updater) adam(w *model.Variable, g *Node) *Node {
	first, second := u.zeros(optimizerScope+"/m", w), u.zeros(optimizerScope+"/v", w)
	b1, b2 := u.settings.Beta1, u.settings.Beta2
	m := Add(MulScalar(first.NodeValue(g), b1), MulScalar(g, 1-b1))
	v := Add(MulScalar(second.NodeValue(g), b2), MulScalar(Square(g), 1-b2))
	u.set(first, m)
	u.set(second, v)
	return Div(Mul(m, u.correct1), AddScalar(Sqrt(Mul(v, u.correct2)), u.settings.Eps))
}
