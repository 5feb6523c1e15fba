package figures

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/spelling"
)

// errTwice returns the error of two figures with the same name.
func errTwice(name string) error {
	return fmt.Errorf("two figures are called %s: rename one of the results", name)
}

var learning = drawing{
	name:    "learning",
	caption: "Learning curves of all kept training runs: cross-entropy of masked tokens in training (left) and on held-out laws (right).",
	command: "physlib train --preset physdiffuse-small --time 97m --out runs/first",
	draw: func(s *source) (figure.Picture, error) {
		files, err := s.find("train-*.csv")
		if err != nil {
			return figure.Picture{}, err
		}
		var training, held []figure.Series
		hue := 0
		for _, f := range files {
			if strings.HasSuffix(f, "-validation.csv") {
				continue
			}
			hue++
			line, validation, err := s.curve(f)
			if err != nil {
				return figure.Picture{}, err
			}
			line.Name, line.Hue = stem(f), hue
			training = append(training, line)
			if validation.X != nil {
				validation.Name, validation.Hue = stem(f), hue
				held = append(held, validation)
			}
		}
		x := figure.Axis{Label: "updates", Log: true}
		panels := []figure.Picture{figure.Lines(training, x, figure.Axis{Label: "loss in training [nat]"}).Sized(figure.Page/2, 7)}
		if held != nil {
			panels = append(panels, figure.Lines(held, x, figure.Axis{Label: "loss on held-out laws [nat]"}).Sized(figure.Page/2, 7))
		}
		return figure.Beside(panels...), nil
	},
}

// trained returns the command that trained a run. It reads the file train-NAME.json next to the
// learning curve. Without that file, the command has no time limit.
func trained(results, name string) string {
	var record struct {
		Task     string `json:"task"`
		Settings struct {
			Time  string `json:"time"`
			Clock string `json:"clock"`
		} `json:"settings"`
	}
	limit := "TIME"
	data, err := os.ReadFile(filepath.Join(results, "train-"+name+".json"))
	if err == nil && json.Unmarshal(data, &record) == nil {
		if d, err := time.ParseDuration(record.Settings.Time); err == nil {
			limit = fmt.Sprintf("%.0fm", d.Minutes())
		}
	}
	if record.Settings.Clock == "cpu" {
		limit += " --clock cpu"
	}
	return "physlib train --preset " + cmp.Or(record.Task, name) + " --time " + limit + " --out runs/" + name
}

// learningOf returns the figure of a run's learning curve.
func learningOf(results, file string) drawing {
	name := stem(file)
	return drawing{
		name:    "learning-" + name,
		caption: "Learning curve of " + name + ": cross-entropy of a masked token against updates, in training and on held-out laws.",
		command: trained(results, name),
		draw: func(s *source) (figure.Picture, error) {
			training, held, err := s.curve(file)
			if err != nil {
				return figure.Picture{}, err
			}
			series := []figure.Series{training}
			if held.X != nil {
				held.Name = "held-out laws, averaged weights"
				series = append(series, held)
			}
			return figure.Lines(series, figure.Axis{Label: "updates", Log: true}, figure.Axis{Label: "cross-entropy of a masked token [nat]"}), nil
		},
	}
}

// curve reads the losses of a training run, and its validation losses if there are any. It uses the
// column tokens_loss if the file has it, else loss.
func (s *source) curve(file string) (training, held figure.Series, err error) {
	t, err := s.table(file, "step")
	if err != nil {
		return training, held, err
	}
	column := "tokens_loss"
	if !slices.Contains(t.header, column) {
		column = "loss"
	}
	training = figure.Series{Name: "training"}
	if training.X, training.Y, err = t.pairs("step", column); err != nil {
		return training, held, err
	}
	v, err := s.table(strings.TrimSuffix(file, ".csv")+"-validation.csv", "step")
	if errors.As(err, &missing{}) {
		return training, held, nil
	} else if err != nil {
		return training, held, err
	}
	if !slices.Contains(v.header, column) {
		column = "loss"
	}
	held.Dots = true
	held.X, held.Y, err = v.pairs("step", column)
	return training, held, err
}

