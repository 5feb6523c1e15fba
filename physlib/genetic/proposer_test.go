package genetic_test

import (
	"testing"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/genetic"
)

func small() discover.Proposer { return &genetic.Search{Generations: 2, Islands: 2, Population: 60} }

func TestProposer(t *testing.T) { discovertest.TestProposer(t, small) }

func TestOperators(t *testing.T) { discovertest.TestOperators(t, small) }
