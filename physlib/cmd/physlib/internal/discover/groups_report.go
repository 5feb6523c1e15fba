package discover

import (
	"fmt"
	"html/template"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

// report writes the page of one law for several groups.
func (f grouping) report(path string) error {
	p, err := f.page()
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return writePage(path, "report.html", p)
}

func (f grouping) page() (page, error) {
	whole := finding{table: f.table, result: &discover.Result{Evaluations: f.result.Evaluations, Elapsed: f.result.Elapsed, Stopped: f.result.Stopped},
		settings: f.settings, options: f.options}
	p := page{Table: f.table.Name, Question: f.question(), Target: f.table.Target.Name, Verdict: f.result.Verdict, Warnings: f.decisions(),
		Inputs: whole.inputs(), Settings: whole.inForce(), Version: version.String(), Began: f.began.Format("2006-01-02 15:04:05 MST"),
		UnitsUsed: whole.unitsUsed()}
	if f.none() {
		return p, nil
	}
	best := f.result.Best.Form
	p.Law, p.Text, p.LaTeX, p.SymPy = mathML(best, chosenDigits), plain(best, chosenDigits), latex(best), best.SymPy()
	p.R2, p.RMSE = law.FormatR2(f.result.R2), inUnit(significant(f.result.RMSE, 3), f.table.Target.UnitName())
	p.Complexity, p.UnitsOK = fixed(best.Complexity, 1), best.UnitsOK
	for slot, shared := range f.result.Best.Shared {
		for g, l := range f.result.Best.Groups {
			k := l.Constants[slot]
			if shared {
				p.Constants = append(p.Constants, pageConstant{k.Name + " of all", estimate(k), unitOr1(k.Unit), ""})
				break
			}
			p.Constants = append(p.Constants, pageConstant{k.Name + " of " + f.groups.Names[g], estimate(k), unitOr1(k.Unit), ""})
		}
	}
	var err error
	p.Figures, err = f.figures()
	return p, err
}

// mostPictures is the largest number of groups for which plots are drawn.
const mostPictures = 12

// figures returns a plot of each group.
func (f grouping) figures() ([]pageFigure, error) {
	target := f.table.Target.Label()
	o := figure.Options{Width: 13, Height: 9, Text: 10}
	var out []pageFigure
	for g, rows := range f.groups.Rows() {
		if g == mostPictures {
			break
		}
		l, part := f.result.Best.Groups[g], f.table.Subset(rows[:min(len(rows), shownRows)])
		picture := figure.Fit(part.Target.Values, discover.Predict(l, part), target)
		caption := "Prediction against measurement in group " + f.groups.Names[g] + "; on the dashed line they agree."
		if x, at, value, ok := discover.Curve(l, part); ok {
			picture = figure.Curve(x.Values, part.Target.Values, at, value, x.Label(), target)
			caption = "Group " + f.groups.Names[g] + ": " + plain(l, 6)
		}
		svg, err := picture.Draw(o)
		if err != nil {
			return nil, err
		}
		out = append(out, pageFigure{SVG: template.HTML(figure.Themed(svg)), Caption: caption, Alt: caption, ID: fmt.Sprint("group", g)})
	}
	return out, nil
}
