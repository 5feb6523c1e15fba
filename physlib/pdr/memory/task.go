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

// Name of the task.
func (t Task) Name() string { return "pdr-" + string(t.Kind) }

// Config returns t: a run is not resumed with another one.
func (t Task) Config() any { return t.withDefaults() }

// Metrics of a batch.
func (t Task) Metrics() []string { return []string{"accuracy"} }

// Batch makes the series of a step and what is due at their ends.
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

// Logits of the last tokens, [batch, last, vocab], of series tokens [batch, seq]. Scopes: tokens,
// the network's, head.
func (t Task) Logits(s *model.Scope, tokens *Node, last int) *Node {
	y, _ := t.Network.Apply(s, t.embed(s, tokens), nil, 0)
	return t.read(s, Slice(y, AxisRange(), AxisRange(y.Shape().Dim(1)-last)))
}

func (t Task) embed(s *model.Scope, tokens *Node) *Node {
	return nn.Embedding(s.In("tokens"), tokens, t.Vocab(), t.Network.Dim)
}

func (t Task) read(s *model.Scope, y *Node) *Node { return nn.LinearNoBias(s.In("head"), y, t.Vocab()) }

// Loss returns the cross entropy of what is due, and how much of it is right.
func (t Task) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	due := batch[1]
	logits := t.Logits(s, batch[0], due.Shape().Dim(1))
	return nn.CrossEntropy(logits, due), []*Node{nn.Accuracy(logits, due)}
}

// Validate returns the fraction of due tokens that are predicted. It is accuracy_128 and so on for
// series of each of Lengths, and accuracy for the first. All tasks of a kind are tested on the same
// series, which no training has seen.
func (t Task) Validate(ctx context.Context, b compute.Backend, store *model.Store) (map[string]float64, error) {
	t = t.withDefaults()
	return nn.Exam{Lengths: t.Lengths, Series: t.Judged, Tokens: 1 << 15,
		Draw: func(rng *rand.Rand, n, seq int) (tokens, due *tensors.Tensor) {
			batch := t.batch(rng, n, seq)
			return batch[0], batch[1]
		},
		Logits: func(s *model.Scope, tokens, due *Node) *Node { return t.Logits(s, tokens, due.Shape().Dim(1)) },
	}.Take(ctx, b, store)
}
