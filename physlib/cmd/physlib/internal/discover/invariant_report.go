package discover

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/invariant"
	"github.com/physlib/lab/physlib/law"
)

// constancyPage is the data of invariant.html.
type constancyPage struct {
	Title, Table, Question string
	Found                  []constancyLaw
	Settings               [][2]string
	Version, Began         string
}

type constancyLaw struct {
	Text, LaTeX, SymPy, Verdict, Levels string
	Law                                 template.HTML
	Constants                           []pageConstant
	Figures                             []pageFigure
	Rivals                              []string
}

// report writes the page.
func (f constancy) report(path string) error {
	p := constancyPage{Title: "What stays constant", Table: f.table.Name, Question: f.question(), Version: version.String(),
		Began: f.began.Format("2006-01-02 15:04:05 MST")}
	if f.time == nil {
		p.Title = "An implicit law"
	}
	for i, v := range f.result.Found {
		l := f.shown(v)
		q := constancyLaw{Text: plain(l, chosenDigits), LaTeX: latex(l), SymPy: l.SymPy(), Law: mathML(l, chosenDigits), Verdict: deviation(v)}
		if f.time != nil {
			q.Levels = levels(v.Levels)
		}
		for _, k := range shownConstants(l) {
			q.Constants = append(q.Constants, pageConstant{k.Name, estimate(k), unitOr1(k.Unit), pretty(k.Exact)})
		}
		for _, o := range f.result.Others[i] {
			q.Rivals = append(q.Rivals, fmt.Sprintf("%s, %.1f bits worse", strings.TrimPrefix(plain(f.shown(o), 6), "0 = "), o.Bits-v.Bits))
		}
		var err error
		if q.Figures, err = f.figures(i, v); err != nil {
			return fmt.Errorf("%s was not written: %w", path, err)
		}
		p.Found = append(p.Found, q)
	}
	p.Settings = [][2]string{{"time", timeLimit(f.settings)}}
	if f.settings.Evaluations > 0 {
		p.Settings = append(p.Settings, [2]string{"sums of terms", "at most " + grouped(f.settings.Evaluations)})
	}
	if f.settings.MaxComplexity > 0 {
		p.Settings = append(p.Settings, [2]string{"complexity", "at most " + significant(f.settings.MaxComplexity, 6)})
	}
	p.Settings = append(p.Settings, [2]string{"sums tried", grouped(f.result.Evaluations)},
		[2]string{"took", shortDuration(f.result.Elapsed)}, [2]string{"stopped by", string(f.stopped())})
	return writePage(path, "invariant.html", p)
}

// figures returns the plots of the i-th quantity found: its value against time or row and, for two
// columns, the curve on which it is constant.
func (f constancy) figures(i int, v invariant.Invariant) (out []pageFigure, err error) {
	draw := func(id, caption string, p figure.Picture) {
		svg, failed := p.Draw(figure.Options{Width: 13, Height: 9, Text: 10})
		if failed != nil {
			err = failed
			return
		}
		out = append(out, pageFigure{SVG: template.HTML(figure.Themed(svg)), Caption: caption, Alt: caption, ID: fmt.Sprint(id, i+1)})
	}
	l := f.shown(v)
	value := f.values(l)
	x, label := make([]float64, len(value)), "row"
	for row := range x {
		x[row] = float64(row + 1)
	}
	if f.time != nil {
		x, label = f.time.Values, quantity(*f.time)
		draw("level", "The conserved quantity of each row against time.", figure.Lines(f.byRun(x, value), figure.Axis{Label: label}, figure.Axis{Label: "conserved quantity"}))
		return out, err
	}
	draw("residuals", "By how much each row misses 0.", figure.Lines([]figure.Series{{X: x, Y: value, Loose: true, Hue: 1}},
		figure.Axis{Label: label}, figure.Axis{Label: "left side, 0 by the law"}))
	if len(f.columns) == 2 {
		a, b := f.columns[0], f.columns[1]
		series := append(zeros(l, a, b), figure.Series{X: a.Values, Y: b.Values, Loose: true, Hue: 1})
		draw("curve", "Measurements, and the curve where the law is 0.", figure.Lines(series, figure.Axis{Label: quantity(a)}, figure.Axis{Label: quantity(b)}))
	}
	return out, err
}

// byRun returns the points (x, y) as series, one for each of the first runs.
func (f constancy) byRun(x, y []float64) (out []figure.Series) {
	for r, rows := range f.runs {
		if r == shownRuns {
			break
		}
		out = append(out, figure.Series{X: dataset.Pick(x, rows), Y: dataset.Pick(y, rows), Loose: true})
	}
	return out
}

// values evaluates l in all rows.
func (f constancy) values(l law.Law) []float64 {
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		if at := slices.IndexFunc(f.columns, func(c dataset.Column) bool { return c.Name == name }); at >= 0 {
			cols[i] = f.columns[at].Values
		}
	}
	return l.Tree.Values(len(f.columns[0].Values), cols, l.Params())
}

// Size of the grid on which a curve is traced.
const (
	traced = 96   // number of cells along each axis
	margin = 0.05 // the grid exceeds the range of the data by this share on each side
)

// zeros returns the curve on which l, a function of two columns, is 0. It consists of a short line
// in each cell of a grid that the curve crosses.
func zeros(l law.Law, x, y dataset.Column) (out []figure.Series) {
	at := func(c dataset.Column, i int) float64 {
		low, high := slices.Min(c.Values), slices.Max(c.Values)
		return low + (high-low)*(float64(i)/traced*(1+2*margin)-margin)
	}
	const side = traced + 1
	cols := make([][]float64, len(l.Vars))
	gx, gy := make([]float64, 0, side*side), make([]float64, 0, side*side)
	for i := range side {
		for j := range side {
			gx, gy = append(gx, at(x, i)), append(gy, at(y, j))
		}
	}
	for i, name := range l.Vars {
		switch name {
		case x.Name:
			cols[i] = gx
		case y.Name:
			cols[i] = gy
		}
	}
	g := l.Tree.Values(side*side, cols, l.Params())
	for i := range traced {
		for j := range traced {
			corner := [5]int{i*side + j, (i+1)*side + j, (i+1)*side + j + 1, i*side + j + 1, i*side + j}
			piece := figure.Series{Hue: 2}
			for k := range 4 {
				a, b := corner[k], corner[k+1]
				if g[a]*g[b] < 0 && !math.IsInf(g[a]*g[b], 0) {
					s := g[a] / (g[a] - g[b])
					piece.X, piece.Y = append(piece.X, gx[a]+s*(gx[b]-gx[a])), append(piece.Y, gy[a]+s*(gy[b]-gy[a]))
				}
			}
			if len(piece.X) == 2 {
				out = append(out, piece)
			}
		}
	}
	return out
}
