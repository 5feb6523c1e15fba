package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // PNG
	_ "gonum.org/v1/plot/vg/vgsvg" // SVG
)

// Options of a picture. The zero value is an SVG of 12 cm by 8 cm without a title.
type Options struct {
	Width, Height float64 // in cm; 0: 12 and 8
	Format        string  // svg, png, pdf; "" is svg
	Title         string
}

// The house colours: Okabe and Ito's, and three greys.
var (
	Black         = color.RGBA{0x1A, 0x1A, 0x1B, 0xFF} // not #000000, which SVG leaves out as its default
	Orange        = color.RGBA{0xE6, 0x9F, 0x00, 0xFF}
	SkyBlue       = color.RGBA{0x56, 0xB4, 0xE9, 0xFF}
	BluishGreen   = color.RGBA{0x00, 0x9E, 0x73, 0xFF}
	Yellow        = color.RGBA{0xF0, 0xE4, 0x42, 0xFF}
	Blue          = color.RGBA{0x00, 0x72, 0xB2, 0xFF}
	Vermillion    = color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	ReddishPurple = color.RGBA{0xCC, 0x79, 0xA7, 0xFF}

	grid  = color.RGBA{0xE1, 0xE1, 0xE2, 0xFF}
	muted = color.RGBA{0x8A, 0x8A, 0x8B, 0xFF}
	paper = color.RGBA{0xFE, 0xFE, 0xFE, 0xFF}
)

// themeVariables name the CSS variable behind each house colour of a [Themed] picture.
var themeVariables = []struct {
	colour color.RGBA
	name   string
}{
	{Black, "ink"}, {grid, "grid"}, {muted, "muted"}, {paper, "paper"}, {Blue, "data"}, {Vermillion, "chosen"},
}

// Themed gives an SVG picture the colours of the page it stands in: the CSS variables --ink, --grid, --muted, --paper,
// --data and --chosen, with the house colours where the page sets none. The result is an <svg> element without an XML
// declaration, ready to stand inside HTML; its size follows the page's width.
func Themed(svg []byte) []byte {
	s := string(svg)
	if i := strings.Index(s, "<svg"); i > 0 {
		s = s[i:]
	}
	for _, v := range themeVariables {
		hex := fmt.Sprintf("#%02X%02X%02X", v.colour.R, v.colour.G, v.colour.B)
		s = strings.ReplaceAll(s, hex, "var(--"+v.name+","+strings.ToLower(hex)+")")
	}
	return []byte(strings.ReplaceAll(s, "font-family:Liberation Sans", "font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
}

// sans is the typeface of all text in a picture.
func sans(size float64) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size))
}

// newPlot is an empty picture in the house style with its axes labelled.
func newPlot(o Options, x, y axis) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = paper
	p.Title.Text = o.Title
	p.Title.TextStyle.Font = sans(11)
	p.Title.TextStyle.Color = Black
	p.Title.Padding = vg.Points(6)
	p.Legend.TextStyle.Font = sans(9)
	p.Legend.TextStyle.Color = Black
	dress(&p.X, x)
	dress(&p.Y, y)
	p.X.Label.Padding, p.Y.Label.Padding = vg.Points(3), vg.Points(4)
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = grid, grid
	p.Add(g)
	return p
}

// dress gives an axis of the plot the house style and the range, label and ticks of a.
func dress(p *plot.Axis, a axis) {
	p.Label.Text = a.label
	p.Label.TextStyle.Font = sans(10)
	p.Label.TextStyle.Color = Black
	p.Tick.Label.Font = sans(9)
	p.Tick.Label.Color = Black
	p.Tick.LineStyle.Color = muted
	p.Tick.Length = vg.Points(4)
	p.LineStyle.Color = muted
	p.Padding = 0
	p.Tick.Marker = plot.TickerFunc(func(_, _ float64) []plot.Tick { return a.ticks() })
	p.Min, p.Max = a.low, a.high
}

// encode renders p in the format and size of o.
func encode(p *plot.Plot, o Options) ([]byte, error) {
	if o.Width == 0 {
		o.Width = 12
	}
	if o.Height == 0 {
		o.Height = 8
	}
	if o.Format == "" {
		o.Format = "svg"
	}
	w, err := p.WriterTo(vg.Length(o.Width)*vg.Centimeter, vg.Length(o.Height)*vg.Centimeter, o.Format)
	if err != nil {
		return nil, fmt.Errorf("figure: format %q: %w (try svg, png or pdf)", o.Format, err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return b.Bytes(), nil
}

// dots are the points of a scatter plot; many of them get smaller.
func dots(xy plotter.XYs, c color.Color) *plotter.Scatter {
	s, _ := plotter.NewScatter(xy) // fails on NaN only, and axis.place leaves none
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}
	if len(xy) > 300 {
		s.GlyphStyle.Radius = vg.Points(1.3)
	}
	return s
}

// line joins two or more points.
func line(xy plotter.XYs, c color.Color, dashed bool) *plotter.Line {
	l, _ := plotter.NewLine(xy)
	l.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(1.2)}
	if dashed {
		l.LineStyle.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	}
	return l
}

// ring is a circle that marks a point without hiding it.
type ring struct{}

// DrawGlyph draws the circle.
func (ring) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetColor(s.Color)
	c.SetLineWidth(vg.Points(1.6))
	var p vg.Path
	p.Move(vg.Point{X: at.X + s.Radius, Y: at.Y})
	p.Arc(at, s.Radius, 0, 2*math.Pi)
	p.Close()
	c.Stroke(p)
}
