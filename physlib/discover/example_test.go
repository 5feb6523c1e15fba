package discover_test

import (
	"context"
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Kepler's third law from the eight planets.
func ExampleDiscover() {
	table, info, err := dataset.Example("kepler")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := discover.Discover(context.Background(), table, discover.Settings{Evaluations: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := result.Best.Constants[0]
	fmt.Println("accepted:", info.Law)
	fmt.Println("found:   ", result.Best.Target, "=", result.Best.Display(0))
	fmt.Println("k =", law.FormatUncertain(k.Value, k.StdErr), k.Unit)
	// Output:
	// accepted: T = k*a**(3/2)
	// found:    T = 365.186*a**(3/2)
	// k = 365.19(4) d AU^(-3/2)
}
