//go:build !windows

package outfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/physlib/lab/physlib/cmd/outfile"
)

// A file that is replaced keeps its mode; a new one has the mode that the umask allows.
func TestMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	private, fresh := filepath.Join(dir, "private"), filepath.Join(dir, "new")
	if err := os.WriteFile(private, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{private: 0o600, fresh: 0o640} {
		if err := outfile.Write(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v; %v", path, info.Mode(), want, err)
		}
	}
}

// A symbolic link is kept; its target is replaced.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "data", "run.json"), filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := outfile.Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != file {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if data, _ := os.ReadFile(file); string(data) != "new" {
		t.Errorf("the file holds %q", data)
	}
}
