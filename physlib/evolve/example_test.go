package evolve_test

import (
	"context"
	"fmt"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/evolve"
	"github.com/physlib/lab/physlib/system"
)

// A system that rewrites parts of the archive's laws joins the other Proposers. The example has no
// output because the network takes seconds to compile.
func ExampleProposer() {
	b, _, err := backend.Open("")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := system.Embedded(b, "physdiffuse-small", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _, err := dataset.Example("kepler")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := discover.Discover(context.Background(), table, discover.Settings{
		Time:  time.Minute,
		Extra: []discover.NamedProposer{{Name: "physdiffuse+evolve", Proposer: &evolve.Proposer{System: s}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Best)
}
