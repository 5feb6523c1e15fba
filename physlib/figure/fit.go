package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// maxPoints is the largest number of points in a picture of a table.
const maxPoints = 2000

// Fit draws a law's predictions against the measurements, with the line of equality. label is the
// quantity with its unit, such as "T [d]". Positive values over more than two decades get
// logarithmic axes. If there are more than 2000 rows, evenly spaced ones are shown.
func Fit(measured, predicted []float64, label string) Picture {
	if len(measured) != len(predicted) {
		return fails("%d measured values and %d predicted ones", len(measured), len(predicted))
	}
	f := newFit(measured, predicted, label, "")
	return Picture{
		Alt:  "predicted " + label + " against measured",
		draw: func(c draw.Canvas, s style) { f.agreement(s).drawOn(c) },
		vega: func(s style) map[string]any { return vegaFit(f, s) },
	}
}

// Residuals draws the residuals of a law, measured minus predicted, against the prediction. unit is
// their unit. If the values are positive and span more than two decades, residuals are in percent
// of the prediction, since otherwise only the largest values would show. Rows are selected as in
// [Fit].
func Residuals(measured, predicted []float64, label, unit string) Picture {
	if len(measured) != len(predicted) {
		return fails("%d measured values and %d predicted ones", len(measured), len(predicted))
	}
	f := newFit(measured, predicted, label, unit)
	return Picture{
		Alt:  "residuals of " + label + " against the prediction",
		draw: func(c draw.Canvas, s style) { f.residuals(s, f.restX).drawOn(c) },
	}
}

// FitResiduals draws measured against predicted values and, below it, [Residuals] over the same
// axis.
func FitResiduals(measured, predicted []float64, label, unit string) Picture {
	if len(measured) != len(predicted) {
		return fails("%d measured values and %d predicted ones", len(measured), len(predicted))
	}
	f := newFit(measured, predicted, label, unit)
	return Picture{
		Alt:    "predicted " + label + " against measured, and the residuals",
		height: 11,
		draw: func(c draw.Canvas, s style) {
			below := f.y
			below.label = "predicted " + label
			top, bottom := f.flipped(s), f.residuals(s, below)
			top.X.Label.Text = ""
			top.thin(c)
			bottom.thin(c)
			panels := plot.Align([][]*plot.Plot{{top.Plot}, {bottom.Plot}}, draw.Tiles{Rows: 2, Cols: 1, PadY: s.em(0.8)}, c)
			size := c.Size().Y
			share := size * 0.18 // height that the plot of values gains and the residuals lose
			panels[0][0].Min.Y -= share
			panels[1][0].Max.Y -= share
			top.Draw(panels[0][0])
			bottom.Draw(panels[1][0])
		},
		vega: func(s style) map[string]any { return vegaFit(f, s) },
	}
}

// Curve draws measurements against the only column on which their law depends. The law is drawn as
// a line through the points with the coordinates lineX, which must increase, and lineY. An axis is
// logarithmic if its values are positive and span more than two decades. If one axis is
// logarithmic, one decade is enough for the other, since a power law is then a straight line.
func Curve(x, y, lineX, lineY []float64, xLabel, yLabel string) Picture {
	if len(x) != len(y) || len(lineX) != len(lineY) {
		return fails("%d values of x, %d of y; %d and %d of the line", len(x), len(y), len(lineX), len(lineY))
	}
	x, y = thin(x), thin(y)
	log := wide(x) || wide(y)
	h := Axis{Label: xLabel, Log: wide(x) || log && spans(10, x)}
	v := Axis{Label: yLabel, Log: wide(y) || log && spans(10, y)}
	ha, va := h.over(x), v.over(y)
	return Picture{
		Alt: yLabel + " against " + xLabel + ", measured and by the law",
		draw: func(c draw.Canvas, s style) {
			p := newPanel(s, ha, va)
			if points := place(ha, va, x, y); len(points) > 0 {
				p.Add(dots(points, s.data()))
			}
			if points := within(place(ha, va, lineX, lineY), ha, va); len(points) > 1 {
				p.Add(line(points, s.chosen(), false))
			}
			p.drawOn(c)
		},
		vega: func(s style) map[string]any {
			return vegaLines([]Series{{Name: "measured", X: x, Y: y, Loose: true}, {Name: "law", X: lineX, Y: lineY}}, h, v, ha, va, s)
		},
	}
}

// comparison holds the data of Fit, Residuals and FitResiduals. rest are the residuals.
type comparison struct {
	measured, predicted, rest []float64
	label, unit, restLabel    string
	log                       bool
	x, y, restX, restY        axis
}

func newFit(measured, predicted []float64, label, unit string) comparison {
	f := comparison{measured: thin(measured), predicted: thin(predicted), label: label, unit: unit}
	f.log = wide(f.measured, f.predicted)
	f.x = newAxis("measured "+label, f.log, f.measured, f.predicted)
	f.y = newAxis("predicted "+label, f.log, f.measured, f.predicted)
	f.rest = make([]float64, len(f.measured))
	for i := range f.rest {
		f.rest[i] = f.measured[i] - f.predicted[i]
		if f.log {
			f.rest[i] *= 100 / f.predicted[i]
		}
	}
	f.restLabel = "measured − predicted"
	switch {
	case f.log:
		f.restLabel += " [%]"
	case unit != "":
		f.restLabel += " [" + unit + "]"
	}
	f.restX = newAxis("predicted "+label, f.log, f.predicted)
	f.restY = newAxis(f.restLabel, false, f.rest, []float64{0})
	// Make the space above and below zero equal.
	if top := math.Max(-f.restY.low, f.restY.high); top > 0 {
		f.restY.low, f.restY.high = -top, top
	}
	return f
}

// agreement draws predicted (vertical) against measured (horizontal) values.
func (f comparison) agreement(s style) *panel {
	return f.cloud(s, f.x, f.y, f.measured, f.predicted)
}

// flipped draws measured (vertical) against predicted (horizontal) values, to be placed above the
// residuals.
func (f comparison) flipped(s style) *panel {
	x, y := f.y, f.x
	return f.cloud(s, x, y, f.predicted, f.measured)
}

// cloud draws points and the line of equality.
func (f comparison) cloud(s style, x, y axis, xs, ys []float64) *panel {
	p := newPanel(s, x, y)
	if points := place(x, y, xs, ys); len(points) > 0 {
		p.Add(dots(points, s.data()))
	}
	p.Add(line(plotter.XYs{{X: x.low, Y: x.low}, {X: x.high, Y: x.high}}, s.chosen(), true))
	return p
}

// residuals draws the residuals against the predictions on the axis x.
func (f comparison) residuals(s style, x axis) *panel {
	p := newPanel(s, x, f.restY)
	if points := place(x, f.restY, f.predicted, f.rest); len(points) > 0 {
		p.Add(dots(points, s.data()))
	}
	p.Add(line(plotter.XYs{{X: x.low, Y: 0}, {X: x.high, Y: 0}}, s.chosen(), true))
	return p
}

// thin returns at most maxPoints evenly spaced elements of v, including the first and the last.
func thin(v []float64) []float64 {
	if len(v) <= maxPoints {
		return v
	}
	out := make([]float64, maxPoints)
	for i := range out {
		out[i] = v[i*(len(v)-1)/(maxPoints-1)]
	}
	return out
}
