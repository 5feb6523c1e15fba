package discover

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/motion"
)

// motionPage is the data of motion.html.
type motionPage struct {
	Table, Question  string
	Summary, Version string
	Began            string
	Equations        []motionEquation
	Figures          []pageFigure
	Settings         [][2]string
}

type motionEquation struct {
	Rate, R2, Error, Text, LaTeX, SymPy string
	UnitsUsed, UnitsOK                  bool
	Law                                 template.HTML
	Constants                           []pageConstant
	Front                               []pageLaw
	Verdict                             string
	Rivals                              []string
}

// report writes the page.
func (f movement) report(path string) error {
	p := motionPage{Table: f.tr.Name, Question: f.question(), Summary: f.summary(), Version: version.String(),
		Began: f.began.Format("2006-01-02 15:04:05 MST")}
	used := finding{table: f.table, settings: f.settings}.unitsUsed()
	for k, e := range f.result.Equations {
		if e.Law.Tree.Len() == 0 {
			continue
		}
		front, best := shownFront(e)
		q := motionEquation{Rate: e.Law.Target, R2: law.FormatR2(e.Law.R2), Error: inUnit(significant(e.Error, 3), f.tr.States[k].UnitName()),
			Text: ofMotion.line(e.Law), LaTeX: ofMotion.latex(e.Law), SymPy: e.Law.SymPy(), UnitsUsed: used, UnitsOK: e.Law.UnitsOK,
			Law: mathML(e.Law, ofMotion.digits)}
		for _, c := range shownConstants(e.Law) {
			q.Constants = append(q.Constants, pageConstant{c.Name, estimate(c), unitOr1(c.Unit), pretty(c.Exact)})
		}
		for _, l := range front {
			q.Front = append(q.Front, pageLaw{Chosen: sameLaw(l, best), Complexity: fixed(l.Complexity, 1), RMSE: significant(l.RMSE, 3),
				R2: law.FormatR2(l.R2), UnitsOK: l.UnitsOK, Text: ofMotion.line(l), Law: mathML(l, ofMotion.digits)})
		}
		q.Verdict = e.Verdict
		for _, l := range e.Rivals {
			q.Rivals = append(q.Rivals, fmt.Sprintf("%s, %.1f bits worse", ofMotion.line(l), l.Score-e.Law.Score))
		}
		p.Equations = append(p.Equations, q)
	}
	var err error
	if p.Figures, err = f.figures(); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	limit := timeLimit(f.settings)
	if f.settings.Time == 0 {
		limit += " for each equation"
	}
	p.Settings = [][2]string{{"time", limit}, {"order", fmt.Sprint(f.tr.Order)}, {"operators", strings.Join(f.settings.Ops, " ")},
		{"seed", fmt.Sprint(f.settings.Seed)}, {"candidates evaluated", grouped(f.result.Evaluations)}, {"took", shortDuration(f.result.Elapsed)},
		{"stopped by", string(f.result.Stopped)}}
	if len(f.settings.Ops) == 0 {
		p.Settings[2][1] = "the usual ones"
	}
	return writePage(path, "motion.html", p)
}

// figures returns measured and integrated states against time, and the first two states against
// each other.
func (f movement) figures() ([]pageFigure, error) {
	o := figure.Options{Width: 13, Height: 9, Text: 10}
	var out []pageFigure
	draw := func(id, caption string, p figure.Picture) error {
		svg, err := p.Draw(o)
		if err == nil {
			out = append(out, pageFigure{SVG: template.HTML(figure.Themed(svg)), Caption: caption, Alt: caption, ID: id})
		}
		return err
	}
	if f.found() == 0 {
		return nil, nil
	}
	axis := quantity(f.tr.Time)
	states := f.tr.States[:len(f.tr.States)-f.tr.Inputs]
	for k, x := range states {
		caption := x.Name + " as measured (dots) and as the laws give it (lines)."
		p := figure.Lines(f.series(func(r int) []float64 { return f.tr.Time.Values[f.tr.Runs[r][0]:f.tr.Runs[r][1]] },
			func(r int) []float64 { return x.Values[f.tr.Runs[r][0]:f.tr.Runs[r][1]] },
			func(p motion.Path) []float64 { return p.Times }, func(p motion.Path) []float64 { return p.X[k] }),
			figure.Axis{Label: axis}, figure.Axis{Label: quantity(x)})
		if err := draw(fmt.Sprintf("state%d", k+1), caption, p); err != nil {
			return nil, err
		}
	}
	if len(states) >= 2 {
		x, y := states[0], states[1]
		p := figure.Lines(f.series(func(r int) []float64 { return x.Values[f.tr.Runs[r][0]:f.tr.Runs[r][1]] },
			func(r int) []float64 { return y.Values[f.tr.Runs[r][0]:f.tr.Runs[r][1]] },
			func(p motion.Path) []float64 { return p.X[0] }, func(p motion.Path) []float64 { return p.X[1] }),
			figure.Axis{Label: quantity(x)}, figure.Axis{Label: quantity(y)})
		if err := draw("phase", "The trajectories in the plane of "+x.Name+" and "+y.Name+".", p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Largest numbers of runs and rows plotted in a figure.
const (
	shownRuns   = 6
	shownPoints = 600
)

// series returns measured points as dots and integrated trajectories as lines.
func (f movement) series(x, y func(run int) []float64, lineX, lineY func(motion.Path) []float64) []figure.Series {
	var out []figure.Series
	for r := range min(len(f.tr.Runs), shownRuns) {
		a, b := x(r), y(r)
		s := figure.Series{Loose: true, Hue: 1}
		every := (len(a)-1)/shownPoints + 1
		for i := 0; i < len(a); i += every {
			s.X, s.Y = append(s.X, a[i]), append(s.Y, b[i])
		}
		if r == 0 {
			s.Name = "measured"
		}
		out = append(out, s)
	}
	named := false
	for _, p := range f.result.Path {
		if p.Run >= shownRuns {
			continue
		}
		s := figure.Series{X: lineX(p), Y: lineY(p), Hue: 2}
		if !named {
			s.Name, named = "laws, integrated", true
		}
		out = append(out, s)
	}
	return out
}
