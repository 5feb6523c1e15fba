package train

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Task defines what a system learns. A package below this one implements it without importing it.
type Task interface {
	Name() string

	// Loss builds the loss (a float32 scalar) of a batch in the scope of the weights, and a scalar
	// for each of Metrics.
	Loss(s *model.Scope, batch []*graph.Node) (loss *graph.Node, metrics []*graph.Node)
	Metrics() []string

	// Batch makes the examples of a step, a pure function of its number: the task holds its seed.
	// It is called ahead of time and about in order, from Settings.Workers goroutines at once. The
	// tensors belong to the caller.
	Batch(step int64) ([]*tensors.Tensor, error)

	// Config describes the task as a value that goes into JSON: a run is not resumed with another
	// one.
	Config() any
}

// Validator is a Task that judges weights on examples of its own. The store holds the weights
// alone, averaged with Settings.EMA. It is the same one each time, so that an Exec made for it can
// be kept.
type Validator interface {
	Validate(ctx context.Context, backend compute.Backend, store *model.Store) (map[string]float64, error)
}

// MuonChooser is a Task that says which matrices Muon trains; without it see MuonWeights.
type MuonChooser interface {
	MuonWeights(path string, shape shapes.Shape) bool
}

// Decayer is a Task that says which weights decay; without it see Decays.
type Decayer interface {
	Decays(path string, shape shapes.Shape) bool
}

// TokenCounter is a Task that reports how many tokens a batch has, for the progress line.
type TokenCounter interface{ Tokens() int }
