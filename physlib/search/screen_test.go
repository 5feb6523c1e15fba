package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// Of forty columns the three that matter stay, with many rows and with few.
func TestIrrelevant(t *testing.T) {
	for _, rows := range []int{60, 500} {
		rng := rand.New(rand.NewPCG(3, 4))
		p := &dataset.Problem{Target: dataset.Quantity{Values: make([]float64, rows)}}
		for i := range 40 {
			v := make([]float64, rows)
			for k := range v {
				v[k] = 1 + 4*rng.Float64()
			}
			p.Vars = append(p.Vars, dataset.Quantity{Name: fmt.Sprint("x", i), Values: v})
		}
		for k := range p.Target.Values {
			p.Target.Values[k] = p.Vars[7].Values[k] * p.Vars[10].Values[k] / p.Vars[33].Values[k]
		}
		drop := irrelevant(p)
		if len(drop) != 40-maxVars {
			t.Errorf("%d rows: %d columns are left out", rows, len(drop))
		}
		for _, i := range []int{7, 10, 33} {
			if drop[i] {
				t.Errorf("%d rows: column %d is left out", rows, i)
			}
		}
	}
	if irrelevant(&dataset.Problem{Target: dataset.Quantity{Values: []float64{1, 2}}}) != nil {
		t.Error("nothing to leave out")
	}
}
