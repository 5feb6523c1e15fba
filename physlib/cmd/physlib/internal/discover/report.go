package discover

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

//go:embed report.html motion.html invariant.html parts.html
var pages embed.FS

// templates are the pages report.html, motion.html and invariant.html, with their common parts.
var templates = template.Must(template.ParseFS(pages, "*.html"))

// page is the data of report.html.
type page struct {
	Table, Question, Target string
	Law                     template.HTML // MathML; "" when nothing was found
	Text, LaTeX, SymPy      string
	R2, RMSE, Complexity    string
	UnitsUsed, UnitsOK      bool
	Constants               []pageConstant
	Verdict                 string
	Warnings                []string
	Figures                 []pageFigure
	Front                   []pageLaw
	Inputs                  []pageInput
	Settings                [][2]string
	Version, Began          string
}

type pageConstant struct{ Name, Value, Unit, Exact string }

type pageFigure struct {
	SVG              template.HTML
	Caption, Alt, ID string
}

type pageLaw struct {
	Chosen                     bool
	Complexity, RMSE, R2, Text string
	UnitsOK                    bool
	Law                        template.HTML
}

type pageInput struct{ Name, Role, Unit, Low, High string }

// report writes the page.
func (f finding) report(path string) error {
	p, err := f.page()
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return writePage(path, "report.html", p)
}

// writePage writes the page of a template with the data p.
func writePage(path, template string, p any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, template, p); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return outfile.Write(path, b.Bytes())
}

func (f finding) page() (page, error) {
	best := f.result.Best
	p := page{
		Table: f.table.Name, Question: f.question(), Target: f.table.Target.Name, Verdict: f.result.Verdict,
		Warnings: f.result.Warnings, Inputs: f.inputs(), Settings: f.inForce(), Version: version.String(),
		Began: f.began.Format("2006-01-02 15:04:05 MST"), UnitsUsed: f.unitsUsed(),
	}
	for _, l := range f.result.Front {
		chosen, digits := !f.none() && sameLaw(l, best), 6
		if chosen {
			digits = chosenDigits
		}
		p.Front = append(p.Front, pageLaw{
			Chosen: chosen, Complexity: fixed(l.Complexity, 1), RMSE: significant(l.RMSE, 3),
			R2: law.FormatR2(l.R2), UnitsOK: l.UnitsOK, Text: plain(l, digits), Law: mathML(l, digits),
		})
	}
	if !f.none() {
		p.Law, p.Text, p.LaTeX, p.SymPy = mathML(best, chosenDigits), plain(best, chosenDigits), latex(best), best.SymPy()
		p.R2, p.RMSE = law.FormatR2(best.R2), inUnit(significant(best.RMSE, 3), f.table.Target.UnitName())
		p.Complexity, p.UnitsOK = fixed(best.Complexity, 1), best.UnitsOK
		for _, k := range shownConstants(best) {
			p.Constants = append(p.Constants, pageConstant{k.Name, estimate(k), unitOr1(k.Unit), pretty(k.Exact)})
		}
	}
	figures, err := f.figures()
	p.Figures = figures
	return p, err
}

// mathML returns l typeset in MathML. Package figure escapes the names in the tree.
func mathML(l law.Law, digits int) template.HTML {
	return template.HTML(figure.MathML(l.Target, filled(l, digits), l.Vars))
}

func unitOr1(unit string) string {
	if unit == "" {
		return "1"
	}
	return unit
}

