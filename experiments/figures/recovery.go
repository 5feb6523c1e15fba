package figures

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
)

// condition is what laws were searched under: files of one condition can be compared law by law.
type condition struct {
	suite     string
	units     bool
	noise     float64
	proposers string // search, neural or both
	time      float64
}

// outcome is what a condition came to, over all of its seeds.
type outcome struct {
	condition
	records []bench.Record
	file    string // the suite's table
}

// exact counts the laws found.
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

// who names the proposers that took part: those without a network (search, genetic programming,
// forms), a neural system, or both.
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

// budget prints seconds.
func budget(seconds float64) string { return strconv.FormatFloat(seconds, 'g', 3, 64) + " s" }

// runPrefix begins the names of the runs that figures of recovery count. Others compare two
// versions of the program, or proposers alone.
const runPrefix = "recovery-"

// part is a run of one suite.
type part struct {
	file    string // the suite's table
	records []bench.Record
}

// parts reads the runs of all suites, sorted by suite and run.
func (s *source) parts() (all []part, err error) {
	files, err := s.find("recovery-*.csv")
	if err != nil {
		return nil, err
	}
	scratch := &source{dir: s.dir} // what is read and not used is no source of the figure
	for _, f := range files {
		b, err := scratch.read(f)
		if err != nil {
			return nil, err
		}
		rows, err := bench.ReadRows(bytes.NewReader(b), f)
		if err != nil {
			return nil, err
		}
		for i, r := range rows { // sorted by run
			if !strings.HasPrefix(r.Run, runPrefix) {
				continue
			}
			if i == 0 || rows[i-1].Run != r.Run {
				all = append(all, part{file: f})
			}
			last := &all[len(all)-1]
			last.records = append(last.records, r.Record)
		}
	}
	return all, nil
}

// outcomes reads the results of recovery by condition, sorted. A run with less than nine tenths of
// the laws that another run of its suite has is a rerun of some and does not count. Of two runs of
// one condition and seed the one with more laws counts, the last by name of equal ones.
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

// suiteRank orders suites from the one that others report on.
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

var recoveryNoise = drawing{
	name: "recovery-noise",
	caption: "Laws of the Feynman set found again against noise (relative to RMS(y)), with and without units, 95 % intervals; dashed: what others " +
		"published, each by its own protocol (experiments/results/peers.csv).",
	command: "physlib bench recovery --suite feynman --noise 0.01 --time 20s --out experiments/results/raw/recovery-feynman-n0.01.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		peers, err := s.table("peers.csv", "method", "units", "noise", "recovered")
		if err != nil {
			return figure.Picture{}, err
		}
		all, err := s.outcomes(func(c condition) bool { return c.suite == "feynman" })
		if err != nil {
			return figure.Picture{}, err
		}
		hues := map[string]int{} // of all series, so that both panels agree
		var panels []figure.Picture
		for _, units := range []bool{true, false} {
			p, err := noisePanel(all, peers, units, hues)
			if err != nil {
				return p, err
			}
			panels = append(panels, p)
		}
		return figure.Beside(panels...), nil
	},
}

// longest returns the outcomes of proposers against noise, of the longest time where there are
// several, and the times as text.
func longest(all []outcome, units bool, proposers string) (kept []outcome, times string) {
	for _, o := range all { // sorted by noise, then time
		if o.units != units || o.proposers != proposers {
			continue
		}
		if n := len(kept); n > 0 && kept[n-1].noise == o.noise {
			kept = kept[:n-1]
		}
		kept = append(kept, o)
	}
	low, high := math.Inf(1), 0.0
	for _, o := range kept {
		low, high = min(low, o.time), max(high, o.time)
	}
	if low < high {
		return kept, strconv.FormatFloat(low, 'g', 3, 64) + " to " + budget(high)
	}
	return kept, budget(high)
}

