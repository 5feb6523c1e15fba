package mdl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// Whole keeps the columns, the derived columns and the rounding of the target of the part. The
// rounding of the columns is not determined.
func TestWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	degC, err := unit.Parse("degC")
	if err != nil {
		t.Fatal(err)
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "T", Unit: degC, HasUnit: true}}, Target: dataset.Column{Name: "y"},
		Consts: []dataset.Constant{{Name: "g", Value: 9.81}}}
	for range 500 {
		table.Vars[0].Values = append(table.Vars[0].Values, math.Round(1e4*rng.Float64())/100)
		table.Target.Values = append(table.Target.Values, math.Round(1e4*rng.Float64())/1000)
	}
	part := New(table.Subset(dataset.Evenly(500, 50)), nil, true)
	whole, direct := part.Whole(table), New(table, nil, true)
	if !slices.EqualFunc(whole.Cols, direct.Cols, slices.Equal[[]float64]) {
		t.Error("other columns than those of the table prepared by itself")
	}
	if !slices.Equal(whole.yRound, direct.yRound) || whole.points != direct.points || whole.sign != direct.sign {
		t.Error("another target than that of the table prepared by itself")
	}
	for v, r := range whole.rounding {
		if r != nil {
			t.Errorf("variable %d has a rounding", v)
		}
	}
}
