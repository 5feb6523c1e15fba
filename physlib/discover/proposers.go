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
	Forms   = "forms"   // the likeliest forms of laws, fitted one by one (survey.go)
)

// NamedProposer is a Proposer with the name used in Settings.Proposers, laws and messages.
type NamedProposer struct {
	Name string
	Proposer
	// Cost is the processor time that the Proposer takes. If it is more than a tenth of the run's
	// time on all cores, the Proposer waits until the search has ended.
	Cost time.Duration
}

// Proposed is what one Proposer contributed to a run.
type Proposed struct {
	Name string
	// Number of expressions scored, including those scored within the genetic search.
	Laws int64
	// Time after which the Proposer began, from the start of the first search in which it did: a
	// run may search the table several times. Negative: it did not begin.
	StartedAfter time.Duration
}

// addProposed returns now plus what the Proposers contributed to an earlier search of the table. If
// a Proposer began in the earlier search, its StartedAfter is also taken from there. The searches
// may have different Proposers, since the genetic one is left out if few evaluations remain.
func addProposed(now, earlier []Proposed) []Proposed {
	sum := slices.Clone(now)
	for _, p := range earlier {
		i := slices.IndexFunc(sum, func(o Proposed) bool { return o.Name == p.Name })
		if i < 0 {
			sum = append(sum, p)
			continue
		}
		sum[i].Laws += p.Laws
		if p.StartedAfter >= 0 {
			sum[i].StartedAfter = p.StartedAfter
		}
	}
	return sum
}

// proposerNames returns the names of the Proposers of a run, in the order of available. It returns
// an error if a name is unknown or no Proposer is chosen.
func (s Settings) proposerNames() ([]string, error) {
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

// available returns all names that may be chosen.
func (s Settings) available() []string {
	names := BuiltIn()
	for _, p := range s.Extra {
		names = append(names, p.Name)
	}
	return names
}

// BuiltIn returns the names of the built-in Proposers.
func BuiltIn() []string { return []string{Search, Genetic, Forms} }
