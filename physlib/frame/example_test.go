package frame_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/frame"
)

// A rod of length l and temperature T has the resistance R = c*l*f(T). What is f?
func ExampleDiscover() {
	l := dataset.Column{Name: "l"}
	T := dataset.Column{Name: "T"}
	R := dataset.Column{Name: "R"}
	for i := range 20 {
		length, temperature := 1+0.5*float64(i%4), 300+20*float64(i)
		l.Values, T.Values = append(l.Values, length), append(T.Values, temperature)
		R.Values = append(R.Values, 0.04*length*math.Exp(900/temperature))
	}
	table := &dataset.Table{Vars: []dataset.Column{l, T}, Target: R}
	given, err := frame.Parse("R = l*f(T)", []string{"l", "T"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := frame.Discover(context.Background(), table, given, discover.Settings{Evaluations: 500, Time: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Functions)
	fmt.Println(result.Best.Display(3))
	// Output:
	// [f(T) = c0*exp(c1/T)]
	// 0.04*l*exp(900/T)
}
