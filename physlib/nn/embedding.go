package nn

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// table returns the variable of an embedding, [vocab, dim]. Its initial standard deviation is 1.
func table(s *model.Scope, g *Graph, otherwise dtypes.DType, vocab, dim int) *Node {
	return weight(s, g, "table", 1, computeType(s, otherwise), vocab, dim)
}

// Embedding returns rows of a learned table, table[id]. ids are integers [...], the result is [...,
// dim]. Variable: table [vocab, dim] with standard deviation 1. An id outside the table gives its
// first or last row.
func Embedding(s *model.Scope, ids *Node, vocab, dim int) *Node {
	return Gather(table(s, ids.Graph(), dtypes.Float32, vocab, dim), ExpandAxes(ids, -1))
}

// SoftEmbedding returns the weighted sum of rows, weights·table, with the table of an Embedding in
// the same scope. weights are [..., vocab], the result is [..., dim]. If one token has weight 1 and
// all others 0, the result is that token's Embedding.
func SoftEmbedding(s *model.Scope, weights *Node, dim int) *Node {
	vocab := weights.Shape().Dim(-1)
	t := table(s, weights.Graph(), weights.DType(), vocab, dim)
	dims := weights.Shape().Clone().Dimensions
	dims[len(dims)-1] = dim
	return Reshape(Dot(Reshape(ConvertDType(weights, t.DType()), -1, vocab), t).Product(), dims...)
}
