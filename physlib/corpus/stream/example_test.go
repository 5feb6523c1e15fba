package stream_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/expr"
)

func ExampleStream_Problem() {
	s, err := stream.New(stream.Config{Rows: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := s.Problem(1, 12)
	fmt.Println(p.Family, p.Law)
	fmt.Println(len(p.X), "columns,", len(p.Y), "rows, tier", p.Tier)
	// Output:
	// fields x1*(c0*x2 + x4/sqrt(c1 - square(x0)))/x3
	// 5 columns, 8 rows, tier 4
}

func ExampleSkeleton() {
	vars := []string{"m", "v", "c"}
	law, err := expr.Parse("m*c^2*(1/sqrt(1 - v^2/c^2) - 1)/2", vars)
	if err != nil {
		fmt.Println(err)
		return
	}
	skel, scale, ok := stream.Skeleton(law)
	fmt.Println(scale, skel.Infix(vars), ok)
	// Output: 0.5 m*(cube(c)/sqrt(square(c) - square(v)) - square(c)) true
}

// Two versions of Kepler's third law, with other names and other constants.
func ExampleSignature() {
	a, _ := expr.Parse("2*pi*sqrt(a^3/(G*M))", []string{"a", "G", "M"})
	b, _ := expr.Parse("r*sqrt(r/gamma/mass)*6.28", []string{"mass", "gamma", "r"})
	first, _, _ := stream.Skeleton(a)
	second, _, _ := stream.Skeleton(b)
	fmt.Println(stream.Signature(first) == stream.Signature(second), stream.Banned(stream.Signature(first)))
	// Output: true false
}
