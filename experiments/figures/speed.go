package figures

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/figure"
)

var throughput = drawing{
	name:    "throughput",
	caption: "Evaluation of laws on one core in float32: nodes times rows a second, on the same trees and data in one run.",
	command: "physlib bench eval --against pyoperon,numpy --csv experiments/results/eval.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("eval.csv", "set", "rows", "engine", "rate")
		if err != nil {
			return figure.Picture{}, err
		}
		var engines []string
		var rows []figure.Estimate
		for i := range t.rows {
			v, err := t.numbers(i, "rate")
			if err != nil {
				return figure.Picture{}, err
			}
			engine := t.text(i, "engine")
			if !slices.Contains(engines, engine) {
				engines = append(engines, engine)
			}
			rows = append(rows, figure.Estimate{Group: t.text(i, "set") + ", " + t.text(i, "rows") + " rows", Name: engine, Value: v[0],
				Note: strconv.FormatFloat(v[0], 'f', 2, 64), Hue: 1 + slices.Index(engines, engine)})
		}
		return figure.Bars(rows, figure.Axis{Label: "node evaluations [10^{9} per s]"}).Sized(12, 0), nil
	},
}

var pdrScaling = drawing{
	name:    "pdr-scaling",
	caption: "Time of the forms of the perspective decay recurrence, and of attention, against the length of the series.",
	command: "physlib bench pdr --csv experiments/results/pdr-scaling.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("pdr-scaling.csv", "form", "backend", "direction", "n", "seconds")
		if err != nil {
			return figure.Picture{}, err
		}
		type point struct{ n, seconds, bytes float64 }
		by := map[string]map[string][]point{}
		var directions, names []string
		backends := map[string]bool{}
		for i := range t.rows {
			backends[t.text(i, "backend")] = true
		}
		for i := range t.rows {
			n, err := t.numbers(i, "n")
			if err != nil {
				return figure.Picture{}, err
			}
			seconds, ok, err := t.number(i, "seconds")
			if err != nil {
				return figure.Picture{}, err
			}
			if !ok || seconds <= 0 {
				continue
			}
			direction, name := t.text(i, "direction"), t.text(i, "form")
			if len(backends) > 1 {
				name += " (" + t.text(i, "backend") + ")"
			}
			if by[direction] == nil {
				by[direction], directions = map[string][]point{}, append(directions, direction)
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			by[direction][name] = append(by[direction][name], point{n[0], seconds, 0})
		}
		var panels []figure.Picture
		for _, d := range directions {
			var series []figure.Series
			low, high := 1e18, 0.0
			for hue, name := range names {
				points := by[d][name]
				if points == nil {
					continue
				}
				slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.n, b.n) })
				line := figure.Series{Name: name, Dots: true, Hue: hue + 1, Dashed: hue >= 6}
				for _, p := range points {
					line.X, line.Y = append(line.X, p.n), append(line.Y, p.seconds)
					low, high = min(low, p.n), max(high, p.n)
				}
				series = append(series, line)
			}
			panels = append(panels, figure.Lines(series, lengths("length of the series", low, high), figure.Axis{Label: "time [s]", Log: true}).Sized(figure.Page/2, 7.5).Titled(d))
		}
		if len(panels) == 0 {
			return figure.Picture{}, missing{"measurement in pdr-scaling.csv"}
		}
		return figure.Beside(panels...), nil
	},
}

// lengths is a logarithmic axis with ticks such as 1k, 2k, 4k.
func lengths(label string, low, high float64) figure.Axis {
	a := figure.Axis{Label: label, Log: true}
	for n := 1.0; n <= high*1.01; n *= 2 {
		if n < low*0.99 {
			continue
		}
		text := strconv.FormatFloat(n, 'f', -1, 64)
		if n >= 1024 {
			text = strconv.FormatFloat(n/1024, 'f', -1, 64) + "k"
		}
		a.Ticks = append(a.Ticks, figure.Tick{Value: n, Label: text})
	}
	return a
}

