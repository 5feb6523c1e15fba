package regression_test

import (
	"testing"

	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// A constant near 0 is determined, unless another constant can compensate for it.
func TestUndetermined(t *testing.T) {
	near := law.Law{
		Constants: []law.Constant{{Name: "a", Value: 2, StdErr: 0.01}, {Name: "b", Value: 1e-12, StdErr: 0.04}},
		Cov:       []float64{1e-4, 2e-4, 2e-4, 1.6e-3},
	}
	if regression.Undetermined(near, 0) || regression.Undetermined(near, 1) {
		t.Error("a constant of 0 ± 0.04 is determined")
	}
	product := near
	product.Constants = []law.Constant{{Name: "a", Value: 2, StdErr: 1e9}, {Name: "b", Value: 1, StdErr: 5e8}}
	product.Cov = []float64{1e18, -5e17, -5e17, 2.5e17}
	if !regression.Undetermined(product, 0) || !regression.Undetermined(product, 1) {
		t.Error("constants of which only the product counts are not determined")
	}
}
