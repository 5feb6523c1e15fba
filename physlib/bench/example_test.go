package bench_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/bench"
)

func Example() {
	records := []bench.Record{
		{ID: "fall", True: "g*t**2/2", Found: "g*t**2/2", Exact: true, Identical: true, FrontExact: true, Seconds: 0.1},
		{ID: "ohm", True: "R*I", Found: "R+I", Seconds: 0.3},
	}
	fmt.Print(bench.Summarize(records))
	// Output:
	// recovered 1/2  50.0 % (95 % interval 9.5 to 90.5)
	// on front  1/2  50.0 %
	// seconds   median 0.1, nine of ten within 0.3
	// not recovered: ohm
	//   true  R*I
	//   found R+I
}

func ExampleWilson() {
	low, high := bench.Wilson(97, 100)
	fmt.Printf("%.3f %.3f\n", low, high)
	// Output: 0.915 0.990
}
