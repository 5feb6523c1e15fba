package nn_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// The loss and the accuracy of three rows of logits, calculated by hand.
func TestCrossEntropy(t *testing.T) {
	logits := [][]float32{{2, 0}, {0, 1}, {3, 0}}
	due := []int32{0, 0, 0}
	out := MustNewExec(backendtest.Go(t), func(logits, due *Node) []*Node {
		return []*Node{nn.CrossEntropy(logits, due), nn.Accuracy(logits, due)}
	}).MustCall(logits, due)
	want := (math.Log(1+math.Exp(-2)) + math.Log(1+math.E) + math.Log(1+math.Exp(-3))) / 3
	if got := float64(tensors.ToScalar[float32](out[0])); math.Abs(got-want) > 1e-6 {
		t.Errorf("cross entropy %v, want %v", got, want)
	}
	if got := tensors.ToScalar[float32](out[1]); math.Abs(float64(got)-2./3) > 1e-6 {
		t.Errorf("accuracy %v, want 2/3", got)
	}
}

// A network that predicts the first token of a series is right as often as that token is the
// correct class. All series are used, in batches of few tokens. A second exam gives the same
// result, and a cancelled exam returns an error.
func TestExam(t *testing.T) {
	asked := 0
	e := nn.Exam{Lengths: []int{3, 8}, Series: 50, Tokens: 32,
		Draw: func(rng *rand.Rand, n, length int) (x, due *tensors.Tensor) {
			if n > 1 && n*length > 32 {
				t.Errorf("%d series of %d in a batch", n, length)
			}
			asked += n
			tokens, last := make([]int32, n*length), make([]int32, n)
			for i := range tokens {
				tokens[i] = int32(rng.IntN(4))
			}
			for i := range last {
				last[i] = tokens[(i+1)*length-1]
			}
			return tensors.FromFlatDataAndDimensions(tokens, n, length), tensors.FromFlatDataAndDimensions(last, n)
		},
		Logits: func(_ *model.Scope, x, _ *Node) *Node {
			first := Reshape(Slice(x, AxisRange(), AxisElem(0)), x.Shape().Dim(0))
			return OneHot(first, 4, dtypes.Float32)
		}}
	one, err := e.Take(t.Context(), backendtest.Go(t), model.NewStore())
	if err != nil {
		t.Fatal(err)
	}
	if asked < 100 || asked > 120 {
		t.Errorf("%d series were asked, want about 50 of each length", asked)
	}
	if a := one["accuracy_3"]; a != one["accuracy"] || a < 0.1 || a > 0.4 || len(one) != 3 {
		t.Errorf("accuracies %v, want about 1/4", one)
	}
	two, err := e.Take(t.Context(), backendtest.Go(t), model.NewStore())
	if err != nil || two["accuracy_8"] != one["accuracy_8"] {
		t.Errorf("a second time %v, %v", two, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Take(ctx, backendtest.Go(t), model.NewStore()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
