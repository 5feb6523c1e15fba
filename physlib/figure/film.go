package figure

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Film shows how a denoiser arrived at an expression: its tokens after each step. Its JSON is a
// superset of that of diffusion.Trace.
type Film struct {
	Law    string  `json:"law,omitempty"`   // true law of the table, if known
	Found  string  `json:"found,omitempty"` // the expression in the last frame
	System string  `json:"system,omitempty"`
	Frames []Frame `json:"frames"`
}

// Types of the parts of a film. Frame is one sample after one step, Cell one of its positions,
// Guess a token with its probability.
type (
	Frame struct {
		Sample int    `json:"sample"`
		Round  int    `json:"round"`
		Step   int    `json:"step"`
		Steps  int    `json:"steps"`
		Cells  []Cell `json:"cells"`
	}
	Cell struct {
		Token   string  `json:"token"` // name of the visible or proposed token
		Shown   bool    `json:"shown"` // whether the network sees the token from the next step on
		Given   bool    `json:"given,omitempty"`
		Entropy float64 `json:"entropy"`
		Top     []Guess `json:"top"`
	}
	Guess struct {
		Token string  `json:"token"`
		P     float64 `json:"p"`
	}
)

// ReadFilm reads the JSON of a diffusion.Trace or of a Film.
func ReadFilm(b []byte) (Film, error) {
	var f Film
	if err := json.Unmarshal(b, &f); err != nil {
		return f, fmt.Errorf("figure: a film: %w", err)
	}
	if len(f.Frames) == 0 {
		return f, fmt.Errorf(`figure: a film without frames: expected {"frames": […]}, as diffusion.Trace is written`)
	}
	return f, nil
}

// tokenSigns holds the symbols with which pictures show tokens of vocabularies.
var tokenSigns = map[string]string{"add": "+", "sub": "−", "mul": "×", "div": "÷", "neg": "−", "inv": "1/□", "sqrt": "√", "sq": "□²", "square": "□²", "cube": "□³",
	"pow": "□^□", "int_1": "1", "int_2": "2", "int_3": "3", "int_4": "4", "int_5": "5", "pi": "π", "half": "1/2", "third": "1/3", "log": "ln",
	"*": "×", "/": "÷", "+": "+", "-": "−"}

// sign returns the symbol of the cell's token.
func (c Cell) sign() string { return sign(c.Token) }

func sign(token string) string {
	if s, ok := tokenSigns[token]; ok {
		return s
	}
	base, index, indexed := strings.Cut(token, "_")
	if _, err := strconv.Atoi(index); indexed && err == nil && (base == "x" || base == "c") {
		return base + index
	}
	return letters(token)
}

// Sample returns the frames of one sample, round after round. A trace may hold several samples.
func (f Film) Sample(sample int) Film {
	g := f
	g.Frames = nil
	for _, frame := range f.Frames {
		if frame.Sample == sample {
			g.Frames = append(g.Frames, frame)
		}
	}
	return g
}

// one returns the film of the first sample in f. It returns an error if its frames differ in the
// number of positions.
func (f Film) one() (Film, error) {
	if len(f.Frames) == 0 {
		return f, fmt.Errorf("figure: the film has no frames")
	}
	f = f.Sample(f.Frames[0].Sample)
	n := len(f.Frames[0].Cells)
	for i, frame := range f.Frames {
		if len(frame.Cells) != n || n == 0 {
			return f, fmt.Errorf("figure: frame %d of the film has %d positions, the first %d", i, len(frame.Cells), n)
		}
	}
	return f, nil
}

// p returns the probability that the network gave to the token of the cell. It is 1 for a given
// token, and 0 if the token is not among the likeliest.
func (c Cell) p() float64 {
	if c.Given {
		return 1
	}
	for _, g := range c.Top {
		if g.Token == c.Token {
			return g.P
		}
	}
	return 0
}

// Refinement draws a film as a heat map with a row for each position and a column for each step.
// The colour is the probability of the proposed token. A dark line marks the step from which the
// token is fixed. The final token is written on the right.
func Refinement(f Film) Picture {
	f, err := f.one()
	if err != nil {
		return Picture{err: err}
	}
	rows, cols := len(f.Frames[0].Cells), len(f.Frames)
	m := Matrix{X: "refinement step", Y: "position", Label: "probability", High: 1}
	for r := range rows {
		row := make([]float64, cols)
		for k, frame := range f.Frames {
			row[k] = frame.Cells[r].p()
		}
		m.Values = append(m.Values, row)
	}
	return Picture{
		Alt:    fmt.Sprintf("refinement of %d tokens in %d steps: probability of each proposed token", rows, cols),
		width:  Page,
		height: min(max(0.45*float64(rows)+1.8, 4), 14),
		draw: func(c draw.Canvas, s style) {
			x := axis{label: m.X, high: float64(cols), fixed: cellTicks(stepNames(f), cols, max(int(c.Size().X/s.em(2.4)), 2), false), bare: true}
			y := axis{label: m.Y, high: float64(rows), fixed: cellTicks(nil, rows, max(int(c.Size().Y/s.em(1.4)), 2), true), bare: true}
			p := newPanel(s, x, y)
			p.Add(m)
			p.Add(proposals{f, s})
			w := s.write(0.9, text.XLeft, text.YCenter)
			names := vg.Length(0)
			last := f.Frames[cols-1].Cells
			for _, cell := range last {
				names = max(names, textWidth(w, cell.sign()))
			}
			inner := draw.Crop(c, 0, -s.keyWidth(m)-names-s.em(0.5), 0, 0)
			p.Draw(inner)
			data := p.DataCanvas(inner)
			_, at := p.Transforms(&data)
			for r, cell := range last {
				c.FillText(w, vg.Point{X: data.Max.X + s.em(0.5), Y: at(float64(rows-r) - 0.5)}, cell.sign())
			}
			data.Max.X += names + s.em(0.5)
			s.key(c, data, m)
		},
		vega: func(s style) map[string]any { return vegaFilm(f, s) },
	}
}

