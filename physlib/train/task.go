package train

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Task defines what a system learns. Packages can implement it without importing train.
type Task interface {
	// Name returns the name of the task.
	Name() string

	// Loss builds the graph of a batch's loss, a float32 scalar, with the weights in the scope s.
	// It also returns a scalar for each name in Metrics.
	Loss(s *model.Scope, batch []*graph.Node) (loss *graph.Node, metrics []*graph.Node)
	// Metrics returns the names of the metrics.
	Metrics() []string

	// Batch returns the examples of a step. It is a pure function of the step, so the task holds
	// its seed. Settings.Workers goroutines call it concurrently, ahead of time and roughly in
	// order. The caller owns the tensors.
	Batch(step int64) ([]*tensors.Tensor, error)

	// Config returns a description of the task that JSON can represent. A run can only be resumed
	// with an equal description.
	Config() any
}

// Validator is a Task that evaluates weights on its own examples. store holds only the weights,
// averaged if Settings.EMA is set. It is the same store in each call, so an Exec for it can be
// kept.
type Validator interface {
	Validate(ctx context.Context, backend compute.Backend, store *model.Store) (map[string]float64, error)
}

// MuonChooser is a Task that chooses the matrices that Muon trains. For other tasks the function
// MuonWeights chooses them.
type MuonChooser interface {
	MuonWeights(path string, shape shapes.Shape) bool
}

// Decayer is a Task that chooses the weights that decay. For other tasks the function Decays
// chooses them.
type Decayer interface {
	Decays(path string, shape shapes.Shape) bool
}

// TokenCounter is a Task that knows the number of tokens of a batch, for the progress line.
type TokenCounter interface{ Tokens() int }
