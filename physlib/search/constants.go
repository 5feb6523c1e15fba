package search

import "github.com/physlib/lab/physlib/expr"

// constants numbers the free constants of a tree. The zero value has none yet.
type constants struct{ n int }

// free returns a new free constant.
func (c *constants) free(start float64) expr.Tree {
	c.n++
	return expr.C(c.n-1, start)
}