// figures returns the page's plots, in the page's colours.
func (f finding) figures() ([]pageFigure, error) {
	target := f.table.Target.Label()
	o := figure.Options{Width: 13, Height: 9, Text: 10}
	var out []pageFigure
	add := func(id, caption string, svg []byte, err error) error {
		if err == nil {
			out = append(out, pageFigure{SVG: template.HTML(figure.Themed(svg)), Caption: caption, Alt: caption, ID: id})
		}
		return err
	}
	if !f.none() {
		measured, predicted := f.predict(f.result.Best)
		shown := ""
		if n := f.table.Rows(); n > shownRows {
			shown = fmt.Sprintf(" %s of %s rows, evenly spaced.", grouped(shownRows), grouped(int64(n)))
		}
		switch len(f.result.Outliers) {
		case 0:
		case 1:
			shown += " The row left out is not shown."
		default:
			shown += " The rows left out are not shown."
		}
		if x, at, value, ok := discover.Curve(f.result.Best, f.table); ok {
			svg, err := figure.Bands(f.measured(x, measured, at, value), x.Label(), target).Draw(o)
			if err := add("curve", f.curveCaption()+shown, svg, err); err != nil {
				return nil, err
			}
		}
		svg, err := figure.Fit(measured, predicted, target).Draw(o)
		if err := add("fit", "Prediction against measurement; on the dashed line they agree."+shown, svg, err); err != nil {
			return nil, err
		}
		svg, err = figure.Residuals(measured, predicted, target, f.table.Target.UnitName()).Draw(o)
		if err := add("residuals", "Residuals of the law."+shown, svg, err); err != nil {
			return nil, err
		}
	}
	if len(f.result.Front) > 0 {
		svg, err := figure.Front(f.result.Front, f.result.Best, target).Draw(o)
		if err := add("front", "Laws by complexity. The line joins the Pareto front: none of these laws is both simpler and closer than a law on it. The others are about as likely as the chosen law, or its nearest rivals.", svg, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bandLevel is the confidence level of the bands in figures.
const bandLevel = 0.95

// measured returns the plot of the target against the only column of the law. It has error bars if
// errors were given, and bands if the covariance of the constants is known.
func (f finding) measured(x dataset.Column, y, at, value []float64) figure.Measured {
	rows := f.shown()
	m := figure.Measured{X: dataset.Pick(x.Values, rows), Y: y, LineX: at, LineY: value}
	if f.table.Sigma != nil {
		m.Sigma = dataset.Pick(f.table.Sigma, rows)
	}
	if s := f.settings.XSigma[x.Name]; s != nil {
		m.XSigma = dataset.Pick(s, rows)
	}
	l := f.result.Best
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		if name == x.Name {
			cols[i] = at
		}
		for _, k := range f.table.Consts {
			if k.Name == name {
				cols[i] = slices.Repeat([]float64{k.Value}, len(at))
			}
		}
	}
	if b, err := l.Bands(cols, len(at), bandLevel); err == nil {
		m.Confidence, m.Prediction = b.Confidence, b.Prediction
	}
	return m
}

// curveCaption returns the caption of the plot that the method measured returns.
func (f finding) curveCaption() string {
	text := "Measurements, and the law as a line"
	if f.table.Sigma != nil {
		text = "Measurements with their standard errors, and the law as a line"
	}
	if k := len(f.result.Best.Params()); k > 0 && len(f.result.Best.Cov) == k*k {
		text += fmt.Sprintf(" with its %g %% confidence band; between the dashed lines is the prediction band", 100*bandLevel)
	}
	return text + "."
}

// inputs lists the columns and constants with their ranges.
func (f finding) inputs() []pageInput {
	var out []pageInput
	add := func(c dataset.Column, role string) {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range c.Values {
			low, high = math.Min(low, v), math.Max(high, v)
		}
		u := "unknown"
		if c.HasUnit {
			u = c.Unit.String()
		}
		out = append(out, pageInput{c.Name, role, u, significant(low, 6), significant(high, 6)})
	}
	add(f.table.Target, "target")
	for _, v := range f.table.Vars {
		add(v, "column")
	}
	for _, k := range f.table.Consts {
		u := "unknown"
		if k.HasUnit {
			u = k.Unit.Name
		}
		v := significant(k.Value, 12)
		out = append(out, pageInput{k.Name, "constant", u, v, v})
	}
	return out
}

// timeLimit returns the time limit of a run as text.
func timeLimit(s discover.Settings) string {
	switch {
	case s.Time < 0:
		return "none"
	case s.Time == 0:
		return fmt.Sprintf("%g s", discover.DefaultTime.Seconds())
	case s.Time == atOnce:
		return "0 s"
	}
	return s.Time.Round(100 * time.Millisecond).String()
}

// inForce returns the names and values of the settings that the run used.
func (f finding) inForce() [][2]string {
	c, s := f.options, f.settings
	orElse := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	out := [][2]string{
		{"time", timeLimit(s)}, {"noise", orElse(c.Noise, "auto")}, {"operators", orElse(strings.Join(s.Ops, " "), "the usual ones")},
		{"units", map[bool]string{true: "not used", false: "used where known"}[s.NoUnits]}, {"seed", fmt.Sprint(s.Seed)},
	}
	if s.Evaluations > 0 {
		out = append(out, [2]string{"candidate laws", "at most " + grouped(s.Evaluations)})
	}
	if s.MaxComplexity > 0 {
		out = append(out, [2]string{"complexity", "at most " + significant(s.MaxComplexity, 6)})
	}
	if c.Resume != "" {
		out = append(out, [2]string{"resumed from", c.Resume})
	}
	return append(out, [2]string{"candidates evaluated", grouped(f.result.Evaluations)},
		[2]string{"took", f.result.Elapsed.Round(time.Millisecond).String()}, [2]string{"stopped by", orElse(string(f.result.Stopped), "–")})
}
