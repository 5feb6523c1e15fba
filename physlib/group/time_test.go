package group_test

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/group"
)

// manyRows returns a table of eight groups of 750 rows each. Every comparison of forms on this
// table takes long.
func manyRows() (group.Groups, *dataset.Table) {
	rng := rand.New(rand.NewSource(1))
	t := &dataset.Table{Name: "many", Vars: []dataset.Column{{Name: "x"}, {Name: "z"}, {Name: "w"}}, Target: dataset.Column{Name: "y"}}
	g := group.Groups{Column: "g"}
	for k := range 8 {
		g.Names = append(g.Names, fmt.Sprint("group", k))
	}
	for i := range 6000 {
		x, z, w := 1+4*rng.Float64(), 1+4*rng.Float64(), 6*rng.Float64()
		for v, value := range []float64{x, z, w} {
			t.Vars[v].Values = append(t.Vars[v].Values, value)
		}
		t.Target.Values = append(t.Target.Values, float64(1+i%8)*x*math.Exp(-0.4*z)+math.Sin(w)+0.05*rng.NormFloat64())
		g.Of = append(g.Of, i%8)
	}
	return g, t
}

// A run ends soon after its time limit or an interrupt, with the best law so far. The tolerances
// are wide, since tests share a machine. Without limits, the comparison alone would take minutes.
func TestTimeLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes several seconds")
	}
	g, table := manyRows()
	for name, run := range map[string]struct {
		limit, interrupt time.Duration
		stopped          discover.Stop
	}{
		"time":      {3 * time.Second, time.Hour, discover.StopTime},
		"interrupt": {time.Hour, 3 * time.Second, discover.StopInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			defer time.AfterFunc(run.interrupt, cancel).Stop()
			began := time.Now()
			r, err := group.Discover(ctx, table, g, group.Settings{Search: discover.Settings{Time: run.limit}})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %v in place of 3 s", took)
			}
			if len(r.Best.Groups) != 8 {
				t.Errorf("no law of eight groups: %s", r.Verdict)
			}
			if r.Stopped != run.stopped {
				t.Errorf("stopped by %s, want %s", r.Stopped, run.stopped)
			}
		})
	}
}
