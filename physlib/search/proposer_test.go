package search_test

import (
	"testing"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/search"
)

func firstStage() discover.Proposer { return &search.Search{Stages: 1} }

func TestProposer(t *testing.T) { discovertest.TestProposer(t, firstStage) }

func TestOperators(t *testing.T) { discovertest.TestOperators(t, firstStage) }
