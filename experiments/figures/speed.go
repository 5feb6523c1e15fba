package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	caption: "Processor time of the forms of the perspective decay recurrence, and of attention, against the length of the series.",
	command: "physlib bench pdr --csv experiments/results/pdr-scaling.csv",
	draw: func(s *source) (figure.Picture, error) {
		points, err := s.scaling()
		if err != nil {
			return figure.Picture{}, err
		}
		var directions, names []string
		for _, p := range points {
			if !slices.Contains(directions, p.direction) {
				directions = append(directions, p.direction)
			}
			if !slices.Contains(names, p.form) {
				names = append(names, p.form)
			}
		}
		var panels []figure.Picture
		for _, d := range directions {
			var series []figure.Series
			low, high := math.Inf(1), 0.0
			for hue, name := range names {
				line := figure.Series{Name: name, Dots: true, Hue: hue + 1}
				for _, p := range points {
					if p.form == name && p.direction == d {
						line.X, line.Y = append(line.X, p.n), append(line.Y, p.seconds)
						low, high = min(low, p.n), max(high, p.n)
					}
				}
				if line.X != nil {
					series = append(series, line)
				}
			}
			panels = append(panels, figure.Lines(series, lengths("length of the series", low, high), figure.Axis{Label: "processor time [s]", Log: true}).Sized(figure.Page/2, 7.5).Titled(d))
		}
		return figure.Beside(panels...), nil
	},
}

// timed is the time that a form of the recurrence takes for a series of n tokens.
type timed struct {
	form, direction string
	n, seconds      float64
}

// scaling reads a table of `physlib bench pdr --csv`: the first file pdr-….csv with a column form.
// A row holds the processor seconds of a form at a length. The seconds are in the columns forward
// and both, or in one column for one direction. The points are sorted by length.
func (s *source) scaling() (points []timed, err error) {
	name, err := s.holding("pdr-*.csv", "form")
	if err != nil {
		return nil, err
	}
	t, err := s.table(name, "form")
	if err != nil {
		return nil, err
	}
	for i := range t.rows {
		n, ok, err := t.number(i, "seq")
		if err == nil && !ok {
			n, _, err = t.number(i, "n")
		}
		if err != nil {
			return nil, err
		}
		for _, c := range []struct{ column, direction string }{{"forward_cpu_s", "forward"}, {"both_cpu_s", "forward and backward"}, {"seconds", t.text(i, "direction")}} {
			seconds, ok, err := t.number(i, c.column)
			if err != nil {
				return nil, err
			}
			if ok && seconds > 0 {
				form := t.text(i, "form")
				if b := t.text(i, "backend"); b != "" {
					form += " (" + b + ")"
				}
				points = append(points, timed{form, c.direction, n, seconds})
			}
		}
	}
	if len(points) == 0 {
		return nil, missing{"measurement in " + name}
	}
	slices.SortStableFunc(points, func(a, b timed) int { return cmp.Compare(a.n, b.n) })
	return points, nil
}

// holding returns the first file that matches the pattern and has the columns.
func (s *source) holding(pattern string, columns ...string) (string, error) {
	names, err := s.find(pattern)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if _, err := (&source{dir: s.dir}).table(name, columns...); err == nil {
			return name, nil
		}
	}
	return "", missing{pattern + " with " + strings.Join(columns, ", ")}
}

// lengths returns a logarithmic axis with ticks at powers of two, such as 1k, 2k, 4k.
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
	command: "physlib bench recall --lenses experiments/results/pdr-lenses.csv",
	draw: func(s *source) (figure.Picture, error) {
		name, err := s.holding("pdr-*.csv", "layer", "place", "channel", "gate")
		if err != nil {
			return figure.Picture{}, err
		}
		t, err := s.table(name, "layer", "place", "token", "channel", "gate")
		if err != nil {
			return figure.Picture{}, err
		}
		var layers []string
		maps := map[string]*figure.Matrix{}
		for i := range t.rows {
			v, err := t.numbers(i, "place", "channel", "gate")
			if err != nil {
				return figure.Picture{}, err
			}
			if v[0] < 0 || v[1] < 0 || v[0] > 1e4 || v[1] > 1e4 {
				return figure.Picture{}, fmt.Errorf("%s, row %d: place %g and channel %g must be from 0 to 10000", name, i+1, v[0], v[1])
			}
			l, place, channel := t.text(i, "layer"), int(v[0]), int(v[1])
			m := maps[l]
			if m == nil {
				m = &figure.Matrix{X: "token", Y: "channel", Label: "γ", High: 1}
				maps[l], layers = m, append(layers, l)
			}
			for len(m.Columns) <= place {
				m.Columns = append(m.Columns, "")
			}
			m.Columns[place] = t.text(i, "token")
			for len(m.Values) <= channel {
				m.Values = append(m.Values, nil)
			}
			for len(m.Values[channel]) <= place {
				m.Values[channel] = append(m.Values[channel], math.NaN())
			}
			m.Values[channel][place] = v[2]
		}
		if len(layers) == 0 {
			return figure.Picture{}, missing{"row in " + name}
		}
		var panels []figure.Picture
		for _, l := range layers {
			m := maps[l]
			for c := range m.Values {
				for len(m.Values[c]) < len(m.Columns) {
					m.Values[c] = append(m.Values[c], math.NaN())
				}
			}
			panels = append(panels, figure.Heat(*m).Sized(figure.Page, 5.5).Titled("layer "+l))
		}
		return figure.Stack(panels...), nil
	},
}

var pdrRenorm = drawing{
	name:    "pdr-renorm",
	caption: "Float32 against float64 in a long stream, without renormalisation and with it: the largest relative error, by γ of the channel.",
	command: "physlib bench pdr --drift 1000000 --csv experiments/results/pdr-renorm.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("pdr-renorm.csv", "renorm", "tokens", "keep", "relative_error")
		if err != nil {
			return figure.Picture{}, err
		}
		var renorms, keeps []string
		for i := range t.rows {
			if r := t.text(i, "renorm"); !slices.Contains(renorms, r) {
				renorms = append(renorms, r)
			}
			if k := t.text(i, "keep"); !slices.Contains(keeps, k) {
				keeps = append(keeps, k)
			}
		}
		var panels []figure.Picture
		for _, r := range renorms {
			var series []figure.Series
			for hue, k := range keeps {
				line := figure.Series{Name: "γ = " + k, Dots: true, Hue: hue + 1}
				for i := range t.rows {
					if t.text(i, "renorm") != r || t.text(i, "keep") != k {
						continue
					}
					v, err := t.numbers(i, "tokens", "relative_error")
					if err != nil {
						return figure.Picture{}, err
					}
					line.X, line.Y = append(line.X, v[0]), append(line.Y, v[1])
				}
				series = append(series, line)
			}
			title := "renormalised every " + r + " tokens"
			if r == "0" {
				title = "not renormalised"
			}
			panels = append(panels, figure.Lines(series, figure.Axis{Label: "tokens", Log: true}, figure.Axis{Label: "relative error", Log: true}).Sized(figure.Page/2, 7).Titled(title))
		}
		if len(panels) == 0 {
			return figure.Picture{}, missing{"row in pdr-renorm.csv"}
		}
		return figure.Beside(panels...), nil
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
			low, high := math.Inf(1), 0.0
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
