package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a plot with axes in the house style and a legend above it.
type panel struct {
	*plot.Plot
	style  style
	legend []entry
}

// entry is a line of a legend.
type entry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// newPanel returns an empty panel with labelled axes and a light grid.
func newPanel(s style, x, y axis) *panel {
	p := &panel{Plot: plot.New(), style: s}
	p.BackgroundColor = s.paper
	p.dress(&p.X, x)
	p.dress(&p.Y, y)
	p.X.Label.Padding, p.Y.Label.Padding = s.em(0.35), s.em(0.5)
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = s.grid, s.grid
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.5), vg.Points(0.5)
	if x.bare {
		g.Vertical.Color = nil
	}
	if y.bare {
		g.Horizontal.Color = nil
	}
	p.Add(g)
	return p
}

// dress gives axis the house style, and the range, label and ticks of a.
func (p *panel) dress(axis *plot.Axis, a axis) {
	s := p.style
	label := s.write(1, text.XCenter, axis.Label.TextStyle.YAlign)
	label.Rotation = axis.Label.TextStyle.Rotation
	axis.Label.Text, axis.Label.TextStyle = s.powers(a.label), label
	tick := s.write(0.9, axis.Tick.Label.XAlign, axis.Tick.Label.YAlign)
	axis.Tick.Label = tick
	axis.Tick.LineStyle = draw.LineStyle{Color: s.muted, Width: vg.Points(0.5)}
	axis.LineStyle = draw.LineStyle{Color: s.muted, Width: vg.Points(0.5)}
	axis.Tick.Length = s.em(0.35)
	axis.Padding = 0
	if a.bare {
		axis.Tick.Length, axis.LineStyle.Width = 0, 0
	}
	axis.Tick.Marker = plot.TickerFunc(func(_, _ float64) []plot.Tick { return a.ticks() })
	axis.Min, axis.Max = a.low, a.high
}

// name adds an entry to the legend, unless name is empty.
func (p *panel) name(name string, thumbs ...plot.Thumbnailer) {
	if name != "" && len(thumbs) > 0 {
		p.legend = append(p.legend, entry{name, thumbs})
	}
}

// drawOn draws the legend and the plot below it.
func (p *panel) drawOn(c draw.Canvas) {
	c = p.style.legend(c, p.legend)
	p.fitLabels(c)
	p.thin(c)
	p.Draw(c)
}

// fitLabels shrinks labels that are longer than their axis.
func (p *panel) fitLabels(c draw.Canvas) {
	for _, l := range []struct {
		axis *plot.Axis
		room vg.Length
	}{{&p.X, c.Size().X}, {&p.Y, c.Size().Y - p.style.em(1)}} {
		l.axis.Label.TextStyle, l.axis.Label.Text = shrink(p.style, l.axis.Label.TextStyle, l.axis.Label.Text, l.room, 0.65)
	}
}

// thin removes every other label of the horizontal axis until they no longer overlap.
func (p *panel) thin(c draw.Canvas) {
	ticks := p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max)
	room := c.Size().X - p.style.em(4)
	for range 4 {
		var width vg.Length
		labelled := 0
		for _, t := range ticks {
			if t.Label != "" {
				width += textWidth(p.X.Tick.Label, t.Label) + p.style.em(0.8)
				labelled++
			}
		}
		if width <= room || labelled < 3 {
			break
		}
		k := 0
		for i := range ticks {
			if ticks[i].Label != "" {
				if k%2 == 1 {
					ticks[i].Label = ""
				}
				k++
			}
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
}

// legend draws the entries at the top, in lines from the left. It returns the rest of the canvas.
func (s style) legend(c draw.Canvas, entries []entry) draw.Canvas {
	if len(entries) == 0 {
		return c
	}
	w := s.write(0.9, text.XLeft, text.YCenter)
	thumb, height := s.em(1.7), s.em(1.35)
	x, y := c.Min.X+s.em(0.3), c.Max.Y-height/2
	for i, e := range entries {
		wide := thumb + s.em(0.5) + textWidth(w, e.name)
		if i > 0 && x+wide > c.Max.X {
			x, y = c.Min.X+s.em(0.3), y-height
		}
		box := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - s.em(0.4)}, Max: vg.Point{X: x + thumb, Y: y + s.em(0.4)}}}
		for _, t := range e.thumbs {
			t.Thumbnail(&box)
		}
		c.FillText(w, vg.Point{X: x + thumb + s.em(0.5), Y: y}, e.name)
		x += wide + s.em(1.2)
	}
	return draw.Crop(c, 0, 0, 0, y-height/2-s.em(0.3)-c.Max.Y)
}

