package wave_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/wave"
)

// A wave of about thirty periods at unevenly spaced times.
func ExampleLaws() {
	p := wave.Problem{X: [][]float64{nil}, Allowed: func(expr.Op) bool { return true }}
	for i := range 200 {
		t := float64(i) + 0.3*math.Sin(float64(7*i))
		p.X[0] = append(p.X[0], t)
		p.Y = append(p.Y, 1.5*math.Sin(1.1*t+0.4))
	}
	for law := range wave.Laws(context.Background(), p, false) {
		if law.Exact {
			fmt.Println(law.Tree.Infix([]string{"t"}))
			fmt.Printf("%.3f\n", law.Tree.Params()[1:])
			break
		}
	}
	// Output:
	// c0 + c3*sin(c1*t + c2)
	// [1.100 0.400 1.500]
}
