package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a set of points of a picture, joined by a line in the order of X. Points with NaN are
// skipped. On a logarithmic axis, points that are not positive are skipped too.
type Series struct {
	Name      string // name in the legend; "": not in the legend
	X, Y      []float64
	Low, High []float64 // ends of each point's interval; nil: unknown
	Notes     []string  // note for each point, which the interactive form shows
	Dots      bool      // mark the points
	Loose     bool      // draw points only, without a line
	Steps     bool      // draw horizontal steps to the next point, as for cumulative shares
	Dashed    bool      // draw a dashed line, as for published results
	// Hue is the number of the colour, counted from 1. 0 means the index of the series plus 1.
	// Related series may have the same number.
	Hue int
}

// Lines draws series in one picture, such as learning curves, recovery against effort, or scaling.
func Lines(series []Series, x, y Axis) Picture {
	for _, s := range series {
		if len(s.X) != len(s.Y) || s.Low != nil && len(s.Low) != len(s.X) || len(s.Low) != len(s.High) || s.Notes != nil && len(s.Notes) != len(s.X) {
			return fails("series %q has %d values of x, %d of y, intervals from %d to %d and %d notes: their numbers must be equal",
				s.Name, len(s.X), len(s.Y), len(s.Low), len(s.High), len(s.Notes))
		}
	}
	var xs, ys [][]float64
	for _, s := range series {
		xs, ys = append(xs, s.X), append(ys, s.Y, s.Low, s.High)
	}
	h, v := x.over(xs...), y.over(ys...)
	return Picture{
		Alt: y.Label + " against " + x.Label,
		draw: func(c draw.Canvas, s style) {
			p := newPanel(s, h, v)
			for i, line := range series {
				p.addSeries(line, i, h, v)
			}
			p.drawOn(c)
		},
		vega: func(s style) map[string]any { return vegaLines(series, x, y, h, v, s) },
	}
}

// hue returns the colour of the series, which has index i.
func (s Series) hue(i int, st style) color.RGBA { return st.of(s.place(i)) }

// place returns the index of the colour and of the shape of the series, which has index i.
func (s Series) place(i int) int {
	if s.Hue > 0 {
		return s.Hue - 1
	}
	return i
}

// addSeries draws a series with index i and adds it to the legend.
func (p *panel) addSeries(s Series, i int, x, y axis) {
	points := within(place(x, y, s.X, s.Y), x, y)
	if len(points) == 0 {
		return
	}
	c := s.hue(i, p.style)
	var thumbs []plot.Thumbnailer
	if s.Low != nil {
		p.addIntervals(s, c, x, y)
	}
	if len(points) > 1 && !s.Loose {
		l := line(points, c, s.Dashed)
		if s.Steps {
			l.StepStyle = plotter.PostStep
		}
		p.Add(l)
		thumbs = append(thumbs, l)
	}
	if s.Dots || s.Loose || len(points) == 1 {
		d := dots(points, c)
		k := s.place(i)
		// When the colours repeat, the next shape is used.
		d.Shape = shapes[(k+k/len(p.style.series))%len(shapes)]
		p.Add(d)
		thumbs = append(thumbs, d)
	}
	p.name(s.Name, thumbs...)
}

// addIntervals draws the intervals of the points. If the points are drawn, each gets a bar.
// Otherwise the intervals form a band.
func (p *panel) addIntervals(s Series, c color.RGBA, x, y axis) {
	clamp := func(v float64) float64 { // moves values beyond the axis to its end
		at := y.at(v)
		if math.IsNaN(at) && (v <= 0 || math.IsInf(v, -1)) {
			at = y.low
		}
		return min(max(at, y.low), y.high)
	}
	var up, down plotter.XYs
	for i := range s.X {
		at, low, high := x.at(s.X[i]), clamp(s.Low[i]), clamp(s.High[i])
		if math.IsNaN(at) || math.IsNaN(low) || math.IsNaN(high) {
			continue
		}
		up, down = append(up, plotter.XY{X: at, Y: high}), append(down, plotter.XY{X: at, Y: low})
	}
	if len(up) == 0 {
		return
	}
	if s.Dots || s.Loose {
		p.Add(whiskers{up, down, c})
		return
	}
	ring := append(plotter.XYs(nil), up...)
	for i := len(down) - 1; i >= 0; i-- {
		ring = append(ring, down[i])
	}
	if area, err := plotter.NewPolygon(ring); err == nil {
		area.Color, area.LineStyle.Width = p.style.tint(c), 0
		p.Add(area)
	}
}

// whiskers draws vertical intervals.
type whiskers struct {
	up, down plotter.XYs
	color    color.RGBA
}

// Plot draws the intervals.
func (w whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	sty := draw.LineStyle{Color: w.color, Width: vg.Points(0.8)}
	for i := range w.up {
		at := x(w.up[i].X)
		c.StrokeLine2(sty, at, y(w.down[i].Y), at, y(w.up[i].Y))
	}
}

// within removes points that are left or right of the picture. Points above or below it are moved
// to its edge.
func within(points plotter.XYs, x, y axis) plotter.XYs {
	var in plotter.XYs
	slack := 1e-9 * (x.high - x.low)
	for _, p := range points {
		if p.X >= x.low-slack && p.X <= x.high+slack {
			in = append(in, plotter.XY{X: p.X, Y: min(max(p.Y, y.low), y.high)})
		}
	}
	return in
}
