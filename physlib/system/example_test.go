package system_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/system"
)

// A preset names the parts of a neural system.
func ExamplePreset() {
	c, err := system.Preset("physdiffuse-small")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Tokens, c.Seq, c.Lengths, c.Dim, system.Trained(c.Name))
	_, err = system.Preset("physdifuse")
	fmt.Println(err != nil)
	// Output:
	// small 24 head 96 true
	// true
}
