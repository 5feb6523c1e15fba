package gpu

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If a bundle cannot be written, the error is one line about the first file.
func TestBundleFails(t *testing.T) {
	dir := t.TempDir()
	b := bundle{dir: dir, sums: map[string]string{}}
	b.put("run.sh", 0o755, plain([]byte("true\n")))
	b.put("full", 0o644, func(io.Writer) error { return errors.New("no space left on device") })
	b.put("README.md", 0o644, plain(readme))
	if b.err == nil || strings.Contains(b.err.Error(), "\n") || !strings.HasSuffix(b.err.Error(), "full was not written: no space left on device") {
		t.Errorf("%v", b.err)
	}
	if info, err := os.Stat(filepath.Join(dir, "run.sh")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); !os.IsNotExist(err) {
		t.Errorf("after the error: %v", err)
	}
	if len(b.sums) != 1 || b.size != 5 {
		t.Errorf("%v, %d bytes", b.sums, b.size)
	}
}
