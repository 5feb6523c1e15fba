// Package backendtest runs a test on every available backend: always on go, and on XLA if its CPU
// plugin is found.
//
// With PHYSLIB_REQUIRE_XLA=1, as .ci/run sets it, a test fails if the plugin is missing. Otherwise
// its part with XLA is skipped.
package backendtest

import (
	"flag"
	"os"
	"sync"
	"testing"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
)

var openGo = sync.OnceValues(func() (compute.Backend, error) {
	b, _, err := backend.Open("go")
	return b, err
})

// openXLA opens XLA. In tests, but not in benchmarks, XLA compiles without optimization, which
// halves the time of the tests.
var openXLA = sync.OnceValues(func() (compute.Backend, error) {
	if bench := flag.Lookup("test.bench"); (bench == nil || bench.Value.String() == "") && os.Getenv("XLA_FLAGS") == "" {
		os.Setenv("XLA_FLAGS", "--xla_backend_optimization_level=0")
	}
	b, _, err := backend.Open("xla:cpu")
	return b, err
})

// Go returns the pure Go backend. All tests of a program share it.
func Go(t testing.TB) compute.Backend {
	t.Helper()
	b, err := openGo()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// XLA returns XLA on the CPU. All tests of a program share it. If there is no plugin, it skips the
// test.
func XLA(t testing.TB) compute.Backend {
	t.Helper()
	b, err := openXLA()
	if err != nil {
		if os.Getenv("PHYSLIB_REQUIRE_XLA") != "" {
			t.Fatalf("PHYSLIB_REQUIRE_XLA is set: %v", err)
		}
		t.Skip(err)
	}
	return b
}

// Each runs f with each backend, as the subtests go and xla.
func Each(t *testing.T, f func(t *testing.T, b compute.Backend)) {
	t.Helper()
	t.Run("go", func(t *testing.T) { f(t, Go(t)) })
	t.Run("xla", func(t *testing.T) { f(t, XLA(t)) })
}

// EachB is Each for benchmarks.
func EachB(b *testing.B, f func(b *testing.B, backend compute.Backend)) {
	b.Helper()
	b.Run("go", func(b *testing.B) { f(b, Go(b)) })
	b.Run("xla", func(b *testing.B) { f(b, XLA(b)) })
}
