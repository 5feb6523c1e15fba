package discover_test

import (
	"context"
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Galileo's ball leaves a table with the speed won by falling h, and lands at the distance d (folio 116v, about 1608).
func ExampleDiscover() {
	table, info, err := dataset.Example("galileo1608")
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
	// accepted: d = k*sqrt(h)
	// found:    d = 47.09*sqrt(h)
	// k = 47.09(26) punto^(1/2)
}
