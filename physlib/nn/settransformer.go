package nn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// SetBlock is the attention block of networks over sets (J. Lee et al., Set Transformer, ICML
// 2019). Permuting the set permutes the results of MAB and ISAB and does not change that of PMA.
type SetBlock struct {
	Attention Attention
	Hidden    int // width of the feed-forward layer; 0 means 4·dim
	// PostNorm normalises after each sum, as in the paper. Otherwise each part begins with the
	// normalisation, which makes training easier.
	PostNorm bool
	Dropout  float64 // dropout rate of the terms that are added to the residual stream
}

// MAB is the multihead attention block. With PostNorm it returns
//
//	MAB(x, y) = LN(h + FF(h)),   h = LN(x + Attention(x, y)),
//
// otherwise h + FF(LN(h)) with h = x + Attention(LN(x), LN(y)). x and the result are [batch, seq,
// dim], y is [batch, slots, dim], mask as in Attention.Apply. Scopes: attention, feed, norm_x,
// norm_y, norm_h.
func (b SetBlock) MAB(s *model.Scope, x, y, mask *Node) *Node {
	if b.PostNorm {
		h := LayerNorm(s.In("norm_x"), Add(x, b.attention(s, x, y, mask)))
		return LayerNorm(s.In("norm_h"), Add(h, b.feed(s, h)))
	}
	h := Add(x, b.attention(s, LayerNorm(s.In("norm_x"), x), LayerNorm(s.In("norm_y"), y), mask))
	return Add(h, b.feed(s, LayerNorm(s.In("norm_h"), h)))
}

func (b SetBlock) attention(s *model.Scope, x, y, mask *Node) *Node {
	s = s.In("attention")
	return Dropout(s, b.Attention.Apply(s, x, y, mask), b.Dropout)
}

func (b SetBlock) feed(s *model.Scope, h *Node) *Node {
	hidden := b.Hidden
	if hidden == 0 {
		hidden = 4 * h.Shape().Dim(-1)
	}
	s = s.In("feed")
	return Dropout(s, FeedForward(s, h, hidden, nil), b.Dropout)
}

// ISAB is the induced set attention block, whose cost grows with points·inducing instead of
// points²:
//
//	ISAB(x) = MAB(x, MAB(i, x))
//
// where i are learned inducing points. x and the result are [batch, points, dim]. mask [batch,
// points] is true where a point exists, or as in Attention.Apply. Variable: inducing [inducing,
// dim] with standard deviation 1. Scopes: gather, spread.
func (b SetBlock) ISAB(s *model.Scope, x, mask *Node, inducing int) *Node {
	h := b.MAB(s.In("gather"), learnedSet(s, x, "inducing", inducing), x, mask)
	return b.MAB(s.In("spread"), x, h, nil)
}

// PMA is pooling by multihead attention, PMA(x) = MAB(s, x) for learned seeds s, as in the authors'
// code. The authors' paper also applies a feed-forward layer to x before the pooling. x is [batch,
// points, dim], mask as in ISAB, and the result is [batch, seeds, dim]. Variable: seeds [seeds,
// dim] with standard deviation 1. Scope: pool.
func (b SetBlock) PMA(s *model.Scope, x, mask *Node, seeds int) *Node {
	return b.MAB(s.In("pool"), learnedSet(s, x, "seeds", seeds), x, mask)
}

// ISAB is SetBlock.ISAB with the given number of heads and normalisation before each part.
func ISAB(s *model.Scope, x *Node, inducing, heads, hidden int, mask *Node) *Node {
	return SetBlock{Attention: Attention{Heads: heads}, Hidden: hidden}.ISAB(s, x, mask, inducing)
}

// PMA is SetBlock.PMA with the given number of heads and normalisation before each part.
func PMA(s *model.Scope, x *Node, seeds, heads, hidden int, mask *Node) *Node {
	return SetBlock{Attention: Attention{Heads: heads}, Hidden: hidden}.PMA(s, x, mask, seeds)
}

// learnedSet returns a variable [n, dim], repeated for the batch of x, [batch, n, dim].
func learnedSet(s *model.Scope, x *Node, name string, n int) *Node {
	batch, dim := x.Shape().Dim(0), x.Shape().Dim(2)
	v := weight(s, x.Graph(), name, 1, x.DType(), n, dim)
	return BroadcastToDims(ExpandAxes(v, 0), batch, n, dim)
}

// DeepSet computes an invariant function of a set (M. Zaheer et al., Deep Sets, 2017, Theorem 2),
// with the mean instead of the sum so that the size of the set does not matter:
//
//	y = ρ(mean over points of φ(x)),   φ, ρ: Linear, GELU, Linear.
//
// x is [batch, points, dim], y is [batch, out]. present [batch, points] is true where a point
// exists; nil means all do. Scopes: phi_up, phi, rho_up, rho.
func DeepSet(s *model.Scope, x, present *Node, hidden, out int) *Node {
	h := Linear(s.In("phi"), GELU(Linear(s.In("phi_up"), x, hidden)), hidden)
	pooled := Squeeze(meanPresent(h, present), 1)
	return Linear(s.In("rho"), GELU(Linear(s.In("rho_up"), pooled, hidden)), out)
}

// DeepSetLayer is a permutation-equivariant layer (Zaheer et al., 2017, §3.1): y_i = x_i·W_each +
// mean(x)·W_all + b. x is [batch, points, dim], present as in DeepSet, and y is [batch, points,
// out]. Scopes: each, all.
func DeepSetLayer(s *model.Scope, x, present *Node, out int) *Node {
	return Add(Linear(s.In("each"), x, out), LinearNoBias(s.In("all"), meanPresent(x, present), out))
}

// meanPresent returns the mean over the existing points, [batch, 1, dim], zero if there are none.
func meanPresent(x, present *Node) *Node {
	dt := x.DType()
	x = exact(x)
	if present == nil {
		return ConvertDType(ReduceAndKeep(x, ReduceMean, 1), dt)
	}
	w := ExpandAxes(ConvertDType(present, x.DType()), -1)
	n := MaxScalar(ReduceAndKeep(w, ReduceSum, 1), 1.0)
	return ConvertDType(Div(ReduceAndKeep(Mul(x, w), ReduceSum, 1), n), dt)
}
