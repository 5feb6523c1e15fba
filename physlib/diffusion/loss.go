package diffusion

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Loss returns the masked-diffusion loss of logits [batch, seq, vocab] for the true tokens ids
// [batch, seq], int32:
//
//	L = Σ w_i·(-log p_i(x_i)) / Σ w_i,   p_i = softmax(logits_i)
//
// with the weights [batch, seq] of Corruption, 0 for visible tokens. It is the mean cross-entropy
// of masked tokens in nats (PhysDiffuse §8), computed in float32 whatever the type of logits.
func Loss(logits, ids, weights *Node) *Node {
	return Div(ReduceAllSum(Mul(CrossEntropy(logits, ids), weights)), AddScalar(ReduceAllSum(weights), 1e-6))
}

// ELBO returns the bound of the negative log-likelihood in nats per token, for the weights 1/t of
// Corruption.ELBO:
//
//	L = 1/tokens · Σ w_i·(-log p_i(x_i)),
//
// where tokens, a scalar, is the number of tokens in the batch without padding. The shapes are
// those of Loss.
func ELBO(logits, ids, weights, tokens *Node) *Node {
	return Div(ReduceAllSum(Mul(CrossEntropy(logits, ids), weights)), tokens)
}

// CrossEntropy returns -log softmax(logits)[ids], in nats: [batch, seq] in float32 from logits
// [batch, seq, vocab].
func CrossEntropy(logits, ids *Node) *Node {
	dims := logits.Shape().Dimensions
	ids.AssertDims(dims[:len(dims)-1]...)
	logp := LogSoftmax(ConvertDType(logits, dtypes.Float32), -1)
	return Neg(ReduceSum(Mul(logp, OneHot(ids, dims[len(dims)-1], dtypes.Float32)), -1))
}
