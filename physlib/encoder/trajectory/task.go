package trajectory

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/nn"
)

// Task trains an encoder to distinguish Laws. It implements train.Task. Fields with the value 0
// have the defaults given below.
type Task struct {
	Encoder encoder.Config `json:"encoder"` // Task sets its Shape and Summary
	Rows    int            `json:"rows"`    // number of rows of a trajectory in training; 0: 256
	// Points is the largest number of evenly spaced rows that the encoder sees. 0 means all rows.
	Points int `json:"points"`
	Series int `json:"series"` // number of trajectories in a batch; 0: 16
	// Noise is the standard deviation of noise in the positions, whose amplitude is about one. 0
	// means 0.02.
	Noise float64 `json:"noise"`
	Seed  int64   `json:"seed"`

	Lengths    []int `json:"-"` // numbers of rows of the trajectories in validation; nil: only Rows
	Validation int   `json:"-"` // number of trajectories for each length in validation; 0: 128
}

func (t Task) withDefaults() Task {
	for _, d := range []struct {
		field *int
		value int
	}{{&t.Rows, 256}, {&t.Series, 16}, {&t.Validation, 128}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if t.Noise == 0 {
		t.Noise = 0.02
	}
	if t.Lengths == nil {
		t.Lengths = []int{t.Rows}
	}
	t.Encoder.Shape.Raw, t.Encoder.Shape.Series, t.Encoder.Summary = true, true, 1
	return t
}

// Name returns the name of the task.
func (t Task) Name() string { return "trajectory-" + string(t.Encoder.Kind) }

// Config returns t with its defaults. A training run can only be resumed with an equal
// configuration.
func (t Task) Config() any { return t.withDefaults() }

// Metrics returns the names of the metrics of a batch.
func (t Task) Metrics() []string { return []string{"accuracy"} }

// Batch returns the trajectories of a step and the numbers of their laws.
func (t Task) Batch(step int64) ([]*tensors.Tensor, error) {
	t = t.withDefaults()
	return t.Trajectories(rand.New(rand.NewPCG(uint64(t.Seed), uint64(step))), t.Series, t.Rows), nil
}

// Trajectories draws n trajectories with the given number of rows. It returns them as tensors [n,
// points, Width], and the indices of their laws in Laws, [n].
func (t Task) Trajectories(rng *rand.Rand, n, rows int) []*tensors.Tensor {
	t = t.withDefaults()
	var vectors []float32
	laws := make([]int32, n)
	points := rows
	if t.Points > 0 {
		points = min(rows, t.Points)
	}
	for i := range laws {
		laws[i] = int32(rng.IntN(len(Laws)))
		all := Rows(Draw(rng, int(laws[i]), rows, t.Noise))
		for p := range points {
			at := p * rows / points
			vectors = append(vectors, all[at*Width:(at+1)*Width]...)
		}
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(vectors, n, points, Width), tensors.FromFlatDataAndDimensions(laws, n)}
}

// Logits returns the logits of the laws, [batch, laws], for trajectories x [batch, points, Width].
func (t Task) Logits(s *model.Scope, x *Node) *Node {
	t = t.withDefaults()
	g, batch, points := x.Graph(), x.Shape().Dim(0), x.Shape().Dim(1)
	memory, _ := t.Encoder.Encode(s.In("encoder"), encoder.Inputs{
		Rows: x, RowMask: BroadcastToDims(Const(g, true), batch, points),
		Cols: BroadcastToDims(Const(g, float32(0)), batch, 1, 1), ColMask: BroadcastToDims(Const(g, true), batch, 1)})
	return nn.Linear(s.In("head"), Reshape(memory, batch, t.Encoder.Dim), len(Laws))
}

// Loss returns the cross-entropy of the law in nats, and the fraction of laws that are predicted
// correctly.
func (t Task) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	logits := t.Logits(s, batch[0])
	return nn.CrossEntropy(logits, batch[1]), []*Node{nn.Accuracy(logits, batch[1])}
}

// Validate returns the fraction of laws that are classified correctly: accuracy_N for each N of
// Lengths, and accuracy, which is the fraction for the first length. All encoders get the same
// trajectories, from a seed that training does not use.
func (t Task) Validate(ctx context.Context, b compute.Backend, store *model.Store) (map[string]float64, error) {
	t = t.withDefaults()
	return nn.Exam{Lengths: t.Lengths, Series: t.Validation, Tokens: 1 << 14,
		Draw: func(rng *rand.Rand, n, rows int) (x, laws *tensors.Tensor) {
			batch := t.Trajectories(rng, n, rows)
			return batch[0], batch[1]
		},
		Logits: func(s *model.Scope, x, _ *Node) *Node { return t.Logits(s, x) },
	}.Take(ctx, b, store)
}
