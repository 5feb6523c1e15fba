package train

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
)

// TestDevices: two devices that share each batch learn what one device learns, up to rounding. A
// run on one device can continue from a checkpoint of the two, and the reverse.
func TestDevices(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of compilation")
	}
	b := backendtest.XLA(t)
	if b.NumDevices() < 2 {
		t.Skipf("the plugin shows %d devices", b.NumDevices())
	}
	s := Settings{Warmup: 2, LR: 5e-2, LogSteps: 1, Schedule: Constant}
	task := toy{Seed: 3, Drop: 0.2}
	learn := func(dir string, devices int, steps int64) (losses []float64) {
		s.Devices, s.Steps = devices, steps
		_, err := Run(context.Background(), b, task, s, dir, func(p Progress) {
			if p.Phase == "train" || p.Phase == "warm-up" {
				losses = append(losses, p.Loss)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return losses
	}
	near := func(name string, got, want []float64) {
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("%s: %d losses, want %d", name, len(got), len(want))
		}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-4*(1+math.Abs(want[i])) {
				t.Errorf("%s: loss %d is %g, want %g", name, i, got[i], want[i])
			}
		}
	}
	one, two := t.TempDir(), t.TempDir()
	first := learn(one, 1, 8)
	near("two devices", learn(two, 2, 8), first)
	rest := learn(one, 2, 14) // each run continues with the number of devices of the other
	near("from two to one", learn(two, 1, 14), rest)
}

// TestDevicesThatDoNotFit: a batch that cannot be divided among the devices is reported before the
// first step.
func TestDevicesThatDoNotFit(t *testing.T) {
	_, err := Run(context.Background(), backendtest.Go(t), toy{}, Settings{Steps: 2, Devices: 3}, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "3 devices") {
		t.Error(err)
	}
}
