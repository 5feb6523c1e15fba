package backend_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/backend"
)

// TestCandidates: if there are several plugins, Candidates lists them in the documented order.
func TestCandidates(t *testing.T) {
	root := t.TempDir()
	touch := func(name string) string {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Chdir(root)
	t.Setenv("HOME", filepath.Join(root, "home"))
	for _, name := range []string{"PHYSLIB_XLA", "PHYSLIB_XLA_DIR", "VIRTUAL_ENV", "PJRT_PLUGIN_LIBRARY_PATH"} {
		t.Setenv(name, "")
	}
	first := func(kind backend.Kind) string {
		for _, p := range backend.Candidates(kind) {
			if strings.HasPrefix(p.Path, root) { // this machine may have other plugins
				return p.Path
			}
		}
		return ""
	}
	if got := first(backend.CPU); got != "" {
		t.Fatalf("found %s in an empty folder", got)
	}
	// The cases go from the last place to the first. Each has precedence over the cases before it.
	for _, c := range []struct {
		kind     backend.Kind
		variable string // variable that names the file or its folder
		file     string
	}{
		{kind: backend.CUDA, file: "home/.local/lib/go-xla/pjrt_c_api_cuda_plugin.so"},
		{kind: backend.CUDA, file: "home/.local/lib/go-xla/nvidia/pjrt_c_api_cuda_plugin.so"},
		{kind: backend.CPU, file: "home/.local/lib/go-xla/pjrt_c_api_cpu_v0.83.4_plugin.so"},
		{kind: backend.CPU, file: "home/.local/lib/python3.11/site-packages/fastatomstruct_xla_cpu/libpjrt_cpu.so"},
		{kind: backend.CUDA, file: "home/.local/lib/python3.11/site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so"},
		{kind: backend.CUDA, file: "home/.local/lib/python3.11/site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so"},
		{kind: backend.CPU, file: ".venv/lib/python3.11/site-packages/fastatomstruct_xla_cpu/libpjrt_cpu.so"},
		{kind: backend.CPU, file: ".venv/lib/python3.12/site-packages/fastatomstruct_xla_cpu/libpjrt_cpu.so"},
		{kind: backend.CPU, file: "home/.local/share/physlib/pjrt_c_api_cpu_plugin.so"},
		{kind: backend.CPU, variable: "PHYSLIB_XLA_DIR", file: "own/libpjrt_cpu.so"},
		{kind: backend.CPU, variable: "PJRT_PLUGIN_LIBRARY_PATH", file: "pjrt/pjrt_c_api_cpu_v0.83_plugin.so"},
		{kind: backend.CUDA, variable: "PJRT_PLUGIN_LIBRARY_PATH", file: "pjrt/pjrt_c_api_cuda_plugin.so"},
		{kind: backend.CPU, variable: "PHYSLIB_XLA", file: "folder/pjrt_c_api_cpu_plugin.so"},
	} {
		want := touch(c.file)
		if c.variable != "" {
			t.Setenv(c.variable, filepath.Dir(want))
		}
		if got := first(c.kind); got != want {
			t.Errorf("with %s: tries %q first", c.file, got)
		}
	}
	t.Setenv("PHYSLIB_XLA", filepath.Join(root, "mine.so"))
	if got := backend.Candidates(backend.CPU); len(got) != 1 || got[0].By != "$PHYSLIB_XLA" {
		t.Errorf("PHYSLIB_XLA names a file, candidates are %v", got)
	}
	if got, want := first(backend.CUDA), filepath.Join(root, "pjrt/pjrt_c_api_cuda_plugin.so"); got != want {
		t.Errorf("PHYSLIB_XLA names a plugin for the CPU, for CUDA %q is tried first", got)
	}
}

// TestCheckOtherLibrary: a library that is not a plugin is recognized before it is loaded.
func TestCheckOtherLibrary(t *testing.T) {
	libs, _ := filepath.Glob("/lib/*/libm.so.6")
	if len(libs) == 0 || runtime.GOOS != "linux" {
		t.Skip("no libm.so.6 under /lib")
	}
	if err := backend.Check(libs[0]); err == nil || !strings.Contains(err.Error(), "lacks GetPjrtApi") {
		t.Errorf("Check(%s): %v", libs[0], err)
	}
}
