package ablate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/physlib/lab/physlib/lock"
)

// header of the file of results.
var header = []string{"ablation", "kind", "preset", "cell", "value", "baseline", "seed", "metric", "score", "unit", "budget", "run", "command"}

// rows are the finished runs, a row for each number.
func (f *File) rows(runs []*Run, done map[string]*Result) (rows [][]string) {
	for _, r := range runs {
		result := done[r.Hash()]
		if result == nil {
			continue
		}
		for _, m := range metricsOf[f.Kind] {
			if x, ok := m.of(r, result); ok {
				rows = append(rows, []string{f.Name, f.Kind, r.Preset, r.Cell, r.Value, r.Baseline, fmt.Sprint(r.Seed), m.name, number(x), m.unit,
					result.Budget, result.Name, result.Command})
			}
		}
	}
	return rows
}

// adaptHeader is that of adaptation, which has a row for each run: of so many laws, those whose form was found among the candidates of
// the system as it is, with as many more, and of the adapted system instead of those; likewise those that were fitted.
var adaptHeader = []string{"ablation", "preset", "cell", "value", "seed", "rank", "steps", "laws", "before", "twice", "after",
	"fitted_before", "fitted_twice", "fitted_after", "seconds", "run", "command"}

func (f *File) adaptRows(runs []*Run, done map[string]*Result) (rows [][]string) {
	written := map[*Result]bool{}
	for _, r := range runs {
		result := done[r.Hash()]
		if result == nil || written[result] { // a baseline of several cells has one row
			continue
		}
		written[result] = true
		m := result.Metrics
		row := []string{f.Name, r.Preset, r.Cell, r.Value, fmt.Sprint(r.Seed), number(m["rank"]), number(m["steps"]), number(m["laws"])}
		for _, name := range []string{"found", "twice_found", "adapted_found", "fitted", "twice_fitted", "adapted_fitted"} {
			row = append(row, number(m[name]*m["laws"]))
		}
		rows = append(rows, append(row, number(m["seconds"]), result.Name, result.Command))
	}
	return rows
}

// number is a cell of a table, empty where x is not known.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.5g", x)
}

// save writes the rows of f into the table at path, whose rows of other ablations stay, and the summary beside it.
func (f *File) save(path string, runs []*Run, done map[string]*Result) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := lock.Wait(filepath.Join(dir, ".physlib-lock"), time.Minute) // other jobs change the tables of this folder too
	if err != nil {
		return err
	}
	defer unlock()
	if f.Kind == "adapt" {
		return f.replace(path, adaptHeader, f.adaptRows(runs, done))
	}
	if err := f.replace(path, header, f.rows(runs, done)); err != nil {
		return err
	}
	var rows [][]string
	for _, l := range f.summary(runs, done) {
		rows = append(rows, []string{f.Name, f.Kind, l.cell, l.value, l.baseline, l.metric.name, fmt.Sprint(l.n), number(l.mean), number(l.spread),
			number(l.difference), number(l.se), l.metric.unit, l.verdict})
	}
	return f.replace(strings.TrimSuffix(path, ".csv")+"-summary.csv",
		[]string{"ablation", "kind", "cell", "value", "baseline", "metric", "runs", "mean", "spread", "difference", "standard_error", "unit", "verdict"}, rows)
}

