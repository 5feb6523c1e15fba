package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// crossbars draws horizontal intervals.
type crossbars struct {
	at, left, right []float64 // vertical positions, and the ends of the intervals
	color           color.RGBA
}

// sideways returns the intervals X ± sigma of the points.
func sideways(s Series, sigma []float64, x, y axis, c color.RGBA) crossbars {
	out := crossbars{color: c}
	for i := range s.X {
		at, left, right := y.at(s.Y[i]), x.at(s.X[i]-sigma[i]), x.at(s.X[i]+sigma[i])
		if math.IsNaN(at) || math.IsNaN(left) || math.IsNaN(right) {
			continue
		}
		out.at, out.left, out.right = append(out.at, at), append(out.left, max(left, x.low)), append(out.right, min(right, x.high))
	}
	return out
}

// Plot draws the intervals.
func (b crossbars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	sty := draw.LineStyle{Color: b.color, Width: vg.Points(0.8)}
	for i := range b.at {
		c.StrokeLine2(sty, x(b.left[i]), y(b.at[i]), x(b.right[i]), y(b.at[i]))
	}
}
