package trajectory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/trajectory"
)

// TestSpring: the positions of a linear spring are a cosine. If its period is a whole number of
// rows, they repeat after each period. No precision is lost over many periods.
func TestSpring(t *testing.T) {
	x := trajectory.Draw(rand.New(rand.NewPCG(1, 2)), 0, 5000, 0)
	// x_{t+1} + x_{t-1} = 2·cos(ωh)·x_t, with the same factor everywhere
	factor := (x[2] + x[0]) / x[1]
	for i := 1; i+1 < len(x); i++ {
		if d := math.Abs(x[i+1] + x[i-1] - factor*x[i]); d > 1e-6 {
			t.Fatalf("row %d is %g off", i, d)
		}
	}
	if early, late := size(x[:500]), size(x[4500:]); math.Abs(late/early-1) > 0.02 {
		t.Errorf("amplitude went from %g to %g", early, late)
	}
}

func size(x []float64) float64 { return max(slices.Max(x), -slices.Min(x)) }

// TestLawsDiffer: with the same random numbers, every law except the spring gives a trajectory that
// differs from that of the spring. All trajectories stay finite.
func TestLawsDiffer(t *testing.T) {
	spring := trajectory.Draw(rand.New(rand.NewPCG(3, 4)), 0, 1000, 0)
	for i := 1; i < len(trajectory.Laws); i++ {
		x := trajectory.Draw(rand.New(rand.NewPCG(3, 4)), i, 1000, 0)
		var far float64
		for j := range x {
			far = math.Max(far, math.Abs(x[j]-spring[j]))
		}
		if !(far > 0.02) || math.IsInf(far, 0) {
			t.Errorf("%s: %g from the spring", trajectory.Laws[i].Name, far)
		}
	}
}

// TestTask: batches depend only on the seed and the step. Each kind of encoder is also tested at
// lengths other than that of training.
func TestTask(t *testing.T) {
	for _, e := range []encoder.Config{
		{Kind: encoder.PDR, Dim: 8, Heads: 2, Layers: 2, Hidden: 8, Series: encoder.Series{Rank: 2, Every: 2, Window: 4}},
		{Kind: encoder.Sets, Dim: 8, Heads: 2, Layers: 1, Hidden: 8, Inducing: 2},
	} {
		task := trajectory.Task{Encoder: e, Rows: 16, Series: 3, Lengths: []int{16, 40}, Validation: 5, Points: 32}
		a, err := task.Batch(7)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := task.Batch(7)
		if !a[0].Equal(b[0]) || !a[1].Equal(b[1]) {
			t.Error("the same step has two batches")
		}
		got, err := task.Validate(t.Context(), backendtest.Go(t), model.NewStore())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"accuracy", "accuracy_16", "accuracy_40"} {
			if x, ok := got[name]; !ok || x < 0 || x > 1 {
				t.Errorf("%s: %s = %v", e.Kind, name, x)
			}
		}
	}
}

func ExampleRows() {
	fmt.Println(trajectory.Rows([]float64{2, 0, -2, 0})) // a period of a spring, rms √2
	// Output: [0 1.4142135 -5.656854 0.25 0 -5.656854 0.5 -1.4142135 5.656854 0.75 0 0]
}