// pairs returns two columns, without rows in which x is empty or y is not a finite number.
func (t table) pairs(x, y string) (xs, ys []float64, err error) {
	for _, c := range []string{x, y} {
		if !slices.Contains(t.header, c) {
			return nil, nil, fmt.Errorf("%s has no column %s; it has %s", t.name, c, strings.Join(t.header, ", "))
		}
	}
	for i := range t.rows {
		a, okA, err := t.number(i, x)
		if err != nil {
			return nil, nil, err
		}
		b, okB, err := t.number(i, y)
		if err != nil {
			return nil, nil, err
		}
		if okA && okB && !math.IsNaN(b) && !math.IsInf(b, 0) {
			xs, ys = append(xs, a), append(ys, b)
		}
	}
	return xs, ys, nil
}

// grades are groups of laws by their number of tokens.
var grades = []struct {
	name      string
	low, high int
}{{"≤ 5 tokens", 1, 5}, {"6–9", 6, 9}, {"10–13", 10, 13}, {"14 and more", 14, 1 << 30}}

// candidates returns the figure of the share of laws whose true form is among the first k
// candidates.
func candidates(file string) drawing {
	name := stem(file)
	return drawing{
		name:    "candidates-" + name,
		caption: "Laws whose form is among the first k candidates of the neural system, by length (" + name + ").",
		command: "physlib bench candidates --suite " + name + " --out experiments/results/raw/candidates-" + name + ".jsonl",
		draw: func(s *source) (figure.Picture, error) {
			b, err := s.read(file)
			if err != nil {
				return figure.Picture{}, err
			}
			records, err := bench.ReadCandidateRows(bytes.NewReader(b), file)
			if err != nil {
				return figure.Picture{}, err
			}
			if len(records) == 0 {
				return figure.Picture{}, missing{file}
			}
			most := 1
			for _, r := range records {
				most = max(most, r.Samples)
			}
			var series []figure.Series
			for g, grade := range grades {
				line := figure.Series{Name: grade.name, Dots: true, Hue: g + 1}
				var ranks []int
				for _, r := range records {
					if r.Tokens >= grade.low && r.Tokens <= grade.high {
						ranks = append(ranks, r.Rank)
					}
				}
				for k := 1; len(ranks) > 0 && k <= most; k *= 2 {
					found := 0
					for _, rank := range ranks {
						if rank > 0 && rank <= k {
							found++
						}
					}
					line.X, line.Y = append(line.X, float64(k)), append(line.Y, 100*float64(found)/float64(len(ranks)))
				}
				line.Name = fmt.Sprintf("%s (%d laws)", grade.name, len(ranks))
				if line.X != nil {
					series = append(series, line)
				}
			}
			return figure.Lines(series, powersOfTwo("candidates", most), figure.Axis{Label: "laws whose form is among them [%]", Low: 0, High: 102}), nil
		},
	}
}

// powersOfTwo returns a logarithmic axis from 1 to n with ticks at powers of two.
func powersOfTwo(label string, n int) figure.Axis {
	a := figure.Axis{Label: label, Log: true}
	for k := 1; k <= n; k *= 2 {
		a.Ticks = append(a.Ticks, figure.Tick{Value: float64(k), Label: strconv.Itoa(k)})
	}
	return a
}

var ablations = drawing{
	name:    "ablations",
	caption: "What each part does: the change against the baseline when one cell of a preset is changed, with 95 % intervals.",
	command: "physlib ablate experiments/configs/ablations-infer.yaml",
	draw: func(s *source) (figure.Picture, error) {
		p, err := s.changes("ablations-summary.csv", "")
		if err != nil {
			return p, err
		}
		_, err = s.table("ablations.csv", "run") // read for the names of its runs
		return p, err
	},
}

