package train_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/nn/safetensors"
	"github.com/physlib/lab/physlib/train"
)

// spring learns the stiffness k and the rest length a of a spring, F = k·(x - a), from measured
// forces.
type spring struct{ seed uint64 }

func (spring) Name() string      { return "spring" }
func (spring) Metrics() []string { return nil }
func (s spring) Config() any     { return map[string]any{"seed": s.seed} }

// force returns k·(x - a) for lengths x [points].
func (spring) force(s *model.Scope, x *Node) *Node {
	constant := func(name string) *Node {
		return s.VariableWithShape(name, shapes.Make(dtypes.Float32)).NodeValue(x.Graph())
	}
	return Mul(constant("k"), Sub(x, constant("a")))
}

func (t spring) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	return ReduceAllMean(Square(Sub(t.force(s, batch[0]), batch[1]))), nil
}

func (t spring) Batch(step int64) ([]*tensors.Tensor, error) {
	rng := rand.New(rand.NewPCG(t.seed, uint64(step)))
	x, f := make([]float32, 16), make([]float32, 16)
	for i := range x {
		x[i] = rng.Float32()
		f[i] = 3*(x[i]-0.5) + 0.01*float32(rng.NormFloat64())
	}
	return []*tensors.Tensor{tensors.FromValue(x), tensors.FromValue(f)}, nil
}

// Run trains a task in a folder. Here the first call is interrupted, and the second resumes it. The
// example then reads the weights, averaged over the last steps.
func Example() {
	b, _, err := backend.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "spring")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	settings := train.Settings{Steps: 600, LR: 0.1, EMA: 0.98}
	ctx, interrupt := context.WithCancel(context.Background())
	first, err := train.Run(ctx, b, spring{1}, settings, dir, func(p train.Progress) {
		if p.Step == 200 {
			interrupt()
		}
	})
	fmt.Println("step", first.Step, "finished", first.Finished, err)
	second, err := train.Run(context.Background(), b, spring{1}, settings, dir, nil)
	fmt.Println("step", second.Step, "finished", second.Finished, err)

	if err := train.Export(second.Checkpoint, dir+"/spring.safetensors", false); err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Open(dir + "/spring.safetensors")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	store := model.NewStore()
	if _, err := safetensors.Import(file, store); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("k = %.1f, a = %.1f\n", store.GetVariable("/k").MustValue().Value(), store.GetVariable("/a").MustValue().Value())
	// Output:
	// step 200 finished false <nil>
	// step 600 finished true <nil>
	// k = 3.0, a = 0.5
}
