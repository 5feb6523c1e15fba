package regression_test

import (
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// spoilt returns y = 2x + 1 with small errors and three outliers.
func spoilt() *dataset.Table {
	t := &dataset.Table{Name: "spoilt", Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 20 {
		x := float64(i)
		y := 2*x + 1 + 0.1*math.Sin(7*x)
		if i == 3 || i == 11 || i == 17 {
			y += 40
		}
		t.Vars[0].Values, t.Target.Values = append(t.Vars[0].Values, x), append(t.Target.Values, y)
	}
	return t
}

// Every robust loss finds the line and the three outliers among 20 rows. Least squares does not,
// since outliers distort it.
func TestRobustLosses(t *testing.T) {
	table := spoilt()
	line, err := law.Parse("y = a*x + b", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, loss := range regression.Losses() {
		for _, method := range []regression.Method{regression.EffectiveVariance, regression.OrthogonalDistance} {
			set := regression.Settings{Loss: loss}
			if method == regression.OrthogonalDistance {
				set.Method, set.XSigma, set.Sigma = method, map[string][]float64{"x": constants(20, 0.01)}, constants(20, 0.1)
			}
			r, err := regression.Fit(line, table, set)
			if err != nil {
				t.Fatal(err)
			}
			a, b := r.Law.Constants[0].Value, r.Law.Constants[1].Value
			if loss == regression.LinearLoss {
				if r.Weights != nil || math.Abs(b-1) < 1 {
					t.Errorf("least squares: weights %v, b = %g", r.Weights, b)
				}
				continue
			}
			if !(math.Abs(a-2) < 0.05 && math.Abs(b-1) < 0.3) || !r.Converged {
				t.Errorf("%s: a = %g, b = %g, want 2 and 1 (converged: %t)", loss, a, b, r.Converged)
			}
			for i, w := range r.Weights {
				if off := i == 3 || i == 11 || i == 17; off != (w < 0.2) {
					t.Errorf("%s: row %d has weight %g", loss, i, w)
				}
			}
			if !math.IsNaN(r.P()) {
				t.Errorf("%s: p = %g of a sum of losses", loss, r.P())
			}
		}
	}
}

func constants(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// If all residuals are 0, so that the estimated scale is 0, an exact law stays exact. Errors name
// invalid losses and scales.
func TestLossOfExactLaw(t *testing.T) {
	table := spoilt()
	for i, x := range table.Vars[0].Values {
		table.Target.Values[i] = 2*x + 1
	}
	line, _ := law.Parse("y = a*x + b", []string{"x"})
	for _, loss := range regression.Losses() {
		r, err := regression.Fit(line, table, regression.Settings{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := r.Law.Constants[0].Value, r.Law.Constants[1].Value; !(math.Abs(a-2) < 1e-9 && math.Abs(b-1) < 1e-9) {
			t.Errorf("%s: a = %g, b = %g", loss, a, b)
		}
	}
	for want, set := range map[string]regression.Settings{
		`there is no loss "l2"; there are linear, soft_l1`: {Loss: "l2"},
		"the scale -1 of the loss":                         {Loss: regression.HuberLoss, LossScale: -1},
	} {
		if _, err := regression.Fit(line, table, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
