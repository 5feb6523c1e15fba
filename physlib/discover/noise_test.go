package discover

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// A complicated law that may describe noise gives way to a simple one that does not.
func TestDropNoise(t *testing.T) {
	scored := func(bits, form float64) ranked {
		return ranked{Score: mdl.Score{Tree: expr.X(0), Bits: bits, Form: form}}
	}
	noise, simple := scored(95, 20), scored(96, 5)
	for _, c := range []struct {
		constant float64
		left     int
	}{
		{100, 1}, // the simple law only
		{104, 2}, // both
		{97, 2},  // neither: what was scored stays
	} {
		k := &ranking{constant: c.constant, list: []ranked{noise, simple}}
		res := &Result{Finalists: make([]law.Law, 2)}
		k.dropNoise(res)
		if len(k.list) != c.left || len(res.Finalists) != c.left || k.list[c.left-1].Bits != simple.Bits {
			t.Errorf("a constant of %.0f bits leaves %d laws, want %d", c.constant, len(k.list), c.left)
		}
	}
}
