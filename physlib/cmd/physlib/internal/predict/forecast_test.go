package predict

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/lawfile"
)

// Columns that drive a system come after the derivatives, even if a law names them first.
func TestFieldColumns(t *testing.T) {
	f := &lawfile.File{Motion: &lawfile.Motion{Time: "t", Order: 2, Equations: []lawfile.Equation{{State: "x"}, {State: "y"}}}}
	vars := []string{"x", "y", "u", "dx_dt", "dy_dt", "du_dt", "k", "t"}
	if got, want := fieldColumns(f, vars), []string{"x", "y", "dx_dt", "dy_dt", "u", "du_dt", "k", "t"}; !slices.Equal(got, want) {
		t.Errorf("second order: %q, want %q", got, want)
	}
	f.Order = 1
	if got := fieldColumns(f, vars); !slices.Equal(got, vars) {
		t.Errorf("first order: %q, want %q", got, vars)
	}
}

// A forecast may end at time 0.
func TestTimesToZero(t *testing.T) {
	c := &Cmd{Until: "0", Step: 1}
	got, err := c.times(&lawfile.File{Motion: &lawfile.Motion{}}, -2.5, lawfile.Column{})
	if want := []float64{-2.5, -1.5, -0.5, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
