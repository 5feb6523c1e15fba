package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a table of numbers to be drawn as colours. Examples are the attention of tokens to each
// other, gates over time, or an error over two settings.
type Matrix struct {
	Values        [][]float64 // rows from the top; cells with NaN are empty
	Rows, Columns []string    // names of the rows and columns; nil: numbers from 0
	X, Y          string      // labels of the axes
	Label         string      // label of the colour scale, with its unit
	Low, High     float64     // ends of the colour scale; both 0: smallest and largest value
	Signed        bool        // use a diverging colour scale, for values of both signs
}

// Heat draws m as a heat map.
func Heat(m Matrix) Picture {
	cols := 0
	for i, row := range m.Values {
		if i > 0 && len(row) != cols {
			return fails("row %d of the matrix has %d values, the first %d", i, len(row), cols)
		}
		cols = len(row)
	}
	rows := len(m.Values)
	if m.Rows != nil && len(m.Rows) != rows || m.Columns != nil && len(m.Columns) != cols {
		return fails("%d×%d values with names of %d rows and %d columns", rows, cols, len(m.Rows), len(m.Columns))
	}
	m.bounds()
	return Picture{
		Alt: fmt.Sprintf("%s as colours, %d rows and %d columns", m.Label, rows, cols),
		draw: func(c draw.Canvas, s style) {
			names := func(names []string, n int, wide bool) []plot.Tick {
				size := c.Size().X
				if !wide {
					size = c.Size().Y
				}
				return cellTicks(names, n, max(int(size/s.em(1.6)), 2), !wide)
			}
			x := axis{label: m.X, high: float64(max(cols, 1)), fixed: names(m.Columns, cols, true), bare: true}
			y := axis{label: m.Y, high: float64(max(rows, 1)), fixed: names(m.Rows, rows, false), bare: true}
			p := newPanel(s, x, y)
			longest := vg.Length(0)
			for _, t := range x.fixed {
				longest = max(longest, textWidth(p.X.Tick.Label, t.Label))
			}
			// Names that would overlap are rotated.
			if longest*vg.Length(len(x.fixed)) > c.Size().X*0.75 {
				p.X.Tick.Label.Rotation = math.Pi / 2
				p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
			}
			p.Add(m)
			key := s.keyWidth(m)
			inner := draw.Crop(c, 0, -key, 0, 0)
			p.Draw(inner)
			s.key(c, p.DataCanvas(inner), m)
		},
		vega: func(s style) map[string]any { return vegaHeat(m) },
	}
}

// bounds sets the ends of the colour scale to those of the values, unless they are set.
func (m *Matrix) bounds() {
	if m.Low != m.High {
		return
	}
	m.Low, m.High = math.Inf(1), math.Inf(-1)
	for _, row := range m.Values {
		for _, v := range row {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				m.Low, m.High = min(m.Low, v), max(m.High, v)
			}
		}
	}
	switch {
	case m.Low > m.High:
		m.Low, m.High = 0, 1
	case m.Low == m.High:
		m.Low, m.High = m.Low-0.5, m.High+0.5
	}
	if m.Signed {
		top := max(math.Abs(m.Low), math.Abs(m.High))
		m.Low, m.High = -top, top
	}
}

// scale returns the colours for the matrix.
func (m Matrix) scale() scale {
	if m.Signed {
		return sunset
	}
	return cividis
}

// Plot fills the cells. Neighbours of equal colour are drawn as one rectangle, which avoids seams.
func (m Matrix) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	colours := m.scale()
	for r, row := range m.Values {
		top, bottom := y(float64(len(m.Values)-r)), y(float64(len(m.Values)-r-1))
		for k := 0; k < len(row); {
			v := row[k]
			if math.IsNaN(v) {
				k++
				continue
			}
			col, end := colours.at((v-m.Low)/(m.High-m.Low)), k+1
			for end < len(row) && !math.IsNaN(row[end]) && colours.at((row[end]-m.Low)/(m.High-m.Low)) == col {
				end++
			}
			area(&c, col, x(float64(k)), bottom, x(float64(end)), top)
			k = end
		}
	}
}

// cellTicks returns ticks with names at the middles of n cells. If there is no room for all names,
// only every second, fifth, tenth … cell has one. With fromTop, cells are counted from the top.
func cellTicks(names []string, n, room int, fromTop bool) []plot.Tick {
	every := 1
	for k := 0; n > room*every; k++ {
		every = []int{2, 5, 10}[k%3] * int(math.Pow10(k/3))
	}
	ticks := []plot.Tick{}
	for i := 0; i < n; i += every {
		t := plot.Tick{Value: float64(i) + 0.5, Label: strconv.Itoa(i)}
		if fromTop {
			t.Value = float64(n) - t.Value
		}
		if names != nil {
			t.Label = names[i]
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// keyWidth returns the width that the colour scale needs with its numbers and label.
func (s style) keyWidth(m Matrix) vg.Length {
	w := vg.Length(0)
	a := axis{low: m.Low, high: m.High}
	for _, t := range a.ticks() {
		w = max(w, textWidth(s.write(0.9, 0, 0), t.Label))
	}
	if m.Label != "" {
		w += s.em(1.5)
	}
	return w + s.em(2.6)
}

// key draws the colour scale with its values, to the right of the data.
func (s style) key(c, data draw.Canvas, m Matrix) {
	x0 := data.Max.X + s.em(1)
	x1 := x0 + s.em(0.9)
	low, high := data.Min.Y, data.Max.Y
	if tall := s.em(16); high-low > tall {
		low = high - tall
	}
	const steps = 64
	for i := range steps {
		from := low + (high-low)*vg.Length(i)/steps
		area(&c, m.scale().at(float64(i)/(steps-1)), x0, from, x1, from+(high-low)/steps+vg.Points(0.2))
	}
	w := s.write(0.9, text.XLeft, text.YCenter)
	a := axis{low: m.Low, high: m.High}
	wide := vg.Length(0)
	for _, t := range a.ticks() {
		at := low + (high-low)*vg.Length((t.Value-m.Low)/(m.High-m.Low))
		c.StrokeLine2(draw.LineStyle{Color: s.muted, Width: vg.Points(0.5)}, x1, at, x1+s.em(0.25), at)
		c.FillText(w, vg.Point{X: x1 + s.em(0.45), Y: at}, t.Label)
		wide = max(wide, textWidth(w, t.Label))
	}
	if m.Label != "" {
		w := s.write(1, text.XCenter, text.YTop)
		w.Rotation = math.Pi / 2
		c.FillText(w, vg.Point{X: x1 + s.em(0.7) + wide, Y: (low + high) / 2}, m.Label)
	}
}
