package backend

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// site makes files below a folder, and an nvidia-smi that reports the driver. If driver is "", it
// makes no nvidia-smi.
func site(t *testing.T, driver string, files ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, f := range files {
		path := filepath.Join(root, f)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir()
	if driver != "" {
		if err := os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\necho "+driver+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":/bin:/usr/bin")
	return root
}

// TestVersions: the error for a plugin that does not start lists the versions of all parts and
// names the one that does not fit.
func TestVersions(t *testing.T) {
	if _, err := os.Stat("/proc/driver/nvidia/version"); err == nil {
		t.Skip("this machine has a driver of its own")
	}
	const jax13, jax12 = "site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so"
	const own = "go-xla/nvidia/pjrt_c_api_cuda_plugin.so"
	for _, c := range []struct {
		plugin, driver string
		others         []string
		want           []string
	}{
		{jax13, "535.104.05", []string{"site-packages/jax_cuda13_pjrt-0.11.2.dist-info/METADATA"},
			[]string{"this program speaks PJRT " + API, "the plugin PJRT 0.83", "the plugin is jax-cuda13-pjrt 0.11.2", "the NVIDIA driver is 535.104.05, too old for CUDA 13, which needs 580", `pip install "jax[cuda12]"`}},
		{jax13, "580.65.06", nil, []string{"the NVIDIA driver is 580.65.06"}},
		{jax12, "535.104.05", nil, []string{"the NVIDIA driver is 535.104.05"}},
		{jax12, "", nil, []string{"there is no NVIDIA driver"}},
		{own, "535.104.05", []string{"go-xla/nvidia/cu13/bin/ptxas"}, []string{"too old for CUDA 13"}},
		{own, "470.1", []string{"go-xla/nvidia/cuda_nvcc/bin/ptxas"}, []string{"too old for CUDA 12, which needs 525"}},
	} {
		root := site(t, c.driver, append(c.others, c.plugin)...)
		got := versions(filepath.Join(root, c.plugin), "0.83")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s, driver %q: %q lacks %q", c.plugin, c.driver, got, want)
			}
		}
		if len(c.want) == 1 && strings.Contains(got, "too old") && !strings.Contains(c.want[0], "too old") {
			t.Errorf("%s, driver %q: %q", c.plugin, c.driver, got)
		}
	}
}

// fake compiles a plugin in C into a file of the given name. If there is no compiler, it skips the
// test.
func fake(t *testing.T, name, source string) (path string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || !HasXLA {
		t.Skip("no C compiler, or no XLA")
	}
	dir := t.TempDir()
	path = filepath.Join(dir, name)
	c := exec.Command(cc, "-shared", "-fPIC", "-x", "c", "-o", path, "-")
	c.Stdin = strings.NewReader(source)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// TestForeignPlugins: libraries that look like plugins, but would end the process when go-xla calls
// them, are refused.
func TestForeignPlugins(t *testing.T) {
	for says, source := range map[string]string{
		"it speaks PJRT 9.7, this program " + API: `#include <stddef.h>
			static struct { size_t size; void *e; size_t vsize; void *ve; int major, minor; void *f[200]; } api = {1664, 0, 24, 0, 9, 7};
			void *GetPjrtApi(void) { return &api; }`,
		"its function GetPjrtApi returns nothing": "void *GetPjrtApi(void) { return 0; }",
	} {
		path := fake(t, "xla_cuda_plugin.so", source)
		_, _, err := Open("xla:" + path)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestPrepare: CUDA's compiler is found in the layouts of pip and of GoMLX's own download.
func TestPrepare(t *testing.T) {
	for plugin, proof := range map[string]string{
		"site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so": "site-packages/nvidia/cu13/nvvm/libdevice/libdevice.10.bc",
		"site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so": "site-packages/nvidia/cuda_nvcc/bin/ptxas",
		"go-xla/nvidia/pjrt_c_api_cuda_plugin.so":                 "go-xla/nvidia/cu13/bin/ptxas",
	} {
		root := site(t, "", plugin, proof)
		t.Setenv("XLA_FLAGS", "--xla_dump_to=x")
		t.Setenv("GOPJRT_CUDA_CHECKS", "")
		prepare(filepath.Join(root, plugin))
		dir, _, _ := strings.Cut(proof, "/nvvm")
		dir, _, _ = strings.Cut(dir, "/bin")
		if got, want := os.Getenv("XLA_FLAGS"), "--xla_dump_to=x --xla_gpu_cuda_data_dir="+filepath.Join(root, dir); got != want {
			t.Errorf("%s: XLA_FLAGS=%s, want %s", plugin, got, want)
		}
	}
}
