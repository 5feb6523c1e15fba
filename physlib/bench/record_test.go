package bench

import (
	"path/filepath"
	"strings"
	"testing"
)

// Only one process can have a results file open; it is free after Close.
func TestResultsAreLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	first, _, err := openResults[Record](name, "recovery")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openResults[Record](name, "recovery"); err == nil || !strings.Contains(err.Error(), "another physlib bench writes "+name) {
		t.Errorf("opened twice: %v", err)
	}
	if err := first.add(Record{ID: "a"}); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	second, old, err := openResults[Record](name, "recovery")
	if err != nil || len(old) != 1 {
		t.Fatalf("opened again: %v, %v", old, err)
	}
	second.Close()
}

func TestVersionIsNeverEmpty(t *testing.T) {
	t.Chdir(t.TempDir())
	if Version() == "" {
		t.Error("the version is empty")
	}
	t.Setenv("PATH", "")
	if Version() == "" {
		t.Error("the version is empty without git")
	}
}