// stepNames returns the numbers of the steps from 1, counted through all rounds.
func stepNames(f Film) []string {
	names := make([]string, len(f.Frames))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}

// proposals draws the symbol of a token at the steps where it changes, if there is room. It draws a
// line where the token becomes fixed.
type proposals struct {
	film  Film
	style style
}

// Plot draws the symbols and lines.
func (q proposals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	frames, s := q.film.Frames, q.style
	rows := len(frames[0].Cells)
	for r := range rows {
		top, bottom := y(float64(rows-r)), y(float64(rows-r-1))
		for k := 0; k < len(frames); {
			cell := frames[k].Cells[r]
			end := k + 1
			for end < len(frames) && frames[end].Cells[r].Token == cell.Token && frames[end].Cells[r].Shown == cell.Shown {
				end++
			}
			w := s.write(0.85, text.XLeft, text.YCenter)
			w.Color = on(cividis.at(cell.p()))
			w.Font.Size = min(w.Font.Size, (top-bottom)*0.8)
			if room := x(float64(end)) - x(float64(k)) - s.em(0.3); textWidth(w, cell.sign()) <= room {
				c.FillText(w, vg.Point{X: x(float64(k)) + s.em(0.2), Y: (top + bottom) / 2}, cell.sign())
			}
			if cell.Shown && !cell.Given && (k == 0 || !frames[k-1].Cells[r].Shown) {
				c.StrokeLine2(draw.LineStyle{Color: s.chosen(), Width: vg.Points(1.6)}, x(float64(k)), bottom, x(float64(k)), top)
			}
			k = end
		}
	}
}

// Strip draws a few frames of a film below each other, from the first to the last. Proposed tokens
// are pale, and newly fixed tokens are framed.
func Strip(f Film, frames int) Picture {
	f, err := f.one()
	if err != nil {
		return Picture{err: err}
	}
	picks := spread(len(f.Frames), max(frames, 2))
	n := len(f.Frames[0].Cells)
	return Picture{
		Alt:    fmt.Sprintf("%d of %d steps of a refinement", len(picks), len(f.Frames)),
		width:  Page,
		height: 0.62*float64(len(picks)) + 0.5,
		draw: func(c draw.Canvas, s style) {
			label := s.write(0.9, text.XLeft, text.YCenter)
			left := textWidth(label, "step "+strconv.Itoa(len(f.Frames))) + s.em(1)
			width := min((c.Size().X-left)/vg.Length(n), s.em(9))
			height := c.Size().Y / vg.Length(len(picks))
			shown := make([]bool, n)
			for row, k := range picks {
				top := c.Max.Y - vg.Length(row)*height
				mid := top - height/2
				c.FillText(label, vg.Point{X: c.Min.X, Y: mid}, "step "+strconv.Itoa(k+1))
				for i, cell := range f.Frames[k].Cells {
					x0, x1 := c.Min.X+left+vg.Length(i)*width+vg.Points(0.8), c.Min.X+left+vg.Length(i+1)*width-vg.Points(0.8)
					s.cell(c, cell, shown[i], x0, mid-height*0.4, x1, mid+height*0.4)
					shown[i] = cell.Shown
				}
			}
		},
	}
}

// cell draws one position of a strip. The token is pale while it is masked, and framed when it
// first becomes visible. before says whether it was visible in the previous frame.
func (s style) cell(c draw.Canvas, cell Cell, before bool, x0, y0, x1, y1 vg.Length) {
	ground, ink := s.grid, s.muted
	if cell.Shown {
		ground, ink = s.tint(s.data()), s.ink
	}
	area(&c, ground, x0, y0, x1, y1)
	if cell.Shown && !before {
		c.SetColor(s.chosen())
		c.SetLineWidth(vg.Points(1.2))
		c.SetLineDash(nil, 0)
		c.Stroke(vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}.Path())
	}
	w := s.write(0.9, text.XCenter, text.YCenter)
	w.Color = ink
	w, txt := shrink(s, w, cell.sign(), x1-x0-s.em(0.2), 0.5)
	c.FillText(w, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, txt)
}

// spread returns k of n indices, evenly spaced, including the first and the last.
func spread(n, k int) []int {
	if n <= k {
		k = n
	}
	picks := make([]int, k)
	for i := range picks {
		if k > 1 {
			picks[i] = i * (n - 1) / (k - 1)
		}
	}
	return picks
}