// noisePanel draws recovery against noise; equal noise stands at one place, evenly spaced, since 0
// has no logarithm.
func noisePanel(all []outcome, peers table, units bool, hues map[string]int) (figure.Picture, error) {
	var names []string
	ours, others := map[string][]point{}, map[string][]point{}
	var noises []float64
	seen := func(noise float64) {
		if !slices.Contains(noises, noise) {
			noises = append(noises, noise)
		}
	}
	for _, proposers := range []string{"search", "neural", "both"} {
		kept, name := longest(all, units, proposers)
		if len(kept) == 0 {
			continue
		}
		name = "physlib, " + proposers + ", " + name
		names = append(names, name)
		for _, o := range kept {
			e := o.share("")
			ours[name] = append(ours[name], point{o.noise, e.Value, e.Low, e.High})
			seen(o.noise)
		}
	}
	for i := range peers.rows {
		if peers.text(i, "units") != map[bool]string{true: "yes", false: "no"}[units] {
			continue
		}
		v, err := peers.numbers(i, "noise", "recovered")
		if err != nil {
			return figure.Picture{}, err
		}
		name := peers.text(i, "method")
		if others[name] == nil {
			names = append(names, name)
		}
		others[name] = append(others[name], point{v[0], v[1], math.NaN(), math.NaN()})
		seen(v[0])
	}
	slices.Sort(noises)
	x := figure.Axis{Label: "noise, relative to RMS(y)", Low: -0.25, High: float64(len(noises)) - 0.75}
	for i, n := range noises {
		x.Ticks = append(x.Ticks, figure.Tick{Value: float64(i), Label: strconv.FormatFloat(n, 'g', -1, 64)})
	}
	var series []figure.Series
	for i, name := range names {
		published := ours[name] == nil
		who, aside := name, 0.0
		if !published { // in one colour, whatever the times
			who = name[:strings.LastIndex(name, ",")]
			aside = 0.06 * (float64(i) - float64(len(ours)-1)/2) // so that intervals at one noise do not hide each other
		}
		if hues[who] == 0 {
			hues[who] = len(hues) + 1
		}
		line := noiseLine(append(ours[name], others[name]...), noises, aside, published)
		line.Name, line.Hue = name, hues[who]
		series = append(series, line)
	}
	title := "with units"
	if !units {
		title = "without units"
	}
	return figure.Lines(series, x, figure.Axis{Label: "laws found again [%]", Low: -2, High: 103}).Sized(figure.Page/2, 7).Titled(title), nil
}

// point is a share of laws, with its interval, at one noise.
type point struct{ noise, value, low, high float64 }

// noiseLine returns the line through points, moved aside by a part of the distance between noises.
// Published points have no intervals.
func noiseLine(points []point, noises []float64, aside float64, published bool) figure.Series {
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.noise, b.noise) })
	line := figure.Series{Dots: true, Dashed: published}
	for _, p := range points {
		line.X, line.Y = append(line.X, float64(slices.Index(noises, p.noise))+aside), append(line.Y, p.value)
		if !published {
			line.Low, line.High = append(line.Low, p.low), append(line.High, p.high)
		}
	}
	return line
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
				continue // nothing to compare with
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

// mostSuites is how many lines a picture can tell apart.
const mostSuites = 6

var timeToLaw = drawing{
	name: "time-to-law",
	caption: "Laws found without noise by the search alone against the time since it began, on a shared two-core machine: the six largest suites, each by its " +
		"longest budget, where its line ends.",
	command: "physlib bench recovery --suite feynman --time 60s --out experiments/results/raw/recovery-feynman-n0.jsonl",
	draw: func(s *source) (figure.Picture, error) {
		all, err := s.outcomes(func(c condition) bool { return c.noise == 0 && c.proposers == "search" })
		if err != nil {
			return figure.Picture{}, err
		}
		suite := func(o outcome) string { return fmt.Sprintf("%s, %s", o.suite, unitsText(o.units)) }
		slices.SortStableFunc(all, func(a, b outcome) int {
			return cmp.Or(strings.Compare(a.suite, b.suite), strings.Compare(unitsText(b.units), unitsText(a.units)), cmp.Compare(b.time, a.time))
		})
		all = slices.CompactFunc(all, func(a, b outcome) bool { return suite(a) == suite(b) }) // the longest budget of each
		slices.SortStableFunc(all, func(a, b outcome) int { return cmp.Compare(len(b.records), len(a.records)) })
		var series []figure.Series
		for _, o := range all[:min(len(all), mostSuites)] {
			var seconds []float64
			for _, r := range o.records {
				if r.Exact {
					seconds = append(seconds, min(max(r.Seconds, 0.001), o.time))
				}
			}
			slices.Sort(seconds)
			line := figure.Series{Name: suite(o) + ", " + budget(o.time), Steps: true, X: []float64{0.001}, Y: []float64{0}}
			for i, t := range seconds {
				line.X, line.Y = append(line.X, t), append(line.Y, 100*float64(i+1)/float64(len(o.records)))
			}
			line.X, line.Y = append(line.X, o.time), append(line.Y, line.Y[len(line.Y)-1])
			series = append(series, line)
		}
		return figure.Lines(series, figure.Axis{Label: "time [s]", Log: true, Low: 0.001, High: 100}, figure.Axis{Label: "laws found [%]", Low: 0, High: 102}).Sized(12, 8), nil
	},
}
