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

// A system proposed the first of two laws, as its third candidate.
func ExampleCandidateSummary() {
	s := bench.CandidateSummary{Suite: "heldout", Rows: 64, Samples: 128, Records: []bench.CandidateRecord{
		{True: "sqrt(x0/x1)", Tokens: 4, Monomial: true, Rank: 3, Fit: 3, Samples: 128, Distinct: 60, Seconds: 1},
		{True: "x0*sin(c0*x1)/x2", Tokens: 8, Samples: 128, Distinct: 80, Seconds: 2},
	}}
	fmt.Print(s)
	// Output:
	// heldout: 2 laws, 64 rows, 128 candidates each
	//      tokens  laws  k=1    k=8   k=32  k=128     R²  distinct     s
	//          ≤5     1  0 %  100 %  100 %  100 %  100 %        60  1.00
	//         6–9     1  0 %    0 %    0 %    0 %    0 %        80  2.00
	//   monomials     1  0 %  100 %  100 %  100 %  100 %        60  1.00
	//      others     1  0 %    0 %    0 %    0 %    0 %        80  2.00
	//         all     2  0 %   50 %   50 %   50 %   50 %        70  1.00
	// true skeleton among all: 1 of 2 (95 % interval 9 to 91 %); the first table took 1.00 s, nine of ten at most 2.00 s
}
