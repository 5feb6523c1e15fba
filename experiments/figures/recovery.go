package figures

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
)

// condition is a suite with the settings of a search. Runs with equal conditions are comparable law
// by law.
type condition struct {
	suite     string
	units     bool
	noise     float64
	proposers string // search, neural or both
	time      float64
}

// outcome holds the records of a condition over all seeds.
type outcome struct {
	condition
	records []bench.Record
	file    string // the table of the suite
}

// exact returns the number of laws found exactly.
func (o outcome) exact() int {
	k := 0
	for _, r := range o.records {
		if r.Exact {
			k++
		}
	}
	return k
}

func (o outcome) share(name string) figure.Estimate {
	return figure.Share(name, o.exact(), len(o.records))
}

// who classifies the proposers of a record: search (those without a network), neural, or both.
func who(r bench.Record) string {
	neural, search := false, len(r.Proposers) == 0
	for _, p := range r.Proposers {
		switch p {
		case "search", "genetic", "forms", "sparse":
			search = true
		default:
			neural = true
		}
	}
	switch {
	case neural && search:
		return "both"
	case neural:
		return "neural"
	}
	return "search"
}

// budget formats a time in seconds.
func budget(seconds float64) string { return strconv.FormatFloat(seconds, 'g', 3, 64) + " s" }

// runPrefix is the beginning of the names of the runs that figures of recovery use. Other runs
// serve to compare two versions of the program, or single proposers.
const runPrefix = "recovery-"

// part is a run of one suite.
type part struct {
	file    string // the table of the suite
	records []bench.Record
}

// suiteTable is the content of recovery-SUITE.csv.
type suiteTable struct {
	file string
	rows []bench.Row // sorted by run and condition
}

// suiteTables reads the tables of all suites. It does not record them as sources of the figure.
func (s *source) suiteTables() (all []suiteTable, err error) {
	files, err := s.find("recovery-*.csv")
	if err != nil {
		return nil, err
	}
	// scratch records the files read here, which are not sources of the figure.
	scratch := &source{dir: s.dir}
	for _, f := range files {
		b, err := scratch.read(f)
		if err != nil {
			return nil, err
		}
		rows, err := bench.ReadRows(bytes.NewReader(b), f)
		if err != nil {
			return nil, err
		}
		all = append(all, suiteTable{f, rows})
	}
	return all, nil
}

// parts returns the runs of all suites, sorted by suite and run.
func (s *source) parts() (all []part, err error) {
	tables, err := s.suiteTables()
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		for i, r := range t.rows {
			if !strings.HasPrefix(r.Run, runPrefix) {
				continue
			}
			if i == 0 || t.rows[i-1].Run != r.Run {
				all = append(all, part{file: t.file})
			}
			last := &all[len(all)-1]
			last.records = append(last.records, r.Record)
		}
	}
	return all, nil
}

// outcomes returns the results of recovery, sorted, for the conditions for which keep returns true.
// A run with less than nine tenths of the laws of another run of its suite is a partial rerun and
// is ignored. Of two runs of one condition and seed, outcomes uses the one with more laws, or the
// last by name.
func (s *source) outcomes(keep func(condition) bool) ([]outcome, error) {
	all, err := s.parts()
	if err != nil {
		return nil, err
	}
	most := map[string]int{}
	for _, p := range all {
		most[p.records[0].Suite] = max(most[p.records[0].Suite], len(p.records))
	}
	parts := map[condition]map[int64]part{}
	for _, p := range all {
		r := p.records[0]
		c := condition{r.Suite, r.Units, r.Noise, who(r), r.Time}
		if 10*len(p.records) < 9*most[r.Suite] || !keep(c) {
			continue
		}
		if parts[c] == nil {
			parts[c] = map[int64]part{}
		}
		if old, ok := parts[c][r.Seed]; !ok || len(p.records) >= len(old.records) {
			parts[c][r.Seed] = p
		}
	}
	var out []outcome
	for c, seeds := range parts {
		o := outcome{condition: c}
		for _, seed := range slices.Sorted(maps.Keys(seeds)) {
			p := seeds[seed]
			if _, err := s.read(p.file); err != nil {
				return nil, err
			}
			for _, r := range p.records {
				s.run(r.Version)
			}
			o.records, o.file = append(o.records, p.records...), p.file
		}
		out = append(out, o)
	}
	if len(out) == 0 {
		return nil, missing{"recovery-*.csv"}
	}
	yes := func(b bool) int {
		if b {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b outcome) int {
		return cmp.Or(suiteRank(a.suite)-suiteRank(b.suite), strings.Compare(a.suite, b.suite), yes(a.units)-yes(b.units), cmp.Compare(a.noise, b.noise),
			strings.Compare(b.proposers, a.proposers), cmp.Compare(a.time, b.time))
	})
	return out, nil
}

// suiteRank returns the position of a suite in figures. Suites for which others have published
// results come first.
func suiteRank(suite string) int {
	if i := slices.Index([]string{"feynman", "bonus", "textbook"}, suite); i >= 0 {
		return i
	}
	return 9
}

func unitsText(units bool) string {
	if units {
		return "units"
	}
	return "no units"
}

var recoverySuites = drawing{
	name:    "recovery-suites",
	caption: "Laws found again in every suite and condition, with 95 % intervals (Wilson).",
	command: "physlib bench recovery --suite textbook --time 6s --out experiments/results/raw/recovery-textbook-n0.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		all, err := s.outcomes(func(condition) bool { return true })
		if err != nil {
			return figure.Picture{}, err
		}
		var rows []figure.Estimate
		for _, o := range all {
			row := o.share(fmt.Sprintf("%s, noise %g, %s, %s", unitsText(o.units), o.noise, o.proposers, budget(o.time)))
			row.Group = o.suite
			rows = append(rows, row)
		}
		return figure.Bars(rows, figure.Axis{Label: "laws found again [%]", Low: 0, High: 100}).Sized(12, 0), nil
	},
}

var recoveryProposer = drawing{
	name:    "recovery-proposer",
	caption: "What each proposer adds: the Feynman set by search alone, by the neural system alone, and by both, in equal time; 95 % intervals.",
	command: "physlib bench recovery --suite feynman --time 20s --proposers physdiffuse-small --out experiments/results/raw/recovery-feynman-units-n0-neural.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		all, err := s.outcomes(func(c condition) bool { return c.suite == "feynman" })
		if err != nil {
			return figure.Picture{}, err
		}
		type key struct {
			units       bool
			noise, time float64
		}
		kinds := map[key]map[string]bool{}
		for _, o := range all {
			k := key{o.units, o.noise, o.time}
			if kinds[k] == nil {
				kinds[k] = map[string]bool{}
			}
			kinds[k][o.proposers] = true
		}
		var rows []figure.Estimate
		used := map[string]bool{}
		for _, o := range all {
			if len(kinds[key{o.units, o.noise, o.time}]) < 2 {
				continue // there is no other outcome to compare with
			}
			row := o.share(o.proposers)
			row.Group = fmt.Sprintf("%s, noise %g, %s", unitsText(o.units), o.noise, budget(o.time))
			row.Hue = 1 + slices.Index([]string{"search", "neural", "both"}, o.proposers)
			rows = append(rows, row)
			used[o.file] = true
		}
		for f := range s.sums {
			if !used[f] {
				delete(s.sums, f)
			}
		}
		if len(rows) == 0 {
			return figure.Picture{}, missing{"run of the network in recovery-feynman.csv"}
		}
		return figure.Bars(rows, figure.Axis{Label: "laws found again [%]", Low: 0, High: 100}).Sized(12, 0), nil
	},
}
