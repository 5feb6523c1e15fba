package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// raw matches code that writes to the terminal without package screen.
var raw = regexp.MustCompile(`\bfmt\.Print|\bos\.(Stdout|Stderr)\b|\bprintln\(`)

// unescaped are the files that may use the standard streams of the process directly. Such a file
// passes the streams to child processes, or it checks whether a stream is a terminal and escapes
// the text that it writes.
var unescaped = []string{"physlib/cmd/screen/screen.go", "physlib/cmd/physlib/internal/discover/cmd.go", "experiments/ablate/cmd.go", "experiments/train/cmd.go"}

// Commands write to the terminal through package screen, which escapes control characters.
func TestOutputIsEscaped(t *testing.T) {
	seen := 0
	look := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		name, err := filepath.Rel(root, path)
		if err != nil || slices.Contains(unescaped, filepath.ToSlash(name)) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			if raw.MatchString(line) {
				t.Errorf("%s:%d writes to the terminal without package screen: %s", name, n+1, strings.TrimSpace(line))
			}
		}
		return nil
	}
	for _, dir := range []string{"physlib/cmd", "experiments"} {
		if err := filepath.WalkDir(filepath.Join(root, dir), look); err != nil {
			t.Error(err)
		}
	}
	if seen < 50 {
		t.Errorf("only %d files were read", seen)
	}
}
