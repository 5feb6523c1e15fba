package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

// Measured holds measurements of a quantity against one column, and the values of a law.
type Measured struct {
	X, Y   []float64
	XSigma []float64 // standard errors of X; nil: unknown
	Sigma  []float64 // standard errors of Y; nil: unknown

	LineX, LineY           []float64 // points of the law, by increasing X
	Confidence, Prediction []float64 // half-widths of the bands at LineX; nil: unknown
}

// Bands draws a picture like [Curve], with an error bar at each measurement and with the confidence
// and prediction bands of the law.
func Bands(m Measured, xLabel, yLabel string) Picture {
	for _, v := range [][]float64{m.XSigma, m.Sigma} {
		if v != nil && len(v) != len(m.X) {
			return fails("%d errors of %d measurements", len(v), len(m.X))
		}
	}
	if len(m.X) != len(m.Y) || len(m.LineX) != len(m.LineY) || m.Confidence != nil && len(m.Confidence) != len(m.LineX) || m.Prediction != nil && len(m.Prediction) != len(m.LineX) {
		return fails("%d values of x, %d of y; %d and %d of the line, %d and %d of its bands", len(m.X), len(m.Y), len(m.LineX), len(m.LineY), len(m.Confidence), len(m.Prediction))
	}
	law := Series{Name: "law", X: m.LineX, Y: m.LineY, Hue: 2}
	points := Series{Name: "measured", X: thin(m.X), Y: thin(m.Y), Loose: true, Hue: 1}
	if m.Sigma != nil {
		points.Low, points.High = around(points.Y, thin(m.Sigma))
	}
	var wideBand Series
	if m.Prediction != nil {
		wideBand = Series{X: m.LineX, Y: m.LineY, Hue: 2}
		wideBand.Low, wideBand.High = around(m.LineY, m.Prediction)
	}
	if m.Confidence != nil {
		law.Low, law.High = around(m.LineY, m.Confidence)
	}
	log := wide(m.X) || wide(m.Y)
	h := Axis{Label: xLabel, Log: wide(m.X) || log && spans(10, m.X)}
	v := Axis{Label: yLabel, Log: wide(m.Y) || log && spans(10, m.Y)}
	ha, va := h.over(m.X), v.over(points.Y, points.Low, points.High)
	if v.Log {
		va = v.over(points.Y)
	}
	series := []Series{law, points}
	if wideBand.X != nil {
		series = slices.Insert(series, 0, wideBand)
	}
	return Picture{
		Alt: yLabel + " against " + xLabel + ", measured with errors, and by the law with its bands",
		draw: func(c draw.Canvas, s style) {
			p := newPanel(s, ha, va)
			if wideBand.X != nil {
				edge := s.chosen()
				for _, side := range [][]float64{wideBand.Low, wideBand.High} {
					if end := within(place(ha, va, m.LineX, side), ha, va); len(end) > 1 {
						p.Add(line(end, edge, true))
					}
				}
			}
			p.addSeries(law, 0, ha, va)
			p.addSeries(points, 1, ha, va)
			if m.XSigma != nil {
				p.Add(sideways(points, thin(m.XSigma), ha, va, points.hue(0, s)))
			}
			p.drawOn(c)
		},
		vega: func(s style) map[string]any { return vegaLines(series, h, v, ha, va, s) },
	}
}

// around returns y - half and y + half, or NaN if half is infinite.
func around(y, half []float64) (low, high []float64) {
	for i, v := range y {
		d := half[i]
		if math.IsInf(d, 0) {
			d = math.NaN()
		}
		low, high = append(low, v-d), append(high, v+d)
	}
	return low, high
}
