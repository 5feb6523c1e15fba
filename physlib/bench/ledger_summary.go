package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/search"
)

// LedgerSummary is what the parts of the search did with many laws.
type LedgerSummary struct {
	Laws  int // with a search; those without an error
	Found int // by any part
	Parts []PartSummary
}

// PartSummary is what one part did with many laws.
type PartSummary struct {
	Part    string
	Asked   int     // laws
	Found   int     // of these
	Alone   int     // of these by no other part: lost without it and the deeper parts of its method
	Seconds float64 // of processor time, for all
	Version string  // of the program, where it is not that of the records
}

// SummarizeLedger counts the laws that each part found, and those that no other part found. For a
// law found by one part alone, parts that [Ledger] omitted do not count: deeper parts find the laws
// of shallower ones. The simplest laws are nobody's alone, since only the simplest part is run for
// them.
func SummarizeLedger(records []LedgerRecord) LedgerSummary {
	var s LedgerSummary
	at := map[string]*PartSummary{}
	for _, p := range search.Parts() {
		at[p.String()] = &PartSummary{Part: p.String()}
	}
	for _, r := range records {
		if r.Error != "" {
			continue
		}
		s.Laws++
		var found []string
		for _, p := range r.Parts {
			sum := at[p.Part]
			if sum == nil {
				continue // of an older search
			}
			sum.Asked++
			sum.Seconds += p.Seconds
			sum.Version = cmp.Or(p.Version, sum.Version)
			if p.Found {
				sum.Found++
				found = append(found, p.Part)
			}
		}
		if len(found) > 0 {
			s.Found++
		}
		if len(found) == 1 && !r.simple() {
			at[found[0]].Alone++
		}
	}
	for _, p := range search.Parts() {
		if sum := at[p.String()]; sum.Asked > 0 {
			s.Parts = append(s.Parts, *sum)
		}
	}
	slices.SortStableFunc(s.Parts, func(a, b PartSummary) int { return b.Found - a.Found })
	return s
}

// String returns a table.
func (s LedgerSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d laws found\n\n%-32s %5s %5s %6s %9s\n", s.Found, s.Laws, "part", "laws", "found", "alone", "seconds")
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "%-32s %5d %5d %6d %9.1f\n", p.Part, p.Asked, p.Found, p.Alone, p.Seconds)
	}
	return b.String()
}