// shapes are the markers of series, by index.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, diamond{}, draw.RingGlyph{}, draw.BoxGlyph{}}

// diamond is a square standing on a corner.
type diamond struct{}

// DrawGlyph draws the diamond.
func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := s.Radius * 1.15
	c.SetColor(s.Color)
	var p vg.Path
	p.Move(vg.Point{X: at.X, Y: at.Y + r})
	p.Line(vg.Point{X: at.X + r, Y: at.Y})
	p.Line(vg.Point{X: at.X, Y: at.Y - r})
	p.Line(vg.Point{X: at.X - r, Y: at.Y})
	p.Close()
	c.Fill(p)
}

// dots returns a scatter plot; the dots are smaller if there are more than 300.
func dots(xy plotter.XYs, c color.Color) *plotter.Scatter {
	s, _ := plotter.NewScatter(xy) // the only error is for NaN, which place has removed
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
	if len(xy) > 300 {
		s.GlyphStyle.Radius = vg.Points(1.1)
	}
	return s
}

// line returns a line through two or more points.
func line(xy plotter.XYs, c color.Color, dashed bool) *plotter.Line {
	l, _ := plotter.NewLine(xy)
	l.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.1)}
	if dashed {
		l.LineStyle.Dashes = []vg.Length{vg.Points(3.5), vg.Points(2.5)}
	}
	return l
}

// ring is a circle that marks a point without hiding it.
type ring struct{}

// DrawGlyph draws the circle.
func (ring) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetColor(s.Color)
	c.SetLineWidth(vg.Points(1.4))
	c.SetLineDash(nil, 0)
	var p vg.Path
	p.Move(vg.Point{X: at.X + s.Radius, Y: at.Y})
	p.Arc(at, s.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}

// place maps pairs to positions on the two axes. It omits pairs that have no position.
func place(x, y axis, xs, ys []float64) plotter.XYs {
	var points plotter.XYs
	for i := range min(len(xs), len(ys)) {
		p := plotter.XY{X: x.at(xs[i]), Y: y.at(ys[i])}
		if !math.IsNaN(p.X) && !math.IsNaN(p.Y) {
			points = append(points, p)
		}
	}
	return points
}

// Beside returns the pictures side by side. Their widths are in proportion to their own sizes.
func Beside(pictures ...Picture) Picture { return tile(pictures, true) }

// Stack returns the pictures below each other. Their heights are in proportion to their own sizes.
func Stack(pictures ...Picture) Picture { return tile(pictures, false) }

// tile arranges pictures side by side or below each other.
func tile(pictures []Picture, across bool) Picture {
	out := Picture{}
	shares, sum := make([]float64, len(pictures)), 0.0
	for i, p := range pictures {
		if p.err != nil {
			return p
		}
		w, h := p.size(Options{})
		if across {
			shares[i], out.width, out.height = w, out.width+w, max(out.height, h)
		} else {
			shares[i], out.width, out.height = h, max(out.width, w), out.height+h
		}
		sum += shares[i]
		if p.Alt != "" && out.Alt != "" {
			out.Alt += "; "
		}
		out.Alt += p.Alt
	}
	out.draw = func(c draw.Canvas, s style) {
		before := 0.0
		size := c.Size()
		for i, p := range pictures {
			from, to := vg.Length(before/sum), vg.Length((before+shares[i])/sum)
			before += shares[i]
			gap := s.em(0.6)
			part := c
			if across {
				part.Min.X, part.Max.X = c.Min.X+from*size.X, c.Min.X+to*size.X
				if i > 0 {
					part.Min.X += gap
				}
			} else {
				part.Max.Y, part.Min.Y = c.Max.Y-from*size.Y, c.Max.Y-to*size.Y
				if i > 0 {
					part.Max.Y -= gap
				}
			}
			if p.draw != nil {
				p.draw(part, s)
			}
		}
	}
	return out
}

// Titled returns the picture with a title above it, for use as a part of [Beside] or [Stack].
func (p Picture) Titled(title string) Picture {
	inner := p.draw
	p.draw = func(c draw.Canvas, s style) {
		w := s.write(1, text.XLeft, text.YTop)
		c.FillText(w, vg.Point{X: c.Min.X + s.em(0.3), Y: c.Max.Y}, title)
		c = draw.Crop(c, 0, 0, 0, -w.Height(title)-s.em(0.3))
		if inner != nil {
			inner(c, s)
		}
	}
	return p
}

// Sized returns the picture with another default size in cm; 0 keeps the size.
func (p Picture) Sized(width, height float64) Picture {
	if width > 0 {
		p.width = width
	}
	if height > 0 {
		p.height = height
	}
	return p
}
