package discover

import (
	"context"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// Columns with any unit of angle are angles, which cost bits outside a sine.
func TestAngleColumns(t *testing.T) {
	table := &dataset.Table{Name: "t", Target: dataset.Column{Name: "y", Values: []float64{1, 3, 4, 9}}}
	names := []string{"rad", "radians", "arcminutes", "gon", "″", "%", "m"}
	for i, name := range names {
		u, err := unit.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		v := []float64{1, 2, 4, 5}
		v[i%4] += float64(i)
		table.Vars = append(table.Vars, dataset.Column{Name: "x" + name, Values: v, Unit: u, HasUnit: true})
	}
	r := searchTable(context.Background(), task{t: table, budget: budget{evaluations: 1}}, way{})
	if want := []bool{true, true, true, true, true, false, false}; !slices.Equal(r.j.angle[:len(want)], want) {
		t.Errorf("angles among %q: %v, want %v", names, r.j.angle, want)
	}
}
