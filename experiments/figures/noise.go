package figures

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/figure"
)

var recoveryNoise = drawing{
	name: "recovery-noise",
	caption: "Laws of the Feynman set found again against noise (relative to RMS(y)), with and without units, with 95 % intervals. Dashed: what others " +
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
		hues := map[string]int{} // colours of all series, so that both panels use the same
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

// longest returns the outcomes of proposers for each noise, and their time budgets as text. Of
// several outcomes at one noise, it keeps the one with the longest time.
func longest(all []outcome, units bool, proposers string) (kept []outcome, times string) {
	for _, o := range all { // all is sorted by noise, then time
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

// noisePanel draws recovery against noise. The noise levels are evenly spaced, because 0 has no
// logarithm.
func noisePanel(all []outcome, peers table, units bool, hues map[string]int) (figure.Picture, error) {
	var names []string
	ours, others := map[string][]point{}, map[string][]point{}
	var noises []float64
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
			noises = append(noises, o.noise)
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
		noises = append(noises, v[0])
	}
	slices.Sort(noises)
	noises = slices.Compact(noises)
	x := figure.Axis{Label: "noise, relative to RMS(y)", Low: -0.25, High: float64(len(noises)) - 0.75}
	for i, n := range noises {
		x.Ticks = append(x.Ticks, figure.Tick{Value: float64(i), Label: strconv.FormatFloat(n, 'g', -1, 64)})
	}
	var series []figure.Series
	for i, name := range names {
		published := ours[name] == nil
		who, aside := name, 0.0
		if !published { // one colour for all time budgets of our runs
			who = name[:strings.LastIndex(name, ",")]
			// Shifts keep intervals at the same noise from overlapping.
			aside = 0.06 * (float64(i) - float64(len(ours)-1)/2)
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

// point is a share of laws in percent at one noise level, with its interval.
type point struct{ noise, value, low, high float64 }

// noiseLine returns the line through points, moved to the right by aside, in units of the distance
// between noise levels. Published points have no intervals.
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
