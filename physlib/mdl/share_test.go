package mdl_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Errors that are a share of the target follow from the values of the law. If they followed from
// the measured values, the constant would be 8 % too small.
func TestShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, 2000), make([]float64, 2000)
	for i := range y {
		x[i] = 1 + float64(i%10)
		y[i] = 5 * x[i] * (1 + 0.2*rng.NormFloat64())
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	shared := table.WithShare(0.2)
	part := shared.Subset(dataset.Evenly(2000, 100))
	tree := expr.Apply(expr.Mul, expr.C(0, 1), expr.X(0))
	for name, m := range map[string]*mdl.Data{"table": mdl.New(shared, survey.Catalogue(), true), "whole": mdl.New(part, survey.Catalogue(), true).Whole(shared)} {
		c, ok := m.Scorer().Refit(tree, mdl.Given)
		if !ok || math.Abs(c.Params[0]-5) > 3*c.StdErr[0] || !(c.StdErr[0] < 0.03) {
			t.Errorf("%s: %v ± %v, want 5", name, c.Params, c.StdErr)
		}
		squares := 0.0
		for _, z := range m.Scorer().Standardized(c) {
			squares += z * z
		}
		if math.Abs(squares/2000-1) > 0.1 {
			t.Errorf("%s: χ²/n = %v, want 1", name, squares/2000)
		}
		if model, size, dof := m.Noise(c); model != law.ProportionalErrors || size != 0.2 || dof != 0 {
			t.Errorf("%s: errors %s of %v with %d degrees of freedom", name, model, size, dof)
		}
	}
	// In a row far from the law the error follows from the measured value, so that one slip does
	// not decide the fit.
	y[0] = 5000
	c, ok := mdl.New(table.WithShare(0.2), survey.Catalogue(), true).Scorer().Refit(tree, mdl.Given)
	if !ok || !(c.Params[0] > 4.9 && c.Params[0] < 5.1) {
		t.Errorf("with a slip: %v", c.Params)
	}
}
