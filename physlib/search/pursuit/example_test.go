package pursuit_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/search/pursuit"
)

// A driven oscillator whose friction depends on the logarithm of the speed. The law has four terms.
// One of them contains |v|, and one a frequency as its inner constant.
func Example() {
	var p pursuit.Problem
	p.X = make([][]float64, 3)
	for i := range 200 {
		x, v, t := 2*math.Sin(1.3*float64(i)), 2*math.Cos(2.1*float64(i)), float64(i)/10
		p.X[0], p.X[1], p.X[2] = append(p.X[0], x), append(p.X[1], v), append(p.X[2], t)
		p.Y = append(p.Y, -1.5*x*x*x-0.8*v-0.5*math.Log(1+math.Abs(v))+0.3*math.Sin(1.7*t))
	}
	search := pursuit.New(p)
	for depth := range pursuit.Depths {
		for law := range search.Laws(context.Background(), depth) {
			if law.Error < 1e-9 {
				fmt.Println(depth, len(law.Tree.Params()), "constants")
				return
			}
		}
	}
	// Output: 1 5 constants
}
