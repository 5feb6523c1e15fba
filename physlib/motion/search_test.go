package motion

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// The table of an equation has rows even if most derivatives are 0, or if the given noise exceeds
// the data by far.
func TestTableHasRows(t *testing.T) {
	pulse, line, small := make([]float64, 16), make([]float64, 16), make([]float64, 60)
	for i := range pulse {
		line[i] = float64(i%8 + i/8)
		if i%8 == 4 {
			pulse[i] = 1
		}
	}
	for i := range small {
		small[i] = 1e-6 * math.Exp(-float64(i)/24)
	}
	for _, c := range []struct {
		name  string
		x     []float64
		runs  [][2]int
		order int
		noise []float64
	}{
		{"pulse", pulse, [][2]int{{0, 8}, {8, 16}}, 2, nil},
		{"pulse, order 1", pulse, [][2]int{{0, 8}, {8, 16}}, 1, nil},
		{"line", line, [][2]int{{0, 8}, {8, 16}}, 2, nil},
		{"zero", make([]float64, 16), [][2]int{{0, 8}, {8, 16}}, 1, nil},
		{"noise", small, [][2]int{{0, 60}}, 1, []float64{0.02}},
	} {
		tr := &Trajectories{Order: c.order, Runs: c.runs, Time: dataset.Column{Name: "t"}}
		for i := range c.x {
			tr.Time.Values = append(tr.Time.Values, float64(i%c.runs[0][1]))
		}
		tr.States = []dataset.Column{{Name: "x", Values: c.x}}
		sr := &searcher{tr: tr, d: tr.data(context.Background(), c.noise)}
		table, _ := sr.table(0)
		if table.Rows() == 0 {
			t.Errorf("%s: no rows", c.name)
		}
		bad := func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) }
		if slices.ContainsFunc(table.Sigma, bad) {
			t.Errorf("%s: standard errors %v", c.name, table.Sigma)
		}
	}
}
