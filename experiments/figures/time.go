package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/figure"
)

const (
	fewestLaws = 20   // least number of laws with which a suite gets its own panel
	shortest   = 0.01 // in seconds; laws found sooner are drawn at this time
	longestRun = 60   // end of the axis, in seconds
	timeRow    = 3    // number of panels per row
	timeHeight = 6    // height of a panel in cm
)

var timeToLaw = drawing{
	name: "time-to-law",
	caption: "Laws found without noise by search and genetic programming against the processor seconds of each, in suites of 20 laws and more. Dashed: seconds " +
		"of the wall clock, where a run kept no others. A line is a run, by its commit (unknown: not kept; +: with changes) and budget. A search " +
		"that is not sure uses its whole budget.",
	command: "physlib bench recovery --suite feynman --time 20s --clock cpu --proposers search,genetic,forms --out experiments/results/raw/recovery-feynman-n0.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		all, err := s.timedRuns()
		if err != nil {
			return figure.Picture{}, err
		}
		var panels, rows []figure.Picture
		for len(all) > 0 {
			n := 1
			for n < len(all) && all[n].suite == all[0].suite && all[n].units == all[0].units {
				n++
			}
			panels = append(panels, timePanel(all[:n]))
			all = all[n:]
		}
		for row := range slices.Chunk(panels, timeRow) {
			for len(row) < timeRow {
				row = append(row, figure.Picture{}.Sized(figure.Page/timeRow, timeHeight))
			}
			rows = append(rows, figure.Beside(row...))
		}
		return figure.Stack(rows...), nil
	},
}

// timePanel draws the runs of one suite.
func timePanel(runs []timedRun) figure.Picture {
	var series []figure.Series
	laws := 0
	for _, r := range runs {
		laws = max(laws, len(r.records))
		series = append(series, r.series())
	}
	title := strings.TrimSuffix(runs[0].suite, "-ode")
	switch {
	case title != runs[0].suite:
		title += ", from trajectories"
	case !runs[0].units:
		title += ", no units"
	}
	x := figure.Axis{Label: "time [s]", Log: true, Low: shortest, High: longestRun}
	for _, t := range []float64{0.01, 0.1, 1, 10, 60} {
		x.Ticks = append(x.Ticks, figure.Tick{Value: t, Label: fmt.Sprint(t)})
	}
	y := figure.Axis{Label: fmt.Sprintf("laws, of %d", laws), Low: 0, High: 1.02 * float64(laws)}
	return figure.Lines(series, x, y).Sized(figure.Page/timeRow, timeHeight).Titled(title)
}

// timedRun is a run of a suite without noise.
type timedRun struct {
	file    string // the table of the suite
	run     string
	suite   string
	units   bool
	records []bench.Record
}

// series returns the number of laws found against time.
func (r timedRun) series() figure.Series {
	first := r.records[0]
	line := figure.Series{Name: r.name(), Steps: true, X: []float64{shortest}, Y: []float64{0}}
	line.Dashed = slices.ContainsFunc(r.records, func(r bench.Record) bool { return r.CPUSeconds == 0 })
	var seconds []float64
	for _, law := range r.records {
		t := law.CPUSeconds
		if line.Dashed {
			t = law.Seconds
		}
		if law.Exact {
			seconds = append(seconds, min(max(t, shortest), first.Time))
		}
	}
	slices.Sort(seconds)
	for i, t := range append(seconds, first.Time) {
		line.X, line.Y = append(line.X, t), append(line.Y, float64(min(i+1, len(seconds))))
	}
	return line
}

// name returns the commit and budget of the run, with a mark if a network took part.
func (r timedRun) name() string {
	commit, dirty, _ := strings.Cut(r.records[0].Version, "-")
	commit = commit[:min(7, len(commit))]
	if dirty != "" {
		commit += "+"
	}
	name := commit + ", " + budget(r.records[0].Time)
	if who(r.records[0]) != "search" {
		name += ", with network"
	}
	return name
}

// timedRuns returns the runs in which search and genetic programming took part, on all laws of a
// suite, sorted by suite and time. Runs with a network are included only if the suite has no
// others.
func (s *source) timedRuns() ([]timedRun, error) {
	tables, err := s.suiteTables()
	if err != nil {
		return nil, err
	}
	var all []timedRun
	for _, t := range tables {
		all = append(all, chooseRuns(t.runs())...)
	}
	if len(all) == 0 {
		return nil, missing{fmt.Sprintf("run of %d laws in recovery-*.csv", fewestLaws)}
	}
	slices.SortStableFunc(all, func(a, b timedRun) int {
		return cmp.Or(suiteRank(a.suite)-suiteRank(b.suite), strings.Compare(a.suite, b.suite), strings.Compare(unitsText(b.units), unitsText(a.units)),
			cmp.Compare(a.records[0].Time, b.records[0].Time), strings.Compare(a.run, b.run))
	})
	for _, r := range all {
		if _, err := s.read(r.file); err != nil {
			return nil, err
		}
		for _, law := range r.records {
			s.run(law.Version)
		}
	}
	return all, nil
}

// runs returns the runs of a table on clean data with search and genetic programming.
func (t suiteTable) runs() (runs []timedRun) {
	for _, row := range t.rows {
		if row.Noise != 0 || row.Digits != 0 || row.Outliers != 0 ||
			!slices.Contains(row.Proposers, discover.Search) || !slices.Contains(row.Proposers, discover.Genetic) {
			continue
		}
		n := len(runs)
		if n == 0 || runs[n-1].run != row.Run || runs[n-1].units != row.Units || runs[n-1].records[0].Seed != row.Seed {
			runs = append(runs, timedRun{file: t.file, run: row.Run, suite: row.Suite, units: row.Units})
			n++
		}
		runs[n-1].records = append(runs[n-1].records, row.Record)
	}
	return runs
}

// chooseRuns drops partial reruns, small suites, and runs with a network if there are others.
func chooseRuns(runs []timedRun) []timedRun {
	// plain reports, for tables with and without units, whether some run has no network.
	most, plain := 0, map[bool]bool{}
	for _, r := range runs {
		most = max(most, len(r.records))
		plain[r.units] = plain[r.units] || who(r.records[0]) == "search"
	}
	return slices.DeleteFunc(runs, func(r timedRun) bool {
		return 10*len(r.records) < 9*most || most < fewestLaws || plain[r.units] && who(r.records[0]) != "search"
	})
}
