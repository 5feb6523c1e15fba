package joins_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/backend/joins"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/pair"
	"github.com/physlib/lab/physlib/search"
)

// problem returns 60 rows of a law with two terms, without units.
func problem() *dataset.Problem {
	rng := rand.New(rand.NewPCG(5, 5))
	p := &dataset.Problem{Target: dataset.Quantity{Name: "f", Scale: 1}}
	for _, name := range []string{"x", "y", "z"} {
		p.Vars = append(p.Vars, dataset.Quantity{Name: name, Scale: 1})
	}
	for range 60 {
		x, y, z := 1+3*rng.Float64(), 1+3*rng.Float64(), 1+3*rng.Float64()
		for i, v := range []float64{x, y, z} {
			p.Vars[i].Values = append(p.Vars[i].Values, v)
		}
		p.Target.Values = append(p.Target.Values, 2.5*x*math.Sqrt(y)-0.7*z/(x+y)+0.3)
	}
	return p
}

// proposed returns the first expressions of a search, in its order.
func proposed(t *testing.T, kernel pair.Kernel, n int) (all []string) {
	for tree, err := range (&search.Search{Depth: 1, JoinKernel: kernel}).Propose(t.Context(), problem()) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, tree.String()); len(all) == n {
			break
		}
	}
	return all
}

// The search proposes the same expressions with any kernel, because it scores the returned pairs
// again, in double precision.
func TestSearch(t *testing.T) {
	want := proposed(t, nil, 4000)
	var device counted
	var err error
	if device.Kernel, err = joins.New(backendtest.XLA(t), 512); err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	got := proposed(t, &device, 4000)
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("expression %d of %d is %s, by the CPU's joins %s of %d", i, len(got), got[i], want[i], len(want))
			}
		}
		t.Errorf("%d expressions, by the CPU's joins %d", len(got), len(want))
	}
	if n := device.calls.Load(); n == 0 || device.Err() != nil {
		t.Errorf("%d joins on the device, %v", n, device.Err())
	}
}

// counted counts the joins that are larger than a block.
type counted struct {
	*joins.Kernel
	calls atomic.Int64
}

func (c *counted) Square(ctx context.Context, f pair.Rows, r []float32, o pair.Options) []pair.Pair {
	if f.N > 512 {
		c.calls.Add(1)
	}
	return c.Kernel.Square(ctx, f, r, o)
}

// A lazy kernel gives the same results before, while and after its device opens, and when the
// device does not open.
func TestLazy(t *testing.T) {
	f, r := features(200, 16, 1)
	o := pair.Options{K: 20, MinDen: 1e-3}
	want := pair.Default().Square(t.Context(), f, r, o)
	let := make(chan error)
	l := &joins.Lazy{Pairs: 10_000, Block: 64, Open: func() (compute.Backend, string, error) { return backendtest.Go(t), "the test's", <-let }}
	answer := func() { same(t, l.Square(t.Context(), f, r, o), want, 1e-4) }
	says := func(text string) {
		t.Helper()
		if got := l.Report(); !strings.Contains(got, text) {
			t.Errorf("%q, want %q", got, text)
		}
	}
	// This join is too small for the device.
	same(t, l.Square(t.Context(), f.Slice(0, 100), r[:100], o), pair.Default().Square(t.Context(), f.Slice(0, 100), r[:100], o), 1e-4)
	says("none was large enough")
	answer() // while the device opens
	let <- nil
	for end := time.Now().Add(time.Minute); !strings.Contains(l.Report(), "on the test's") && time.Now().Before(end); time.Sleep(time.Millisecond) {
		answer()
	}
	says("on the test's")

	l = &joins.Lazy{Open: func() (compute.Backend, string, error) { return nil, "", errors.New("no such device") }}
	for end := time.Now().Add(time.Minute); !strings.Contains(l.Report(), "no such device") && time.Now().Before(end); time.Sleep(time.Millisecond) {
		answer()
	}
	says("on the CPU, because of an error: no such device")
}

func TestByName(t *testing.T) {
	for _, name := range []string{"cpu", "processor"} {
		if l, err := joins.ByName(name); l != nil || err != nil {
			t.Error(name, l, err)
		}
	}
	if l, err := joins.ByName("go"); err != nil || l == nil {
		t.Error(l, err)
	}
	for name, says := range map[string]string{"gpu": "unknown backend", "xla:" + filepath.Join(t.TempDir(), "xla_cuda_plugin.so"): "does not exist"} {
		if _, err := joins.ByName(name); err == nil || !strings.Contains(err.Error(), says) && !strings.Contains(err.Error(), "without XLA") {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
}
