package outfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/cmd/outfile"
)

func ExampleWrite() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "law.txt")
	fmt.Println(outfile.Check(path), outfile.Write(path, []byte("T = a**(3/2)")))
	data, _ := os.ReadFile(path)
	fmt.Printf("%s\n", data)
	// Output:
	// <nil> <nil>
	// T = a**(3/2)
}

// If a write fails halfway, the old file stays unchanged, and no other file remains.
func TestReplaceKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	if err := outfile.Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	err := outfile.Replace(path, func(w io.Writer) error {
		io.WriteString(w, "ne")
		return full
	})
	if !errors.Is(err, full) || !strings.HasPrefix(err.Error(), path+" was not written: ") {
		t.Errorf("the error is %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the file holds %q", data)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
	if err := outfile.Write(path, []byte("new")); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "new" {
		t.Errorf("the file holds %q", data)
	}
}

// Errors name the path that was given, not the temporary file, and what to try.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "page.html")
	for path, want := range map[string]string{
		dir:     dir + " is a directory; give the name of a file",
		missing: missing + " cannot be written: no such file or directory; choose another path",
	} {
		if err := outfile.Check(path); err == nil || err.Error() != want {
			t.Errorf("Check: %v, want %q", err, want)
		}
	}
	if err := outfile.Write(missing, nil); err == nil || err.Error() != missing+" was not written: no such file or directory" {
		t.Error(err)
	}
	if err := outfile.Write(dir, nil); err == nil || !strings.HasPrefix(err.Error(), dir+" was not written: ") {
		t.Error(err)
	}
	inFile := filepath.Join(dir, "a", "b")
	if err := errors.Join(outfile.Write(filepath.Dir(inFile), nil), outfile.Write(inFile, nil)); err == nil || err.Error() != inFile+" was not written: not a directory" {
		t.Error(err)
	}
	os.Remove(filepath.Dir(inFile))
	for _, path := range []string{"", os.DevNull} {
		if err := outfile.Check(path); err != nil {
			t.Error(err)
		}
	}
	if err := outfile.Write(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("%d files are left", len(files))
	}
}
