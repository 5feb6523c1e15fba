package build

import "github.com/physlib/lab/physlib/expr"

// Constants numbers the free constants of a tree. The zero value starts at slot 0.
type Constants struct{ n int }

// Free returns the next free constant. A fit starts with the value start for this constant.
func (c *Constants) Free(start float64) expr.Tree {
	c.n++
	return expr.C(c.n-1, start)
}
