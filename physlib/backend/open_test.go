package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/backend/backendtest"
)

func TestComputes(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		out, err := MustNewExec1(b, func(x *Node) *Node { return ReduceAllSum(Square(x)) }).Call([]float32{1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Value().(float32); got != 14 {
			t.Errorf("1 + 4 + 9 = %g", got)
		}
	})
}

func TestOpenAutoFallsBackToGo(t *testing.T) {
	t.Setenv("PHYSLIB_XLA", filepath.Join(t.TempDir(), "absent.so"))
	b, used, err := backend.Open("auto")
	if err != nil {
		t.Fatal(err)
	}
	if b == nil || !strings.HasPrefix(used, "go") || !strings.Contains(used, "absent.so") && !strings.Contains(used, "without XLA") {
		t.Errorf("used %q", used)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "pjrt_c_api_cpu_plugin.so")
	if err := os.WriteFile(text, []byte("<html>404</html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		// unknown names
		{"tpu", "unknown backend"},
		{"xlacpu", "unknown backend"},
		// plugins that are missing, and files that are not plugins
		{"xla:" + filepath.Join(dir, "none.so"), "does not exist"},
		{"xla:" + dir, "is a folder"},
		{"xla:" + text, "is not a shared library"},
	} {
		_, _, err := backend.Open(c.name)
		if err == nil {
			t.Errorf("Open(%q): no error", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) && !strings.Contains(err.Error(), "without XLA") {
			t.Errorf("Open(%q): %v, want %q", c.name, err, c.want)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%q): more than one line: %v", c.name, err)
		}
	}
}
