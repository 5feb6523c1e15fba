package discover

import (
	"context"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// orifice returns a table of the flow through an orifice. The flow is the square root of the
// pressure drop, with errors of 0.5 %.
func orifice(pressures []float64) *dataset.Table {
	rng := rand.New(rand.NewSource(3))
	var flow []float64
	for _, p := range pressures {
		flow = append(flow, math.Round(1000*1.73*math.Sqrt(p)*(1+0.005*rng.NormFloat64()))/1000)
	}
	return &dataset.Table{Name: "orifice", Vars: []dataset.Column{{Name: "dp", Values: slices.Clone(pressures)}},
		Target: dataset.Column{Name: "Q", Values: flow}}
}

func TestSlipInInput(t *testing.T) {
	sorted := []float64{2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 67, 79}
	mixed := []float64{29, 4, 67, 11, 56, 22, 2, 37, 46, 16, 7, 79}
	for _, c := range []struct {
		name  string
		table *dataset.Table
		row   int
	}{{"in order", orifice(sorted), 5}, {"in no order", orifice(mixed), 5}, {"few rows", orifice(sorted[:9]), 5}} {
		c.table.Vars[0].Values[c.row] *= 100 // a value in Pa among values in mbar
		r, err := Discover(context.Background(), c.table, Settings{Evaluations: 20_000, Time: -1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Outliers, []int{c.row}) || !strings.HasSuffix(r.Best.String(), "*sqrt(dp)") {
			t.Errorf("%s: %s, without rows %v", c.name, r.Best, r.Outliers)
		}
		if said := strings.Join(r.Warnings, "\n"); !strings.Contains(said, "dp = 2200 would agree with the others as 22") {
			t.Errorf("%s: the warnings do not tell the slip: %s", c.name, said)
		}
	}
	// A gross error is not taken for a slip, even if the law is zero in some row.
	var x, y []float64
	for i := range 41 {
		x = append(x, float64(i-16)/8)
		y = append(y, math.Round(1e4*(1.7*x[i]+0.3*x[i]*x[i]*x[i]+0.001*math.Sin(float64(i*i))))/1e4)
	}
	y[30] += 7
	cubic := &dataset.Table{Name: "cubic", Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	r, err := Discover(context.Background(), cubic, Settings{Evaluations: 6_000, Time: -1})
	if err != nil || !slices.Equal(r.Outliers, []int{30}) || strings.Contains(strings.Join(r.Warnings, "\n"), "would agree") {
		t.Errorf("a gross error: %s, without rows %v (%v): %q", r.Best, r.Outliers, err, r.Warnings)
	}
	c := orifice(sorted)
	r, err = Discover(context.Background(), c, Settings{Evaluations: 20_000, Time: -1})
	if err != nil || len(r.Outliers) > 0 {
		t.Errorf("without a slip, rows %v were left out (%v)", r.Outliers, err)
	}
}
