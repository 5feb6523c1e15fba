package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/physlib/lab/physlib/bench"
)

// Estimate is a measured number with its error: a row of [Bars] or [Forest].
type Estimate struct {
	Name      string
	Group     string // name of a group; consecutive rows with the same name are drawn under it
	Value     float64
	Low, High float64 // ends of the 95 % interval; if they are equal, it is unknown
	Other     float64 // a value to compare with, such as a claim, drawn as a ring; 0: none
	Note      string  // text at the end of the row; "": the value is shown
	Hue       int     // index of the colour, from 1; 0 is the same as 1
}

// Share returns k of n in percent, with Wilson's interval of 95 % (see bench.Wilson). It is NaN if
// n is 0.
func Share(name string, k, n int) Estimate {
	low, high := bench.Wilson(k, n)
	return Estimate{Name: name, Value: 100 * float64(k) / float64(n), Low: 100 * low, High: 100 * high, Note: fmt.Sprintf("%d of %d", k, n)}
}

// Bars draws estimates as horizontal bars that begin at the left end of the axis. By default a
// linear axis starts at 0.
func Bars(rows []Estimate, x Axis) Picture {
	if !x.Log && x.Low == x.High {
		x.Low, x.High = 0, math.Inf(-1)
		for _, r := range rows {
			for _, v := range []float64{r.Value, r.High} {
				if !math.IsInf(v, 0) {
					x.High = max(x.High, v*1.04)
				}
			}
		}
		if !(x.High > 0) {
			x.High = 1
		}
	}
	return estimates(rows, x, math.NaN(), true)
}

// Forest draws estimates as points with intervals. A line marks the value `none`, which means no
// effect. Forest suits ablations and comparisons.
func Forest(rows []Estimate, x Axis, none float64) Picture { return estimates(rows, x, none, false) }

// slot is a line of the picture: a row, or the heading of a group.
type slot struct {
	Estimate
	heading bool
}

func estimates(rows []Estimate, x Axis, none float64, bars bool) Picture {
	var slots []slot
	grouped := false
	for i, r := range rows {
		if r.Group != "" && (i == 0 || rows[i-1].Group != r.Group) {
			slots, grouped = append(slots, slot{Estimate{Name: r.Group}, true}), true
		}
		slots = append(slots, slot{Estimate: r})
	}
	var values []float64
	for _, r := range rows {
		values = append(values, r.Value)
		if r.Low < r.High {
			values = append(values, r.Low, r.High)
		}
		if r.Other != 0 {
			values = append(values, r.Other)
		}
	}
	values = append(values, none)
	h := x.over(values)
	v := axis{low: -0.6, high: float64(len(slots)) - 0.4, bare: true}
	return Picture{
		Alt:    x.Label + " of " + fmt.Sprint(len(rows)) + " rows, with intervals of 95 %",
		height: 0.46*float64(max(len(slots), 2)) + 1.3,
		draw: func(c draw.Canvas, s style) {
			indent := vg.Length(0)
			if grouped {
				indent = s.em(0.8)
			}
			drawEstimates(c, s, estimateRows{slots, h, none, bars, s}, v, indent)
		},
	}
}

// drawEstimates draws the rows, with their names on the left and their notes on the right. The
// names of rows in a group are indented.
func drawEstimates(c draw.Canvas, s style, rows estimateRows, v axis, indent vg.Length) {
	name := s.write(0.95, text.XLeft, text.YCenter)
	var left, right vg.Length
	for _, r := range rows.slots {
		w := textWidth(name, r.Name)
		if !r.heading {
			w += indent
		}
		left = max(left, w)
		right = max(right, textWidth(name, r.note()))
	}
	// Names wider than 42 % of the picture and notes wider than 30 % are shrunk, then truncated.
	left, right = min(left, c.Size().X*0.42), min(right, c.Size().X*0.3)
	p := newPanel(s, rows.x, v)
	p.Add(rows)
	inner := draw.Crop(c, left+s.em(0.9), -right-s.em(1.2), 0, 0)
	p.thin(inner)
	p.Draw(inner)
	da := p.DataCanvas(inner)
	_, y := p.Transforms(&da)
	for i, r := range rows.slots {
		at := y(float64(len(rows.slots)-1-i)) + s.em(0.08) // centre of the lower-case letters
		sty := name
		from := c.Min.X + s.em(0.3)
		if r.heading {
			sty.Color = s.muted
		} else {
			from += indent
		}
		sty, txt := shrink(s, sty, r.Name, c.Min.X+left+s.em(0.4)-from, 0.6)
		c.FillText(sty, vg.Point{X: from, Y: at}, txt)
		sty, txt = shrink(s, name, r.note(), right, 0.6)
		sty.XAlign = text.XRight
		// The margin leaves room if the viewer uses a wider font.
		c.FillText(sty, vg.Point{X: c.Max.X - s.em(0.6), Y: at}, txt)
	}
}

func (r slot) note() string {
	switch {
	case r.heading:
		return ""
	case r.Note != "":
		return r.Note
	}
	return short(r.Value, 3)
}

// estimateRows draws the bars, points and intervals.
type estimateRows struct {
	slots []slot
	x     axis
	none  float64
	bars  bool
	style style
}

// Plot draws the rows from top to bottom.
func (e estimateRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if at := e.x.at(e.none); !math.IsNaN(at) {
		c.StrokeLine2(draw.LineStyle{Color: e.style.ink, Width: vg.Points(0.8)}, x(at), c.Min.Y, x(at), c.Max.Y)
	}
	clamp := func(v float64) vg.Length { return x(min(max(v, e.x.low), e.x.high)) }
	half := (y(0.31) - y(0))
	for i, r := range e.slots {
		at := e.x.at(r.Value)
		if r.heading || math.IsNaN(at) {
			continue
		}
		mid := y(float64(len(e.slots) - 1 - i))
		hue := e.style.of(max(r.Hue-1, 0))
		if e.bars {
			c.FillPolygon(hue, []vg.Point{{X: c.Min.X, Y: mid - half}, {X: clamp(at), Y: mid - half}, {X: clamp(at), Y: mid + half}, {X: c.Min.X, Y: mid + half}})
		}
		if r.Low < r.High {
			low, high := e.x.at(r.Low), e.x.at(r.High)
			if math.IsNaN(low) {
				low = e.x.low
			}
			if math.IsNaN(high) {
				high = e.x.high
			}
			sty := draw.LineStyle{Color: hue, Width: vg.Points(1.1)}
			if e.bars {
				sty.Color = e.style.ink
			}
			c.StrokeLine2(sty, clamp(low), mid, clamp(high), mid)
			for _, end := range []vg.Length{clamp(low), clamp(high)} {
				c.StrokeLine2(sty, end, mid-half*0.45, end, mid+half*0.45)
			}
		}
		if other := e.x.at(r.Other); r.Other != 0 && !math.IsNaN(other) {
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: e.style.chosen(), Radius: vg.Points(3.2), Shape: ring{}}, vg.Point{X: clamp(other), Y: mid})
		}
		if !e.bars {
			shape := shapes[max(r.Hue-1, 0)%len(shapes)]
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: hue, Radius: vg.Points(2.4), Shape: shape}, vg.Point{X: clamp(at), Y: mid})
		}
	}
}

// area fills a rectangle.
func area(c *draw.Canvas, col color.RGBA, x0, y0, x1, y1 vg.Length) {
	c.SetColor(col)
	c.Fill(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
}
