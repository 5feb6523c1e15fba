package bench

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/motion"
)

// Trajectories without errors have no glitches and no jumps, at equally or unequally spaced times.
func TestNoGlitchesOnCleanRuns(t *testing.T) {
	for _, suite := range []string{"motion", "strogatz"} {
		systems, err := corpus.Motions(suite)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range systems {
			table, err := MotionTable(m, 0, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(2, 3))
			for _, share := range []float64{1, 0.6} {
				if m.ID == "vdp" && share < 1 {
					continue // this system jumps between rows, which looks like a glitch
				}
				var rows []int
				for i := range table.Rows() {
					if rng.Float64() < share {
						rows = append(rows, i)
					}
				}
				_, warnings, err := motion.Read(table.Subset(rows), motion.Options{Time: "t", Group: "run", Order: m.Order})
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range warnings {
					if strings.Contains(w, "jump") {
						t.Errorf("%s, share %g of the rows: %s", m.ID, share, w)
					}
				}
			}
		}
	}
}
