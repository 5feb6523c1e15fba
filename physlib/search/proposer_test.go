package search_test

import (
	"testing"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/search"
)

func small() discover.Proposer { return &search.Search{Depth: 1, Pool: 300} }

func TestProposer(t *testing.T) { discovertest.TestProposer(t, small) }

func TestOperators(t *testing.T) { discovertest.TestOperators(t, small) }
