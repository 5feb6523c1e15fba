package pdr_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/pdr"
)

// TestResumeElsewhere: a series is continued by another process, which reads the state from a file.
// Its outputs equal those of an uninterrupted series bit by bit. The other process is this test,
// run again with the names of the files.
func TestResumeElsewhere(t *testing.T) {
	const before, after = 13, 11 // tokens in each of the processes
	x := tokens(before + after)
	s := stream(t, 1)
	from, to := os.Getenv("PDR_STATE"), os.Getenv("PDR_OUTPUTS")
	if from != "" {
		state, err := pdr.Load(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Resume(state); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		if err := binary.Write(file, binary.LittleEndian, feed(t, s, x[before*tiny.Dim:])); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	feed(t, s, x[:before*tiny.Dim])
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	from, to = filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "outputs")
	if err := state.Save(from); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0], "-test.run=^TestResumeElsewhere$")
	other.Env = append(os.Environ(), "PDR_STATE="+from, "PDR_OUTPUTS="+to)
	if text, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	file, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	got := make([]float32, after*tiny.Dim)
	if err := binary.Read(file, binary.LittleEndian, got); err != nil {
		t.Fatal(err)
	}
	if want := feed(t, s, x[before*tiny.Dim:]); !slices.Equal(got, want) {
		t.Error("the other process's outputs differ")
	}
}
