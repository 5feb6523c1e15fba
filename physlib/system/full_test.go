package system

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/spelling"
)

// TestFullSize draws candidates from the systems at the sizes of their papers, without training:
// one length, 8 refinements of 2 steps. It takes minutes and gigabytes, so it runs where
// PHYSLIB_FULL names presets, as
//
//	PHYSLIB_FULL=physdiffuse,parr-200m go test ./physlib/system -run TestFullSize -v -timeout 2h
//
// A training step of each system is run by `physlib params PRESET --measure --batch 0.0625
// --backend xla:cpu`.
func TestFullSize(t *testing.T) {
	names := strings.Split(os.Getenv("PHYSLIB_FULL"), ",")
	if names[0] == "" {
		t.Skip("PHYSLIB_FULL names no preset")
	}
	b, used, err := backend.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	for _, name := range names {
		if !slices.Contains(Presets(), name) {
			t.Errorf("PHYSLIB_FULL: there is no preset %q; did you mean %s?", name, spelling.Closest(name, Presets()))
			continue
		}
		c := must(Preset(name))
		c.Refine.Samples, c.Refine.Steps, c.Refine.Rounds, c.Refine.Passes, c.Refine.Loops = 8, 2, 1, 1, 2
		c.Refine.WellFormed = true // so that even random weights yield laws
		began := time.Now()
		s, err := Untrained(b, c, 1)
		if err != nil {
			t.Fatal(err)
		}
		opened := time.Since(began)
		var first time.Duration
		n := 0
		for range 2 {
			began, n = time.Now(), 0
			for _, err := range s.Proposals(t.Context(), pendulum()) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				n++
			}
			if first == 0 {
				first = time.Since(began)
			}
		}
		if n == 0 {
			t.Errorf("%s proposes nothing", name)
		}
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s on %s: %d candidates; opened in %.1fs, first table %.1fs, second %.1fs, CPU so far %.0fs, peak memory so far %d MB", name, used, n,
			opened.Seconds(), first.Seconds(), time.Since(began).Seconds(), time.Duration(u.Utime.Nano()).Seconds(), u.Maxrss/1024)
		s.Close()
	}
}