// Ablations draws a summary of `physlib ablate`, such as experiments/results/ablations-summary.csv.
// For each ablation and metric it shows the differences to the baselines, with 95 % intervals. kind
// is infer or train; "" means both.
func Ablations(path, kind string) (figure.Picture, error) {
	p, err := (&source{dir: filepath.Dir(path)}).changes(filepath.Base(path), kind)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// changes draws a summary of the ablations of a kind; "" means all.
func (s *source) changes(file, kind string) (figure.Picture, error) {
	t, err := s.table(file, "ablation", "kind", "cell", "value", "baseline", "metric", "runs", "difference", "standard_error", "unit")
	if err != nil {
		return figure.Picture{}, err
	}
	type key struct{ ablation, metric, unit string }
	var order []key
	rows := map[key][]figure.Estimate{}
	for i := range t.rows {
		if t.text(i, "value") == t.text(i, "baseline") || kind != "" && t.text(i, "kind") != kind {
			continue
		}
		d, ok, err := t.number(i, "difference")
		if err != nil {
			return figure.Picture{}, err
		}
		if !ok || math.IsNaN(d) {
			continue
		}
		se, ok, err := t.number(i, "standard_error")
		if err != nil {
			return figure.Picture{}, err
		}
		if !ok || math.IsNaN(se) {
			se = 0
		}
		runs, _, err := t.number(i, "runs")
		if err != nil {
			return figure.Picture{}, err
		}
		k := key{t.text(i, "ablation"), t.text(i, "metric"), t.text(i, "unit")}
		scale := 1.0
		if k.unit == "share of laws" {
			scale = 100
		}
		if rows[k] == nil {
			order = append(order, k)
		}
		e := figure.Estimate{Group: t.text(i, "cell") + ", instead of " + t.text(i, "baseline"), Name: t.text(i, "value"), Value: scale * d,
			Low: scale * (d - 1.96*se), High: scale * (d + 1.96*se), Note: fmt.Sprintf("%s (%s)", signedText(scale*d), spelling.Count(int(runs), "run"))}
		rows[k] = append(rows[k], e)
	}
	if len(order) == 0 {
		return figure.Picture{}, missing{"row with a difference in " + file}
	}
	var panels []figure.Picture
	for _, k := range order {
		unit := k.unit
		if unit == "share of laws" {
			unit = "percentage points"
		}
		panels = append(panels, figure.Forest(rows[k], figure.Axis{Label: "change of " + cmp.Or(metricNames[k.metric], strings.ReplaceAll(k.metric, "_", " ")) + " [" + unit + "]"}, 0).Sized(figure.Page, 0).Titled(k.ablation))
	}
	return figure.Stack(panels...), nil
}

// metricNames describes the metrics of ablations.
var metricNames = map[string]string{"among": "the laws whose form is among the candidates", "chosen": "the laws whose form is chosen",
	"r2>0.999": "the laws with a candidate of R² > 0.999", "tokens_loss": "the loss on held-out laws (less is better)",
	"adapted_found": "the laws found after adaptation"}

// signedText formats a change with its sign.
func signedText(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'g', 3, 64)
	if v < 0 {
		return "−" + s
	}
	return "+" + s
}

var parameters = drawing{
	name:    "parameters",
	caption: "Parameters of the presets as built and as the papers claim.",
	command: "physlib params --csv experiments/results/params.csv",
	draw: func(s *source) (figure.Picture, error) {
		t, err := s.table("params.csv", "preset", "parameters", "claimed")
		if err != nil {
			return figure.Picture{}, err
		}
		var rows []figure.Estimate
		for i := range t.rows {
			built, err := t.numbers(i, "parameters")
			if err != nil {
				return figure.Picture{}, err
			}
			claimed, _, err := t.number(i, "claimed")
			if err != nil {
				return figure.Picture{}, err
			}
			row := figure.Estimate{Name: t.text(i, "preset"), Value: built[0] / 1e6, Other: claimed / 1e6, Note: millions(built[0])}
			if claimed > 0 {
				row.Note += " (" + millions(claimed) + ")"
			}
			rows = append(rows, row)
		}
		slices.SortStableFunc(rows, func(a, b figure.Estimate) int { return cmp.Compare(b.Value, a.Value) })
		return figure.Forest(rows, figure.Axis{Label: "parameters [million], ring and brackets: claimed", Log: true}, math.NaN()).Sized(12, 0), nil
	},
}

func millions(n float64) string {
	if n >= 1e9 {
		return strconv.FormatFloat(n/1e9, 'g', 3, 64) + " G"
	}
	return strconv.FormatFloat(n/1e6, 'g', 3, 64) + " M"
}

// filmOf returns the figure of a film.
func filmOf(file string) drawing {
	name := strings.TrimSuffix(file, ".json")
	return drawing{
		name:    name,
		caption: "A denoiser at work on " + stem(file) + ": its tokens at some steps (framed: new), and the probability of each proposed token at every step.",
		command: "physlib figures --film " + stem(file),
		draw: func(s *source) (figure.Picture, error) {
			b, err := s.read(file)
			if err != nil {
				return figure.Picture{}, err
			}
			film, err := figure.ReadFilm(b)
			if err != nil {
				return figure.Picture{}, fmt.Errorf("%s: %w", file, err)
			}
			s.run(film.System)
			return figure.Stack(figure.Strip(film, 6), figure.Refinement(film)), nil
		},
	}
}
