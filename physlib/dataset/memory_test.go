package dataset

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A table may use a part of the free memory. If the address space has no limit, only the free
// memory counts.
func TestMemoryLimit(t *testing.T) {
	if got := memoryLimit(1000); got != 1000 {
		t.Errorf("a given limit is %d", got)
	}
	if got := memoryLimit(0); got < 1<<20 || got > available() {
		t.Errorf("%d of %d bytes", got, available())
	}
	if n := addressSpace(); n < 1<<26 {
		t.Errorf("%d bytes of address space are left", n)
	}
}

// The free memory of a control group is its limit less what is in use, except cached files.
func TestControlGroup(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"memory.max": "max\n", "memory.current": "600\n", "memory.stat": "anon 300\ninactive_anon 7\ninactive_file 150\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := controlGroup(folder); got != math.MaxInt64 {
		t.Errorf("without a limit %d bytes are free", got)
	}
	for limit, want := range map[string]int64{"1000\n": 550, "400\n": 0} {
		if err := os.WriteFile(filepath.Join(folder, "memory.max"), []byte(limit), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := controlGroup(folder); got != want {
			t.Errorf("of %s %d bytes are free, want %d", limit, got, want)
		}
	}
}
