package search_test

import (
	"testing"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/search"
)

// small returns a search with the simplest laws and one part for each kind of join.
func small() discover.Proposer {
	s := &search.Search{}
	for _, p := range search.Parts() {
		if p.View == search.Variables && p.Depth == 0 && (p.Method.IsJoin() || p.Method == search.Simplest) {
			s.Only = append(s.Only, p)
		}
	}
	return s
}

func TestProposer(t *testing.T) { discovertest.TestProposer(t, small) }

func TestOperators(t *testing.T) { discovertest.TestOperators(t, small) }
