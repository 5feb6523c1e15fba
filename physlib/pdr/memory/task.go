package memory

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Name returns the name of the task.
func (t Task) Name() string { return "pdr-" + string(t.Kind) }

// Config returns t with its defaults. A training run can only be resumed with an equal
// configuration.
func (t Task) Config() any { return t.withDefaults() }

// Metrics returns the names of the metrics of a batch.
func (t Task) Metrics() []string { return []string{"accuracy"} }

// Batch returns the series of a step and the tokens due at their ends.
func (t Task) Batch(step int64) ([]*tensors.Tensor, error) {
	t = t.withDefaults()
	seq := t.Seq
	if step%2 == 1 {
		seq /= 2
	}
	return t.batch(rand.New(rand.NewPCG(uint64(t.Seed), uint64(step))), t.Series, seq), nil
}

func (t Task) batch(rng *rand.Rand, n, seq int) []*tensors.Tensor {
	var tokens, due []int32
	for range n {
		x, y := t.Draw(rng, seq)
		tokens, due = append(tokens, x...), append(due, y...)
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(tokens, n, seq), tensors.FromFlatDataAndDimensions(due, n, len(due)/n)}
}

// Logits returns the logits [batch, last, vocab] after the last tokens of each series. tokens is
// [batch, seq], and last is the number of these last tokens. Scopes: tokens, head, and the scopes
// of the network.
func (t Task) Logits(s *model.Scope, tokens *Node, last int) *Node {
	y, _ := t.Network.Apply(s, t.embed(s, tokens), nil, 0)
	return t.read(s, Slice(y, AxisRange(), AxisRange(y.Shape().Dim(1)-last)))
}

// embed returns the embeddings [batch, seq, dim] of tokens.
func (t Task) embed(s *model.Scope, tokens *Node) *Node {
	return nn.Embedding(s.In("tokens"), tokens, t.Vocab(), t.Network.Dim)
}

// read returns the logits for the network's outputs y.
func (t Task) read(s *model.Scope, y *Node) *Node { return nn.LinearNoBias(s.In("head"), y, t.Vocab()) }

// Loss returns the cross-entropy of the due tokens in nats, and the fraction of due tokens that the
// network predicts correctly.
func (t Task) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	due := batch[1]
	logits := t.Logits(s, batch[0], due.Shape().Dim(1))
	return nn.CrossEntropy(logits, due), []*Node{nn.Accuracy(logits, due)}
}

// Validate returns the accuracy at the due tokens: accuracy_N for each length N of Lengths, and
// accuracy for the first length. The series come from a seed that training does not use.
func (t Task) Validate(ctx context.Context, b compute.Backend, store *model.Store) (map[string]float64, error) {
	t = t.withDefaults()
	return nn.Exam{Lengths: t.Lengths, Series: t.Validation, Tokens: 1 << 15,
		Draw: func(rng *rand.Rand, n, seq int) (tokens, due *tensors.Tensor) {
			batch := t.batch(rng, n, seq)
			return batch[0], batch[1]
		},
		Logits: func(s *model.Scope, tokens, due *Node) *Node { return t.Logits(s, tokens, due.Shape().Dim(1)) },
	}.Take(ctx, b, store)
}
