package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/figure"
)

// ablated holds the runs of one value of one cell in a table of `physlib ablate`, over all seeds.
type ablated struct {
	ablation, preset, cell, value string
	metrics                       map[string][]float64
	laws                          int // number of laws scored per run; 0: unknown
}

// ablated reads a table of `physlib ablate`.
func (s *source) ablated(file string) ([]ablated, error) {
	t, err := s.table(file, "ablation", "preset", "cell", "value", "metric", "score", "budget")
	if err != nil {
		return nil, err
	}
	var all []ablated
	for i := range t.rows {
		v, err := t.numbers(i, "score")
		if err != nil {
			return nil, err
		}
		a := ablated{ablation: t.text(i, "ablation"), preset: t.text(i, "preset"), cell: t.text(i, "cell"), value: t.text(i, "value")}
		at := slices.IndexFunc(all, func(b ablated) bool {
			return a.ablation == b.ablation && a.preset == b.preset && a.cell == b.cell && a.value == b.value
		})
		if at < 0 {
			// A budget begins with the number of laws, as in "60 heldout laws, 64 rows".
			first, _, _ := strings.Cut(t.text(i, "budget"), " ")
			a.laws, _ = strconv.Atoi(first)
			a.metrics = map[string][]float64{}
			at, all = len(all), append(all, a)
		}
		metric := t.text(i, "metric")
		all[at].metrics[metric] = append(all[at].metrics[metric], v[0])
		if metric == "laws" {
			all[at].laws = int(v[0])
		}
	}
	return all, nil
}

// share returns a metric that is a share of laws, computed from the laws of all seeds together.
func (a ablated) share(name, metric string) (e figure.Estimate, ok bool) {
	scores := a.metrics[metric]
	if len(scores) == 0 || a.laws == 0 {
		return e, false
	}
	found := 0
	for _, x := range scores {
		found += int(math.Round(x * float64(a.laws)))
	}
	return figure.Share(name, found, a.laws*len(scores)), true
}

// mean returns the mean of a metric over seeds, or NaN if there are no values.
func (a ablated) mean(metric string) float64 {
	sum := 0.0
	for _, x := range a.metrics[metric] {
		sum += x
	}
	return sum / float64(len(a.metrics[metric]))
}

var systems = drawing{
	name:    "systems",
	caption: "The trained systems side by side on the same laws, by what is counted; 95 % intervals.",
	command: "physlib ablate experiments/configs/systems.yaml --out experiments/results/systems.csv",
	draw: func(s *source) (figure.Picture, error) {
		all, err := s.ablated("systems.csv")
		if err != nil {
			return figure.Picture{}, err
		}
		var rows []figure.Estimate
		var cells []string
		for _, a := range all {
			if !slices.Contains(cells, a.cell) {
				cells = append(cells, a.cell)
			}
		}
		for _, cell := range cells {
			for _, m := range []struct{ metric, text string }{{"among", "form among the candidates"}, {"chosen", "form chosen"}, {"r2>0.999", "a candidate with R² > 0.999"}} {
				for _, a := range all {
					if a.cell != cell {
						continue
					}
					if e, ok := a.share(a.value, m.metric); ok {
						e.Group = cell + ": " + m.text
						rows = append(rows, e)
					}
				}
			}
		}
		if len(rows) == 0 {
			return figure.Picture{}, missing{"share of laws in systems.csv"}
		}
		return figure.Bars(rows, figure.Axis{Label: "laws [%]", Low: 0, High: 100}).Sized(12, 0), nil
	},
}