// replace exchanges the rows of f, by their first cell, in a table.
func (f *File) replace(path string, header []string, rows [][]string) error {
	all := [][]string{header}
	if data, err := os.ReadFile(path); err == nil {
		old, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil || len(old) > 0 && !slices.Equal(old[0], header) {
			return fmt.Errorf("%s is another table; name another file with --out", path)
		}
		for _, row := range old[min(1, len(old)):] {
			if row[0] != f.Name {
				all = append(all, row)
			}
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(append(all, rows...)); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}

// line is a value of a cell over all of its seeds, beside the baseline.
type line struct {
	cell, value, baseline string
	metric                metric
	n                     int
	mean, spread          float64 // over seeds; the spread is the standard deviation, NaN of one
	difference, se        float64 // to the baseline, and the standard error of that; NaN where it is not known
	verdict               string
}

// summary compares each value with its baseline by the metric of its cell. Where a metric is a mean over laws, the same laws are
// compared pair by pair over all seeds that both have. Otherwise the standard error is that of two means whose runs vary as those
// of most values do, see varies.
func (f *File) summary(runs []*Run, done map[string]*Result) (lines []line) {
	type group struct {
		run  *Run
		by   map[int64]*Result
		seen []float64
	}
	var groups []*group
	index := map[string]*group{}
	for _, r := range runs {
		result := done[r.Hash()]
		if result == nil {
			continue
		}
		key := r.Cell + "=" + r.Value
		g := index[key]
		if g == nil {
			g = &group{run: r, by: map[int64]*Result{}}
			index[key] = g
			groups = append(groups, g)
		}
		g.by[r.Seed] = result
		if x, ok := r.metric().of(r, result); ok {
			g.seen = append(g.seen, x)
		}
	}
	samples := map[string][][]float64{} // of each metric; a run that serves several cells counts once
	counted := map[string]bool{}
	for _, g := range groups {
		if key := g.run.Metric + g.run.Hash(); len(g.seen) > 1 && !counted[key] {
			counted[key] = true
			samples[g.run.Metric] = append(samples[g.run.Metric], g.seen)
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int { // cells in the order of the file, values in theirs
		place := func(g *group) int {
			return slices.IndexFunc(runs, func(r *Run) bool { return r.Cell == g.run.Cell && r.Value == g.run.Value })
		}
		return place(a) - place(b)
	})
	for _, g := range groups {
		if len(g.seen) == 0 {
			continue
		}
		r := g.run
		l := line{cell: r.Cell, value: r.Value, baseline: r.Baseline, metric: r.metric(), n: len(g.seen), difference: math.NaN(), se: math.NaN()}
		l.mean, l.spread = stat.MeanStdDev(g.seen, nil)
		base := index[r.Cell+"="+r.Baseline]
		switch {
		case r.Value == r.Baseline:
			l.verdict = "baseline"
		case base == nil || len(base.seen) == 0:
			l.verdict = "the baseline is not done"
		case l.metric.law != nil:
			l.difference, l.se = paired(l.metric, r, base.run, g.by, base.by)
		default:
			l.difference = l.mean - stat.Mean(base.seen, nil)
			if variance := varies(samples[r.Metric]); variance > 0 {
				l.se = math.Sqrt(ownOr(variance, g.seen)/float64(len(g.seen)) + ownOr(variance, base.seen)/float64(len(base.seen)))
			}
		}
		if l.verdict == "" {
			l.verdict = verdict(l)
		}
		lines = append(lines, l)
	}
	return lines
}

// varies is the variance between seeds that most values have in common: the median of what each of the samples says of it, so that one value whose
// runs differ wildly does not hide all other differences. NaN of none.
func varies(samples [][]float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	var each []float64
	for _, s := range samples {
		freedom := float64(len(s) - 1)
		each = append(each, stat.Variance(s, nil)/math.Pow(1-2/(9*freedom), 3)) // the median of χ² over its mean (Wilson and Hilferty)
	}
	slices.Sort(each)
	return (each[(len(each)-1)/2] + each[len(each)/2]) / 2
}

// ownOr is the variance of a sample where that is beyond what the common one explains (p < 0.002 for two runs), and otherwise the common one.
func ownOr(common float64, sample []float64) float64 {
	if len(sample) > 1 {
		if own := stat.Variance(sample, nil); own > 10*common {
			return own
		}
	}
	return common
}

func (r *Run) metric() metric {
	all := metricsOf[r.Kind]
	return all[slices.IndexFunc(all, func(m metric) bool { return m.name == r.Metric })]
}

// paired is the mean difference over the laws that both have, and its standard error.
func paired(m metric, r, base *Run, a, b map[int64]*Result) (mean, se float64) {
	var all []float64
	for seed, x := range a {
		y := b[seed]
		if y == nil {
			continue
		}
		of := map[string]Outcome{}
		for _, o := range y.Laws {
			of[o.ID] = o
		}
		for _, o := range x.Laws {
			if p, ok := of[o.ID]; ok {
				all = append(all, m.law(o, r)-m.law(p, base))
			}
		}
	}
	if len(all) < 2 {
		return math.NaN(), math.NaN()
	}
	mean, sd := stat.MeanStdDev(all, nil)
	return mean, sd / math.Sqrt(float64(len(all)))
}

// verdict is better or worse where the difference is more than two standard errors.
func verdict(l line) string {
	switch {
	case math.IsNaN(l.se) || math.IsNaN(l.difference):
		return "too few runs to tell"
	case l.difference == 0 || math.Abs(l.difference) < 2*l.se:
		return "no difference seen"
	case l.difference > 0 == l.metric.higher:
		return "better"
	}
	return "worse"
}

// print writes the summary for people.
func print(w io.Writer, lines []line) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	cell := ""
	for _, l := range lines {
		if l.cell != cell {
			cell = l.cell
			fmt.Fprintf(t, "%s\t%s, %s\n", cell, l.metric.name, l.metric.unit)
		}
		mean := fmt.Sprintf("%.4g", l.mean)
		if !math.IsNaN(l.spread) {
			mean += fmt.Sprintf(" ± %.2g", l.spread)
		}
		difference := ""
		if !math.IsNaN(l.difference) {
			difference = fmt.Sprintf("%+.3g", l.difference)
			if !math.IsNaN(l.se) {
				difference += fmt.Sprintf(" ± %.2g", l.se)
			}
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", l.value, mean, difference, l.verdict)
	}
	t.Flush()
}
