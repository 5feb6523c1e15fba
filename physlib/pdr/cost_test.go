package pdr_test

import (
	"fmt"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/pdr"
)

func ExampleConfig_LayerFLOPs() {
	c, err := pdr.Preset("pdr")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f million operations a token, %.1f million parameters\n", float64(c.LayerFLOPs())/1e6, float64(c.LayerParams())/1e6)
	// Output: 110.1 million operations a token, 52.4 million parameters
}

// TestParams: Params equals the number of parameters created. WithParams gives a network with
// another gate about the same number.
func TestParams(t *testing.T) {
	for _, gate := range []pdr.Gate{pdr.FullGate, pdr.DiagonalGate, pdr.LowGate, pdr.FixedGate} {
		c := tiny
		c.Gate = gate
		store := seeded(1)
		apply(t, backendtest.Go(t), store, func(s *model.Scope, x *Node) []*Node {
			y, _ := c.Apply(s, x, nil, 0)
			return []*Node{y}
		}, normal(1, 1, 2, c.Dim))
		made := 0
		for v := range store.IterVariables() {
			if v.Trainable {
				made += v.Shape().Size()
			}
		}
		if c.Params() != made {
			t.Errorf("%s: %d parameters, made %d", gate, c.Params(), made)
		}
		wide := tiny
		wide.Hidden = 40
		if same := c.WithParams(wide.Params()); 2*max(same.Params()-wide.Params(), wide.Params()-same.Params()) > c.Layers*(3*c.Dim+2) {
			t.Errorf("%s: %d parameters, want %d", gate, same.Params(), wide.Params())
		}
	}
}
