package train

import (
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// muonMomentum is the momentum μ that Keller Jordan uses, see muon.
const muonMomentum = 0.95

// newtonSchulz has the coefficients of the odd polynomial aσ + bσ³ + cσ⁵ and the number of
// iterations. The polynomial drives singular values σ towards 1.
var newtonSchulz = struct {
	a, b, c float64
	n       int
}{3.4445, -4.7750, 2.0315, 5}

// MuonWeights is the default choice of the weights that Muon trains: matrices called w inside the
// network. Embeddings, the first projection of features and the last projection to logits are
// excluded. AdamW trains all other weights.
func MuonWeights(path string, shape shapes.Shape) bool {
	if shape.Rank() != 2 || !strings.HasSuffix(path, "/w") {
		return false
	}
	for _, outer := range []string{"embed", "feature", "input", "head", "logits", "vocab"} {
		if strings.Contains(strings.ToLower(path), outer) {
			return false
		}
	}
	return true
}

// byMuon reports whether Muon trains w.
func (t *stepper) byMuon(w *model.Variable) bool {
	switch c, ok := t.task.(MuonChooser); {
	case t.settings.Optimizer != Muon || w.Shape().Rank() != 2:
		return false
	case ok:
		return c.MuonWeights(w.Path(), w.Shape())
	}
	return MuonWeights(w.Path(), w.Shape())
}

// muon returns the directions for several matrices: their orthogonalised momentum,
//
//	B ← μB + (1-μ)G,  O = NewtonSchulz5(μB + (1-μ)G),  0.2·√max(rows, cols)·O.
//
// The last factor makes the update as large as that of AdamW, so that both can use the same
// learning rate and decay. Matrices of equal shape are processed as one stack. Muon is by Keller
// Jordan, https://kellerjordan.github.io/posts/muon (2024). The last factor is from Moonlight,
// arXiv:2502.16982.
func (u updater) muon(matrices []*model.Variable, grads []*Node) []*Node {
	directions := make([]*Node, len(matrices))
	for i, w := range matrices {
		if directions[i] != nil {
			continue
		}
		var same []int
		var stack []*Node
		for j := i; j < len(matrices); j++ {
			if slices.Equal(matrices[j].Shape().Dimensions, w.Shape().Dimensions) {
				same, stack = append(same, j), append(stack, ExpandAxes(u.nesterov(matrices[j], grads[j]), 0))
			}
		}
		rows, cols := w.Shape().Dim(0), w.Shape().Dim(1)
		all := MulScalar(Orthogonalize(Concatenate(stack, 0)), 0.2*math.Sqrt(float64(max(rows, cols))))
		for k, j := range same {
			directions[j] = Squeeze(Slice(all, AxisElem(k)), 0)
		}
	}
	return directions
}

// nesterov updates the momentum of w with the gradient g. It returns the momentum after one more
// such step (Nesterov's look-ahead).
func (u updater) nesterov(w *model.Variable, g *Node) *Node {
	momentum := u.zeros(optimizerScope+"/momentum", w)
	toward := func(b *Node) *Node { return Add(MulScalar(b, muonMomentum), MulScalar(g, 1-muonMomentum)) }
	b := toward(momentum.NodeValue(g))
	u.set(momentum, b)
	return toward(b)
}

// Orthogonalize replaces the singular values of each matrix in x [batch, rows, cols] by numbers
// near 1, from 0.7 to 1.2. It makes five Newton-Schulz iterations in the type of x:
//
//	X ← X/‖X‖,   A = XXᵀ,   X ← aX + (bA + cA²)X.
func Orthogonalize(x *Node) *Node {
	wide := x.Shape().Dim(1) <= x.Shape().Dim(2) // otherwise A = XᵀX is the smaller matrix
	if !wide {
		x = Transpose(x, 1, 2)
	}
	norm := Sqrt(ReduceAndKeep(Square(x), ReduceSum, 1, 2))
	x = Div(x, AddScalar(norm, 1e-7))
	product := func(a, b *Node) *Node { return DotGeneral(a, []int{2}, []int{0}, b, []int{1}, []int{0}) }
	for range newtonSchulz.n {
		a := DotGeneral(x, []int{2}, []int{0}, x, []int{2}, []int{0})
		b := Add(MulScalar(a, newtonSchulz.b), MulScalar(product(a, a), newtonSchulz.c))
		x = Add(MulScalar(x, newtonSchulz.a), product(b, x))
	}
	if !wide {
		x = Transpose(x, 1, 2)
	}
	return x
}
