package mdl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The residuals and bits of a heavy-tailed fit belong to its constants, even if the reweighted fits
// have not converged.
func TestHeavyMeasuresItsConstants(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range y {
		x[i] = rng.Float64()
		y[i] = 2 + 3*x[i] + 0.01*rng.NormFloat64()
		if i%5 < 2 {
			y[i] += 20 * rng.Float64()
		}
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	m := New(table, nil, true)
	s := m.Scorer()
	line := expr.Apply(expr.Add, expr.C(0, 2), expr.Apply(expr.Mul, expr.C(1, 3), expr.X(0)))
	c, ok := s.heavy(Score{Model: Equal, Tree: line, Params: []float64{9, 9}})
	if !ok {
		t.Fatal("no fit")
	}
	sum := 0.0
	res := s.Residuals(c)
	for _, r := range res {
		sum += r * r
	}
	if math.Abs(c.RSS-sum) > 1e-9*sum {
		t.Errorf("RSS %v, residuals of the constants have %v", c.RSS, sum)
	}
	n, k := float64(len(y)), float64(len(c.Params))
	bits, _ := student(res, tails, 0)
	if want := bits + k/2*math.Log2(n/(n-k)) + math.Log2(n)/2; math.Abs(c.DataBits-want) > 1e-6 {
		t.Errorf("%v bits, the constants' have %v", c.DataBits, want)
	}
}
