package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

// closest returns the tree with the least misfit that s proposes for p. If s proposes an exact
// tree, closest returns the first such tree.
func closest(s *Search, p *dataset.Problem) (best expr.Tree, least float64) {
	least = math.Inf(1)
	for t := range s.Propose(context.Background(), p) {
		if e := searchtest.Misfit(t, p); e < least {
			best, least = t, e
		}
		if least < 1e-10 {
			break
		}
	}
	return best, least
}
