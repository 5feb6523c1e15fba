package pdr_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/pdr"
)

// tokens returns n tokens for tiny.
func tokens(n int) []float32 {
	var x []float32
	for _, y := range floats(normal(9, 1, n, tiny.Dim)) {
		x = append(x, float32(y))
	}
	return x
}

func stream(t testing.TB, seed int64) *pdr.Stream {
	t.Helper()
	s, err := pdr.NewStream(backendtest.Go(t), seeded(seed), "", tiny)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func feed(t testing.TB, s *pdr.Stream, x []float32) []float32 {
	t.Helper()
	y, err := s.Feed(x)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// TestStream: a stream computes what the network computes for the whole series.
func TestStream(t *testing.T) {
	x := normal(9, 1, 29, tiny.Dim)
	want := apply(t, backendtest.Go(t), seeded(1), func(s *model.Scope, x *Node) []*Node {
		y, _ := tiny.Apply(s, x, nil, 0)
		return []*Node{y}
	}, x)[0]
	s, in := stream(t, 1), tokens(29)
	var got []float64
	for _, part := range [][2]int{{0, 1}, {1, 4}, {4, 21}, {21, 29}} {
		for _, y := range feed(t, s, in[part[0]*tiny.Dim:part[1]*tiny.Dim]) {
			got = append(got, float64(y))
		}
	}
	if d := maxDiff(got, want); !(d < 2e-5) {
		t.Errorf("differs by %g", d)
	}
	if s.Position() != 29 {
		t.Errorf("position %d", s.Position())
	}
	if _, err := s.Feed(in[:3]); err == nil {
		t.Error("a part of a token is not an error")
	}
}

// TestStreamXLA: on XLA, which has loops inside the graph, a series in pieces gives the outputs
// that backend go gives for the whole series.
func TestStreamXLA(t *testing.T) {
	xla := backendtest.XLA(t)
	in := tokens(12)
	outputs := func(s *pdr.Stream, err error, parts ...int) (y []float32) {
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		at := 0
		for _, n := range parts {
			y = append(y, feed(t, s, in[at*tiny.Dim:(at+n)*tiny.Dim])...)
			at += n
		}
		return y
	}
	c := tiny
	c.Form = pdr.Step
	s, err := pdr.NewStream(xla, seeded(1), "", c)
	got := outputs(s, err, 4, 2, 2, 4)
	want := outputs(stream(t, 1), nil, 12)
	for i := range want {
		if d := got[i] - want[i]; !(d < 2e-4 && d > -2e-4) {
			t.Fatalf("output %d is %g on XLA and %g on go", i, got[i], want[i])
		}
	}
}

// TestResume: a stream that is saved and then loaded by another stream continues bit by bit. In
// bfloat16, the state takes half the space, and the outputs are nearly the same.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "series.state")
	x := tokens(24)
	first := stream(t, 1)
	feed(t, first, x[:13*tiny.Dim])
	state, err := first.State()
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Save(path); err != nil {
		t.Fatal(err)
	}
	want := feed(t, first, x[13*tiny.Dim:])

	loaded, err := pdr.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	second := stream(t, 1)
	if err := second.Resume(loaded); err != nil {
		t.Fatal(err)
	}
	if got := feed(t, second, x[13*tiny.Dim:]); !slices.Equal(got, want) || second.Position() != 24 {
		t.Errorf("the resumed series differs, or is at %d", second.Position())
	}
	if err := second.Resume(state.BFloat16()); err != nil {
		t.Fatal(err)
	}
	var d float64
	for i, y := range feed(t, second, x[13*tiny.Dim:]) {
		d = max(d, float64(max(y-want[i], want[i]-y)))
	}
	if d == 0 || d > 0.05 {
		t.Errorf("from bfloat16 it differs by %g", d)
	}
	if err := stream(t, 2).Resume(loaded); err == nil || !strings.Contains(err.Error(), "another model") {
		t.Errorf("a state of another model: %v", err)
	}
	if left, _ := filepath.Glob(path + "?*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestBrokenState: a file that is cut anywhere, or has one bit changed anywhere, is an error.
func TestBrokenState(t *testing.T) {
	s := stream(t, 1)
	feed(t, s, tokens(3))
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := state.Write(&file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	if _, err := pdr.Parse(whole); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/200 {
		if _, err := pdr.Parse(whole[:i]); err == nil {
			t.Fatalf("cut after %d bytes of %d: no error", i, len(whole))
		}
		changed := bytes.Clone(whole)
		changed[i] ^= 4
		if _, err := pdr.Parse(changed); err == nil {
			t.Fatalf("byte %d changed: no error", i)
		}
	}
	path := filepath.Join(t.TempDir(), "torn.state")
	if err := os.WriteFile(path, whole[:len(whole)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := pdr.Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the error does not name the file: %v", err)
	}
	if err := state.Save(filepath.Join(path, "no", "folder")); err == nil {
		t.Error("saving where there is no folder is not an error")
	}
}

// TestMemoryIsConstant: a stream holds no more memory after many tokens than after few.
func TestMemoryIsConstant(t *testing.T) {
	s, x := stream(t, 1), tokens(64)
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	run := func(n int) {
		for range n {
			feed(t, s, x)
		}
	}
	run(5)
	before := held()
	run(60)
	if after := held(); after > before+256<<10 {
		t.Errorf("%d kB more after %d tokens", (after-before)>>10, s.Position())
	}
}

// BenchmarkStream reports how much more memory the process holds after all tokens than after the
// first thousand. Run it with -benchtime 15625x for a million tokens.
func BenchmarkStream(b *testing.B) {
	s, x := stream(b, 1), tokens(64)
	held := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for range 16 {
		feed(b, s, x)
	}
	before := held()
	for b.Loop() {
		feed(b, s, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(64*b.N), "ns/token")
	b.ReportMetric(held()-before, "more-bytes")
}
