package train

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend/backendtest"
)

// TestFLOPsAndWorking: the expected numbers are computed by hand. The graph is x [4, 8] · w [8,
// 16], an elementwise function, and · v [16, 2]. The function's result is stored because a product
// reads it.
func TestFLOPsAndWorking(t *testing.T) {
	g := NewGraph(backendtest.Go(t), "by hand")
	defer g.Finalize()
	in := func(name string, dims ...int) *Node { return Parameter(g, name, shapes.Make(dtypes.Float32, dims...)) }
	h := Dot(in("x", 4, 8), in("w", 8, 16)).Product()
	y := Dot(Square(AddScalar(h, 1)), in("v", 16, 2)).Product()
	nodes := reachable([]*Node{y})
	if got, want := FLOPs(nodes), 2.0*4*8*16+2*4*16*2; got != want {
		t.Errorf("%g FLOPs, want %g", got, want)
	}
	// h and its function are stored at the same time, 4·16 numbers each. The result y has 4·2
	// numbers, which is too few to reuse their memory. h+1 is computed where it is read.
	if got, want := Working(nodes), int64(4*(2*4*16+4*2)); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	batched := Einsum("bij,bjk->bik", in("a", 3, 4, 5), in("b", 3, 5, 6))
	if got, want := FLOPs(reachable([]*Node{batched})), 2.0*3*4*5*6; got != want {
		t.Errorf("%g FLOPs of a batch, want %g", got, want)
	}
}

func TestMeasure(t *testing.T) {
	c, err := Measure(t.Context(), backendtest.Go(t), toy{Seed: 1}, Settings{Accumulate: 2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	// There are 4·8 + 8 + 8·8 + 8 weights, with gradients and two moments. A product x·w counts
	// three times if a gradient of x is needed, and otherwise twice.
	if c.Parameters != 112 || c.State < 16*112 || c.Tokens != 32 || len(c.Losses) != 3 || len(c.Seconds) != 2 || c.Planned() != 0 {
		t.Errorf("%+v", c)
	}
	if want := 2.0 * 2 * 16 * (2*4*8 + 3*8*8 + 3*8); c.FLOPs != want {
		t.Errorf("%g FLOPs, want %g", c.FLOPs, want)
	}
	if c, err = Measure(t.Context(), backendtest.Go(t), toy{Seed: 1}, Settings{}, 0); err != nil || len(c.Losses) != 0 || c.Compile <= 0 {
		t.Errorf("compiling only: %+v, %v", c, err)
	}
}

// TestPack: the packed state of a run is moved to another machine in parts, and a run there resumes
// from it.
func TestPack(t *testing.T) {
	b, task, from, to := backendtest.Go(t), toy{Seed: 4, Hidden: 40}, t.TempDir(), t.TempDir()
	s := Settings{Steps: 30, LR: 3e-2, EMA: 0.9, LogSteps: 5}
	r, err := Run(t.Context(), b, task, s, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	if Spent(from) <= 0 || Spent(to) != 0 {
		t.Errorf("spent %v and %v", Spent(from), Spent(to))
	}
	parts, err := Pack(r.Checkpoint, filepath.Join(to, "state"), 8000)
	if err != nil || len(parts) < 2 {
		t.Fatal(parts, err)
	}
	for _, p := range parts {
		if info, err := os.Stat(p); err != nil || info.Size() > 8000 {
			t.Error(p, info.Size(), err)
		}
	}
	path := filepath.Join(to, "earlier.ckpt")
	if err := Unpack(parts[1:], path); err == nil || !strings.Contains(err.Error(), "is one missing?") {
		t.Errorf("without the first part: %v", err)
	}
	if err := Unpack(nil, path); err == nil || !strings.Contains(err.Error(), "no parts") {
		t.Errorf("without parts: %v", err)
	}
	if err := Unpack(parts, path); err != nil {
		t.Fatal(err)
	}
	s.Steps, s.From = 40, path
	next, err := Run(t.Context(), b, task, s, filepath.Join(to, "run"), nil)
	if err != nil || next.Step != 40 || next.Loss > 2*r.Loss+0.1 {
		t.Errorf("went on to %+v from %+v: %v", next, r, err)
	}
}

// TestManyParts: more than a hundred parts, in any order, make the same checkpoint as one part.
// Packing again removes all old parts and no other file.
func TestManyParts(t *testing.T) {
	r, err := Run(t.Context(), backendtest.Go(t), toy{Seed: 4, Hidden: 40}, Settings{Steps: 2, LR: 3e-2}, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	prefix, other := filepath.Join(to, "state"), filepath.Join(to, "state.00.bak")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	unpacked := func(parts []string) []byte {
		path := filepath.Join(t.TempDir(), "whole.ckpt")
		if err := Unpack(parts, path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	parts, err := Pack(r.Checkpoint, prefix, 60)
	if err != nil || len(parts) <= 101 {
		t.Fatal(len(parts), err)
	}
	slices.Reverse(parts)
	many := unpacked(parts)
	parts, err = Pack(r.Checkpoint, prefix, 1<<20)
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	if !bytes.Equal(many, unpacked(parts)) {
		t.Error("many parts make another checkpoint than one part")
	}
	if left, err := filepath.Glob(prefix + "*"); err != nil || !slices.Equal(left, []string{parts[0], other}) {
		t.Error(left, err)
	}
}

// TestFullDevice: if a device is out of memory, the message of its allocator becomes one line that
// names the setting to lower.
func TestFullDevice(t *testing.T) {
	err := advised(errorString("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17.50GiB.\nstack"))
	if !full(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "--batch") || !strings.Contains(err.Error(), "17.50GiB") {
		t.Error(err)
	}
	if other := errorString("another"); full(other) || advised(other) != other {
		t.Error(other)
	}
}

type errorString string

func (e errorString) Error() string { return string(e) }
