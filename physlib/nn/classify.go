package nn

import (
	"context"
	"fmt"
	"math/rand/v2"

	gomlx "github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// CrossEntropy returns the mean of -log softmax(logits) at the correct class, in nats. logits are
// [..., classes], due [...] has the correct classes as integers.
func CrossEntropy(logits, due *Node) *Node {
	chosen := Mul(LogSoftmax(logits, -1), OneHot(due, logits.Shape().Dim(-1), logits.DType()))
	return Neg(ReduceAllMean(ReduceSum(chosen, -1)))
}

// Accuracy returns the fraction of rows of logits [..., classes] whose largest element is at the
// correct class due [...].
func Accuracy(logits, due *Node) *Node {
	return ReduceAllMean(ConvertDType(Equal(ArgMax(logits, -1, due.DType()), due), dtypes.Float32))
}

// Exam measures the accuracy with which a network predicts the last tokens of series, for several
// lengths. All networks get the same series, since the random seed of Exam is fixed.
type Exam struct {
	Lengths []int
	Series  int // least number of series for each length
	Tokens  int // largest number of tokens in a batch; a batch has at least one series
	// Draw returns random series x [series, length], and the correct classes of their last tokens.
	Draw func(rng *rand.Rand, series, length int) (x, due *tensors.Tensor)
	// Logits returns the network's logits for the last tokens of x. It may use the shape of due,
	// but not its values.
	Logits func(s *model.Scope, x, due *Node) *Node
}

// Take returns the accuracy of the weights in store: accuracy_N for each length N of Lengths, and
// accuracy for the first length.
func (e Exam) Take(ctx context.Context, b gomlx.Backend, store *model.Store) (map[string]float64, error) {
	exec, err := model.NewExec1(b, store, func(s *model.Scope, x, due *Node) *Node {
		return Accuracy(e.Logits(s.ResetVisited(), x, due), due)
	})
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	results := map[string]float64{}
	for i, length := range e.Lengths {
		accuracy, err := e.length(ctx, exec, length)
		if err != nil {
			return nil, err
		}
		results[fmt.Sprintf("accuracy_%d", length)] = accuracy
		if i == 0 {
			results["accuracy"] = accuracy
		}
	}
	return results, nil
}

// length returns the accuracy for series of one length.
func (e Exam) length(ctx context.Context, exec *model.ExecOneOutput, length int) (float64, error) {
	n := min(e.Series, max(1, e.Tokens/length)) // series per batch
	rng, sum, count := rand.New(rand.NewPCG(^uint64(0), uint64(length))), 0.0, 0
	for ; count == 0 || count*n < e.Series; count++ {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		x, due := e.Draw(rng, n, length)
		out, err := exec.Call(x, due)
		if err != nil {
			return 0, fmt.Errorf("series of %d: %w", length, err)
		}
		sum += float64(tensors.ToScalar[float32](out))
		for _, t := range []*tensors.Tensor{x, due, out} {
			if err := t.FinalizeAll(); err != nil {
				return 0, err
			}
		}
	}
	return sum / float64(count), nil
}
