package discover

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Names of the Proposers that are built in.
const (
	Search  = "search"  // enumeration and joins
	Genetic = "genetic" // evolution of trees
)

// Named is a Proposer with the name by which Settings.Proposers, laws and messages call it.
type Named struct {
	Name string
	Proposer
	Cost time.Duration // processor time that it takes; where that is more than a tenth of what a run has on all cores, it waits for the search's end
}

// Proposed is what one Proposer contributed to a run.
type Proposed struct {
	Name  string
	Laws  int64         // expressions judged, those that the genetic search tried by itself included
	After time.Duration // from the beginning of the run to its own; below 0: it did not begin
}

// chosen returns the names of the Proposers that shall work, in the order of available.
func (s Settings) chosen() ([]string, error) {
	all := s.available()
	if s.Proposers == nil {
		return all, nil
	}
	for _, name := range s.Proposers {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no proposer is called %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	if len(s.Proposers) == 0 {
		return nil, fmt.Errorf("no proposer is chosen; there are %s", strings.Join(all, ", "))
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(s.Proposers, name) }), nil
}

// available returns the names that Proposers may have.
func (s Settings) available() []string {
	names := []string{Search, Genetic, Forms}
	for _, p := range s.Extra {
		names = append(names, p.Name)
	}
	return names
}