var pdrGamma = drawing{
	name:    "pdr-gamma",
	caption: "The gates of a trained recurrence over a series, a picture for each layer: how long each channel remembers.",
	command: "physlib bench pdr --gamma experiments/results/pdr-gamma.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("pdr-gamma.csv", "layer", "token", "channel", "gamma")
		if err != nil {
			return figure.Picture{}, err
		}
		type cell struct{ token, channel int }
		by := map[string]map[cell]float64{}
		var layers []string
		tokens, channels := map[string]int{}, map[string]int{}
		for i := range t.rows {
			v, err := t.numbers(i, "token", "channel", "gamma")
			if err != nil {
				return figure.Picture{}, err
			}
			l := t.text(i, "layer")
			if by[l] == nil {
				by[l], layers = map[cell]float64{}, append(layers, l)
			}
			by[l][cell{int(v[0]), int(v[1])}] = v[2]
			tokens[l], channels[l] = max(tokens[l], int(v[0])+1), max(channels[l], int(v[1])+1)
		}
		if len(layers) == 0 {
			return figure.Picture{}, missing{"row in pdr-gamma.csv"}
		}
		var panels []figure.Picture
		for _, l := range layers {
			m := figure.Matrix{X: "token", Y: "channel", Label: "γ", High: 1}
			for c := range channels[l] {
				row := make([]float64, tokens[l])
				for k := range row {
					row[k] = by[l][cell{k, c}]
				}
				m.Values = append(m.Values, row)
			}
			panels = append(panels, figure.Heat(m).Sized(figure.Page, 5).Titled("layer "+l))
		}
		return figure.Stack(panels...), nil
	},
}

var pdrRecall = drawing{
	name:    "pdr-recall",
	caption: "What recurrences of equal size remember of series longer than in training (64 tokens), by where their gates come from; bands: range over seeds.",
	command: "physlib bench recall --csv experiments/results/pdr-recall.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("pdr-recall.csv", "task", "variant", "seed", "length", "accuracy")
		if err != nil {
			return figure.Picture{}, err
		}
		var tasks, variants []string
		type key struct{ task, variant string }
		by := map[key]map[float64][]float64{}
		for i := range t.rows {
			v, err := t.numbers(i, "length", "accuracy")
			if err != nil {
				return figure.Picture{}, err
			}
			k := key{t.text(i, "task"), t.text(i, "variant")}
			if !slices.Contains(tasks, k.task) {
				tasks = append(tasks, k.task)
			}
			if !slices.Contains(variants, k.variant) {
				variants = append(variants, k.variant)
			}
			if by[k] == nil {
				by[k] = map[float64][]float64{}
			}
			by[k][v[0]] = append(by[k][v[0]], 100*v[1])
		}
		var panels []figure.Picture
		for _, task := range tasks {
			var series []figure.Series
			low, high := 1e18, 0.0
			for hue, variant := range variants {
				line := figure.Series{Name: variant, Dots: true, Hue: hue + 1}
				points := by[key{task, variant}]
				for _, n := range sortedFloats(points) {
					sum := 0.0
					for _, a := range points[n] {
						sum += a
					}
					line.X, line.Y = append(line.X, n), append(line.Y, sum/float64(len(points[n])))
					line.Low, line.High = append(line.Low, slices.Min(points[n])), append(line.High, slices.Max(points[n]))
					low, high = min(low, n), max(high, n)
				}
				if line.X != nil {
					series = append(series, line)
				}
			}
			panels = append(panels, figure.Lines(series, lengths("length of the series", low, high), figure.Axis{Label: "said rightly [%]", Low: 0, High: 102}).Sized(figure.Page/2, 7).Titled(task))
		}
		if len(panels) == 0 {
			return figure.Picture{}, missing{"row in pdr-recall.csv"}
		}
		return figure.Beside(panels...), nil
	},
}

func sortedFloats[V any](m map[float64]V) []float64 {
	var out []float64
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
