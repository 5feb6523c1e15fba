package pdr_test

import (
	"fmt"

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
