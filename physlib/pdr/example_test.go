package pdr_test

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/pdr"
)

// Two channels read the numbers 1, 1, 1. At each token, the first channel forgets half of its
// content, and the second all of it.
func ExampleRecurrence() {
	b, _, err := backend.Open("go")
	if err != nil {
		panic(err)
	}
	e := MustNewExec(b, func(p, v, k, q *Node) []*Node {
		o, last := pdr.Recurrence{}.Apply(p, v, k, q, nil, 0)
		return []*Node{o, last}
	})
	perspective := [][][]float32{{{0, -99}, {0, -99}, {0, -99}}} // σ(0) = ½, σ(-99) = 0
	values := [][][]float32{{{1, 1}, {1, 1}, {1, 1}}}
	ones := [][][]float32{{{1}, {1}, {1}}} // rank 1
	out, err := e.Call(perspective, values, ones, ones)
	if err != nil {
		panic(err)
	}
	fmt.Println(out[0].Value())
	fmt.Println(out[1].Value())
	// Output:
	// [[[1 1] [1.5 1] [1.75 1]]]
	// [[[1.75] [1]]]
}
