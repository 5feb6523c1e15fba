package figures

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/search"
)

var searchParts = drawing{
	name: "search-parts",
	caption: "What each part of the search, alone, finds on random laws, and the processor seconds it takes for all " +
		"laws that it is run for. Ring: laws that no other part finds.",
	command: "physlib bench ledger --laws 120 --time 3s --seed 1 --out experiments/results/raw/ledger-seed-1.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		sums, err := s.ledger()
		if err != nil {
			return figure.Picture{}, err
		}
		var found, seconds []figure.Estimate
		parts := search.Parts()
		slices.SortStableFunc(parts, func(a, b search.Part) int { return cmp.Compare(a.View, b.View) })
		for _, p := range parts {
			sum, ok := sums[p.String()]
			if !ok {
				continue
			}
			note := fmt.Sprintf("%d of %d", sum.Found, sum.Ran)
			if sum.Alone > 0 {
				note += fmt.Sprintf(", %d alone", sum.Alone)
			}
			view := p.View.String()
			// The name is shortened, since a font may be wider than expected.
			name := strings.Replace(strings.TrimPrefix(p.String(), view+" "), " with ", ", ", 1)
			found = append(found, figure.Estimate{Group: view, Name: name, Value: float64(sum.Found),
				Other: float64(sum.Alone), Note: note})
			// Only the left picture shows names. Spaces keep the rows of both pictures at the same
			// height.
			seconds = append(seconds, figure.Estimate{Group: strings.Repeat(" ", 1+int(p.View)), Value: sum.Seconds, Note: fmt.Sprintf("%.1f", sum.Seconds), Hue: 3})
		}
		return figure.Beside(
			figure.Bars(found, figure.Axis{Label: "laws found"}).Sized(0.66*figure.Page, 0),
			figure.Bars(seconds, figure.Axis{Label: "processor time [s]"}).Sized(0.34*figure.Page, 0)), nil
	},
}

// ledger returns the totals of each part of the search over all runs on random laws.
func (s *source) ledger() (map[string]bench.PartSummary, error) {
	const name = "ledger.csv"
	b, err := s.read(name)
	if err != nil {
		return nil, err
	}
	rows, err := bench.ReadLedgerRows(bytes.NewReader(b), name)
	if err != nil {
		return nil, err
	}
	sums := map[string]bench.PartSummary{}
	for _, r := range rows {
		if r.Suite != "" {
			continue
		}
		s.run(r.Version)
		sum := sums[r.Part]
		sum.Ran += r.Ran
		sum.Found += r.Found
		sum.Alone += r.Alone
		sum.Seconds += r.Seconds
		sums[r.Part] = sum
	}
	if len(sums) == 0 {
		return nil, missing{"run on random laws in " + name}
	}
	return sums, nil
}
