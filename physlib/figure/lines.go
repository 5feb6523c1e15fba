package figure

import (
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a line of a picture, through points by rising X. A NaN or, on a logarithmic axis, what is not positive is
// left out.
type Series struct {
	Name string // in the legend; "": not named
	X, Y []float64
	Dots bool // mark the points
}

// colours of series, in their order: those of Okabe and Ito that stand out on white.
var colours = []color.RGBA{Blue, Vermillion, BluishGreen, Orange, ReddishPurple, SkyBlue}

// Lines draws series into one picture, with a logarithmic X axis where logX says so: learning curves, shares found against
// effort. There are at most six.
func Lines(series []Series, xLabel, yLabel string, logX bool, o Options) ([]byte, error) {
	var xs, ys [][]float64
	for _, s := range series {
		xs, ys = append(xs, s.X), append(ys, s.Y)
	}
	x, y := newAxis(xLabel, logX, xs...), newAxis(yLabel, false, ys...)
	p := newPlot(o, x, y)
	p.Legend.Top, p.Legend.Left = true, rising(series)
	p.Legend.ThumbnailWidth = vg.Points(18)
	for i, s := range series {
		c := colours[i%len(colours)]
		points := place(x, y, s.X, s.Y)
		if len(points) == 0 {
			continue
		}
		if len(points) > 1 {
			l := line(points, c, false)
			p.Add(l)
			if s.Name != "" {
				p.Legend.Add(s.Name, l)
			}
		}
		if s.Dots {
			d, _ := plotter.NewScatter(points) // fails on NaN only, and place leaves none
			d.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}
			p.Add(d)
		}
	}
	return encode(p, o)
}

// rising tells whether most series end above where they begin: their legend stands on the left then.
func rising(series []Series) bool {
	up := 0
	for _, s := range series {
		if n := len(s.Y); n > 0 && s.Y[n-1] > s.Y[0] {
			up++
		}
	}
	return 2*up > len(series)
}
