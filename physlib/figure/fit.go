package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// maxPoints is how many points a picture of a table shows at most.
const maxPoints = 2000

// Fit draws a law's predictions against the measurements, with the line on which they agree. label names the quantity
// with its unit, such as "T [d]". Positive values over more than two decades get logarithmic axes. Of more than 2000 rows
// evenly spaced ones are shown.
func Fit(measured, predicted []float64, label string, o Options) ([]byte, error) {
	measured, predicted = thin(measured), thin(predicted)
	log := wide(measured, predicted)
	x := newAxis("measured "+label, log, measured, predicted)
	y := newAxis("predicted "+label, log, measured, predicted)
	p := newPlot(o, x, y)
	p.Add(line(plotter.XYs{{X: x.low, Y: x.low}, {X: x.high, Y: x.high}}, Vermillion, true))
	if points := place(x, y, measured, predicted); len(points) > 0 {
		p.Add(dots(points, Blue))
	}
	return encode(p, o)
}

// Curve draws measurements against the one column that their law depends on, and the law as a line through lineX and
// lineY, which stand by rising X. Positive values over more than two decades get a logarithmic axis; beside one, so do
// those over more than one decade, since a power law is then a straight line.
func Curve(x, y, lineX, lineY []float64, xLabel, yLabel string, o Options) ([]byte, error) {
	x, y = thin(x), thin(y)
	log := wide(x) || wide(y)
	h := newAxis(xLabel, wide(x) || log && spans(10, x), x)
	v := newAxis(yLabel, wide(y) || log && spans(10, y), y)
	p := newPlot(o, h, v)
	if points := place(h, v, x, y); len(points) > 0 {
		p.Add(dots(points, Blue))
	}
	if points := place(h, v, lineX, lineY); len(points) > 1 {
		p.Add(line(within(points, v), Vermillion, false))
	}
	return encode(p, o)
}

// within keeps the points that an axis has room for, and those next to them at its ends.
func within(points plotter.XYs, v axis) plotter.XYs {
	for i := range points {
		points[i].Y = min(max(points[i].Y, v.low), v.high)
	}
	return points
}

// Residuals draws what a law leaves: measured minus predicted against the prediction, in the quantity's unit. Where the
// values are positive and span more than two decades it is the residual in percent of the prediction, since a plain one
// would show the largest values only. Rows are thinned out as in [Fit].
func Residuals(measured, predicted []float64, label, unit string, o Options) ([]byte, error) {
	measured, predicted = thin(measured), thin(predicted)
	log := wide(measured, predicted)
	rest := make([]float64, len(measured))
	for i := range rest {
		rest[i] = measured[i] - predicted[i]
		if log {
			rest[i] *= 100 / predicted[i]
		}
	}
	name := "measured − predicted"
	switch {
	case log:
		name += " [%]"
	case unit != "":
		name += " [" + unit + "]"
	}
	x := newAxis("predicted "+label, log, predicted)
	y := newAxis(name, false, rest, []float64{0})
	if top := math.Max(-y.low, y.high); top > 0 { // as much below the line as above
		y.low, y.high = -top, top
	}
	p := newPlot(o, x, y)
	p.Add(line(plotter.XYs{{X: x.low, Y: 0}, {X: x.high, Y: 0}}, Vermillion, true))
	if points := place(x, y, predicted, rest); len(points) > 0 {
		p.Add(dots(points, Blue))
	}
	return encode(p, o)
}

// thin is evenly spaced rows of v, at most maxPoints, the last one among them.
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
