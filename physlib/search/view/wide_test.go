package view

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// Of forty columns, the three that matter are kept, with many rows and with few.
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
		drop := Irrelevant(p)
		if len(drop) != 40-mostVars {
			t.Errorf("%d rows: %d columns are left out", rows, len(drop))
		}
		for _, i := range []int{7, 10, 33} {
			if drop[i] {
				t.Errorf("%d rows: column %d is left out", rows, i)
			}
		}
	}
	if Irrelevant(&dataset.Problem{Target: dataset.Quantity{Values: []float64{1, 2}}}) != nil {
		t.Error("nothing to leave out")
	}
}

// Of fifty columns with values of both signs, the three that matter are kept. Two of these matter
// only as a product.
func TestIrrelevantProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := &dataset.Problem{Target: dataset.Quantity{Values: make([]float64, 120)}}
	for range 50 {
		v := make([]float64, 120)
		for k := range v {
			v[k] = 4*rng.Float64() - 2
		}
		p.Vars = append(p.Vars, dataset.Quantity{Values: v})
	}
	x := p.Vars
	for k := range p.Target.Values {
		p.Target.Values[k] = x[3].Values[k]*x[17].Values[k] + 0.3*x[42].Values[k]*x[42].Values[k]
	}
	drop := Irrelevant(p)
	for _, i := range []int{3, 17, 42} {
		if drop[i] {
			t.Errorf("column %d is left out", i)
		}
	}
}
