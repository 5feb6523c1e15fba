package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/search"
)

// LedgerSummary has the results of the parts of the search over many laws.
type LedgerSummary struct {
	Laws  int // number of laws measured without an error
	Found int // number of laws that at least one part found
	Parts []PartSummary
}

// PartSummary has the results of one part over many laws.
type PartSummary struct {
	Part    string
	Ran     int     // number of laws for which the part ran
	Found   int     // number of laws that it found
	Alone   int     // number of laws that neither another method nor a shallower part found
	Seconds float64 // processor time for all laws together
	Version string  // version that measured the part; "" if it is that of the records
}

// SummarizeLedger counts the laws that each part of the search found, and the laws that no other
// part found. A part that [Ledger] skipped for a law does not count as finding the law. So deeper
// parts have low counts, although they find all laws that shallower parts find. If search.Simplest
// finds a law, all other parts are skipped for it, and the law counts in Alone for no part.
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
				continue // a part that the search no longer has
			}
			sum.Ran++
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
		if sum := at[p.String()]; sum.Ran > 0 {
			s.Parts = append(s.Parts, *sum)
		}
	}
	slices.SortStableFunc(s.Parts, func(a, b PartSummary) int { return b.Found - a.Found })
	return s
}

// String returns the summary as a table.
func (s LedgerSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d laws found\n\n%-32s %5s %5s %6s %9s\n", s.Found, s.Laws, "part", "laws", "found", "alone", "seconds")
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "%-32s %5d %5d %6d %9.1f\n", p.Part, p.Ran, p.Found, p.Alone, p.Seconds)
	}
	return b.String()
}
