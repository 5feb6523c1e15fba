package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// raw matches what writes to the terminal without package screen.
var raw = regexp.MustCompile(`\bfmt\.Print|\bos\.(Stdout|Stderr)\b|\bprintln\(`)

// unescaped are the files that may name the process's streams: they pass them to child processes, or
// ask whether they are terminals and escape what they write.
var unescaped = []string{"screen/screen.go", "ablate/cmd.go", "discover/cmd.go", "train/cmd.go"}

// Commands write to the terminal through package screen, which escapes what strangers wrote.
func TestOutputIsEscaped(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		for _, name := range unescaped {
			if filepath.ToSlash(path) == name {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			if raw.MatchString(line) {
				t.Errorf("%s:%d writes to the terminal without package screen: %s", path, n+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d files were read: %v", seen, err)
	}
}
