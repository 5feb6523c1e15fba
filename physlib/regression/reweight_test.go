package regression_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// Errors that depend on the target follow from the values of the law. If they followed from the
// measured values, the factor would be too small by many standard errors.
func TestErrorsOfLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		errors string
		share  float64 // the relative error that is given; 0: its size is estimated
		noise  func(y float64) float64
	}{
		{law.ProportionalErrors, 0, func(y float64) float64 { return y * (1 + 0.2*rng.NormFloat64()) }},
		{law.ProportionalErrors, 0.2, func(y float64) float64 { return y * (1 + 0.2*rng.NormFloat64()) }},
		{law.CountingErrors, 0, func(y float64) float64 { return math.Max(0, math.Round(y+math.Sqrt(y)*rng.NormFloat64())) }},
	} {
		table := &dataset.Table{Name: "t", Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
		for i := range 2000 {
			x := 1 + float64(i%10)
			table.Vars[0].Values = append(table.Vars[0].Values, x)
			table.Target.Values = append(table.Target.Values, c.noise(5*x))
		}
		l, err := law.Parse("y = a*x", []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		settings := regression.Settings{Errors: c.errors}
		if c.share > 0 {
			table, settings.Errors = table.WithShare(c.share), ""
		}
		r, err := regression.Fit(l, table, settings)
		if err != nil {
			t.Fatal(err)
		}
		if a := r.Law.Constants[0]; math.Abs(a.Value-5) > 3*a.StdErr || !(a.StdErr > 0) {
			t.Errorf("%s errors: a = %g ± %g, want 5", c.errors, a.Value, a.StdErr)
		}
		if r.Law.Errors != c.errors || r.Absolute != (c.share > 0) || c.share > 0 && r.Law.Noise != c.share {
			t.Errorf("%s errors: the law states %s errors of %g", c.errors, r.Law.Errors, r.Law.Noise)
		}
	}
}
