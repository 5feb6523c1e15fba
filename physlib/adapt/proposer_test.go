package adapt_test

import (
	"testing"

	"github.com/physlib/lab/physlib/adapt"
	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/discover/discovertest"
	"github.com/physlib/lab/physlib/system"
)

func TestAdaptedSystemsAreProposers(t *testing.T) {
	c, err := system.Preset("../system/testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Refine.Steps, c.Refine.Samples = 2, 8
	sys, err := system.Untrained(backendtest.Go(t), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]adapt.Settings{
		"weighted": {Rank: 2, Steps: 2, Batch: 2, Candidates: 8, Refine: 2},
		"pseudo":   {Rank: 2, Steps: 2, Batch: 2, Objective: adapt.Pseudo, Refine: 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := &adapt.Proposer{System: sys, Settings: s}
			defer p.Close()
			discovertest.TestProposer(t, func() discover.Proposer { return p })
			discovertest.TestOperators(t, func() discover.Proposer { return p })
		})
	}
}