var adaptation = drawing{
	name:    "adaptation",
	caption: "Test-time adaptation: laws whose form is found before it, after it with as many more candidates, and without it with as many more. Lines: 95 % intervals.",
	command: "physlib ablate experiments/configs/tta.yaml --out experiments/results/tta.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("tta.csv", "cell", "value", "laws", "before", "twice", "after")
		if err != nil {
			return figure.Picture{}, err
		}
		var rows []figure.Estimate
		for i := range t.rows {
			n, err := t.numbers(i, "laws")
			if err != nil {
				return figure.Picture{}, err
			}
			for hue, m := range []struct{ column, text string }{{"before", "before"}, {"after", "adapted"}, {"twice", "more candidates, not adapted"}} {
				found, err := t.numbers(i, m.column)
				if err != nil {
					return figure.Picture{}, err
				}
				e := figure.Share(m.text, int(found[0]), int(n[0]))
				e.Group, e.Hue = t.text(i, "cell")+" "+t.text(i, "value"), hue+1
				rows = append(rows, e)
			}
		}
		if len(rows) == 0 {
			return figure.Picture{}, missing{"rows in tta.csv"}
		}
		return figure.Bars(rows, figure.Axis{Label: "laws found [%]", Low: 0, High: 100}).Sized(12, 0), nil
	},
}

// refined is the share of laws recovered with a number of refinement steps.
type refined struct {
	steps, seconds float64
	share          figure.Estimate
}

// refined reads the recovery of each system by number of refinement steps, from a separate table or
// from the cell "steps" of the ablations. timed reports whether all values have processor times.
func (s *source) refined() (by map[string][]refined, timed bool, err error) {
	by, timed = map[string][]refined{}, true
	t, err := s.table("refinement-steps.csv", "preset", "steps", "recovered", "laws")
	if _, none := err.(missing); none {
		all, err := s.ablated("ablations.csv")
		if err != nil {
			return nil, false, missing{"refinement-steps.csv"}
		}
		for _, a := range all {
			steps, err := strconv.ParseFloat(a.value, 64)
			e, ok := a.share("", "among")
			if err != nil || !ok || a.cell != "steps" {
				continue
			}
			seconds := a.mean("cpu_seconds")
			timed = timed && seconds > 0
			by[a.preset] = append(by[a.preset], refined{steps, seconds, e})
		}
	} else if err != nil {
		return nil, false, err
	}
	for i := range t.rows {
		v, err := t.numbers(i, "steps", "recovered", "laws")
		if err != nil {
			return nil, false, err
		}
		name := t.text(i, "preset")
		if samples := t.text(i, "samples"); samples != "" {
			name += ", " + samples + " samples"
		}
		seconds, ok, err := t.number(i, "seconds")
		if err != nil {
			return nil, false, err
		}
		timed = timed && ok
		by[name] = append(by[name], refined{v[0], seconds, figure.Share("", int(v[1]), int(v[2]))})
	}
	if len(by) == 0 {
		return nil, false, missing{"refinement-steps.csv"}
	}
	for _, points := range by {
		slices.SortFunc(points, func(a, b refined) int { return cmp.Compare(a.steps, b.steps) })
	}
	return by, timed, nil
}

var refinementSteps = drawing{
	name:    "refinement-steps",
	caption: "Laws whose form is found against the number of refinement steps, with 95 % intervals, and against the processor time they take.",
	command: "physlib ablate experiments/configs/ablations-infer.yaml --only steps",
	draw: func(s *source) (figure.Picture, error) {
		by, timed, err := s.refined()
		if err != nil {
			return figure.Picture{}, err
		}
		most := 1.0
		var steps, seconds []figure.Series
		for _, name := range sortedKeys(by) {
			a, b := figure.Series{Name: name, Dots: true}, figure.Series{Name: name, Dots: true}
			for _, p := range by[name] {
				most = max(most, p.steps)
				a.X, a.Y = append(a.X, p.steps), append(a.Y, p.share.Value)
				a.Low, a.High = append(a.Low, p.share.Low), append(a.High, p.share.High)
				b.X, b.Y = append(b.X, p.seconds), append(b.Y, p.share.Value)
				b.Notes = append(b.Notes, fmt.Sprintf("%g steps", p.steps))
			}
			steps, seconds = append(steps, a), append(seconds, b)
		}
		y := figure.Axis{Label: "laws whose form is found [%]", Low: 0, High: 102}
		panel := figure.Lines(steps, powersOfTwo("refinement steps", int(most)), y)
		if !timed {
			return panel, nil
		}
		return figure.Beside(panel.Sized(figure.Page/2, 7), figure.Lines(seconds, figure.Axis{Label: "processor time of a law [s]", Log: true}, y).Sized(figure.Page/2, 7)), nil
	},
}
