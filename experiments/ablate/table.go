package ablate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/lock"
)

// Columns of the tables. The table of results has a row for each number of a run, and the summary
// has a row for each value. The table of adaptation has a row for each run. This row counts the
// laws whose form is among the candidates: those of the plain system (before), those of the plain
// system with twice as many candidates (twice), and those of the adapted system (after). The counts
// of laws that a candidate fits are named in the same way.
var (
	header        = []string{"ablation", "kind", "preset", "cell", "value", "baseline", "seed", "metric", "score", "unit", "budget", "run", "command"}
	summaryHeader = []string{"ablation", "kind", "cell", "value", "baseline", "metric", "runs", "mean", "spread", "difference", "standard_error", "unit", "verdict"}
	adaptHeader   = []string{"ablation", "preset", "cell", "value", "seed", "rank", "steps", "laws", "before", "twice", "after",
		"fitted_before", "fitted_twice", "fitted_after", "seconds", "run", "command"}
	adaptCounts = map[string]string{"before": "found", "twice": "twice_found", "after": "adapted_found",
		"fitted_before": "fitted", "fitted_twice": "twice_fitted", "fitted_after": "adapted_fitted"} // columns and their metrics
)

// columns returns the columns of the table of results of f.
func (f *File) columns() []string {
	if f.Kind == "adapt" {
		return adaptHeader
	}
	return header
}

// findings holds the known results of the runs of an ablation.
type findings struct {
	results map[*Run]*Result
	// earlier holds the lines of an existing summary, by cell and value. They contain comparisons
	// of single laws, which cannot be repeated from the means in a table.
	earlier map[string]line
}

// rows returns the rows of the table for finished runs, one for each number.
func (f *File) rows(runs []*Run, done map[*Run]*Result) (rows [][]string) {
	for _, r := range runs {
		result := done[r]
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

func (f *File) adaptRows(runs []*Run, done map[*Run]*Result) (rows [][]string) {
	written := map[*Result]bool{}
	for _, r := range runs {
		result := done[r]
		if result == nil || written[result] { // a run that several cells share has one row
			continue
		}
		written[result] = true
		m := result.Metrics
		row := []string{f.Name, r.Preset, r.Cell, r.Value, fmt.Sprint(r.Seed), number(m["rank"]), number(m["steps"]), number(m["laws"])}
		for _, column := range adaptHeader[len(row) : len(row)+len(adaptCounts)] {
			row = append(row, number(m[adaptCounts[column]]*m["laws"]))
		}
		rows = append(rows, append(row, number(m["seconds"]), result.Name, result.Command))
	}
	return rows
}

// number formats a cell of a table, empty if x is NaN.
func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.5g", x)
}

// parsed parses a cell that number formatted.
func parsed(text string) float64 {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return math.NaN()
}

// save updates the rows of f in the table at path, and the summary next to it. It keeps rows of
// other ablations and of runs that are not in done, as in the table of a clone. It returns both the
// results and the earlier summary.
func (f *File) save(path string, runs []*Run, done map[string]*Result) (findings, error) {
	var found findings
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return found, err
	}
	// Other jobs may change the tables of this folder too.
	unlock, err := lock.Wait(filepath.Join(dir, ".physlib-lock"), time.Minute)
	if err != nil {
		return found, err
	}
	defer unlock()
	columns := f.columns()
	old, err := read(path, columns)
	if err != nil {
		return found, err
	}
	found.results = f.with(done, old, runs)
	if f.Kind == "adapt" {
		return found, f.replace(path, columns, old, f.adaptRows(runs, found.results))
	}
	if err := f.replace(path, columns, old, f.rows(runs, found.results)); err != nil {
		return found, err
	}
	path = strings.TrimSuffix(path, ".csv") + "-summary.csv"
	if old, err = read(path, summaryHeader); err != nil {
		return found, err
	}
	found.earlier = map[string]line{}
	for _, row := range old {
		if c := named(summaryHeader, row); c["ablation"] == f.Name {
			n, _ := strconv.Atoi(c["runs"]) // 0 after an error, a number of runs that no line has
			found.earlier[c["cell"]+"="+c["value"]] = line{cell: c["cell"], value: c["value"], baseline: c["baseline"], metric: metric{name: c["metric"], unit: c["unit"]}, n: n,
				mean: parsed(c["mean"]), spread: parsed(c["spread"]), difference: parsed(c["difference"]), se: parsed(c["standard_error"]), verdict: c["verdict"]}
		}
	}
	var rows [][]string
	for _, l := range f.summary(runs, found) {
		rows = append(rows, []string{f.Name, f.Kind, l.cell, l.value, l.baseline, l.metric.name, fmt.Sprint(l.n), number(l.mean), number(l.spread),
			number(l.difference), number(l.se), l.metric.unit, l.verdict})
	}
	return found, f.replace(path, summaryHeader, old, rows)
}

// with returns the results of runs. The first of three sources is used: done, by hash; rows of a
// table with the same cell, value, seed and budget; another run with the same computation.
func (f *File) with(done map[string]*Result, rows [][]string, runs []*Run) map[*Run]*Result {
	columns := f.columns()
	byName := map[string]*Result{} // by the name of the run
	for _, row := range rows {
		c := named(columns, row)
		if c["ablation"] != f.Name {
			continue
		}
		key := c["cell"] + "=" + c["value"] + "-s" + c["seed"]
		if byName[key] == nil {
			byName[key] = &Result{Name: c["run"], Command: c["command"], Budget: c["budget"], Metrics: map[string]float64{}}
		}
		m := byName[key].Metrics
		if f.Kind != "adapt" {
			m[c["metric"]] = parsed(c["score"])
			continue
		}
		for _, column := range []string{"rank", "steps", "laws", "seconds"} {
			m[column] = parsed(c[column])
		}
		for column, metric := range adaptCounts {
			m[metric] = parsed(c[column]) / m["laws"]
		}
	}
	same := func(t *Result, r *Run) bool {
		if f.Kind == "adapt" {
			return t.Metrics["laws"] == float64(r.Score.Laws)
		}
		return t.Budget == r.budget()
	}
	all, twins := map[*Run]*Result{}, map[string]*Result{}
	for _, r := range runs {
		if t := byName[r.Name()]; t != nil && same(t, r) {
			all[r] = t
			twins[r.Hash()+r.Score.Choose] = t
		}
	}
	for _, r := range runs {
		if result := done[r.Hash()]; result != nil {
			all[r] = result
		} else if t := twins[r.Hash()+r.Score.Choose]; all[r] == nil && t != nil {
			all[r] = t
		}
	}
	return all
}

// named returns the cells of a row by column.
func named(columns, row []string) map[string]string {
	cells := map[string]string{}
	for i, name := range columns {
		cells[name] = row[i]
	}
	return cells
}

// read returns the rows of the table at path without the header, none if the file does not exist.
func read(path string, header []string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], header) {
		return nil, fmt.Errorf("%s is another table; name another file with --out", path)
	}
	return rows[1:], nil
}

// replace writes a table in which the rows of f, named in the first cell, are replaced.
func (f *File) replace(path string, header []string, old, rows [][]string) error {
	all := [][]string{header}
	for _, row := range old {
		if row[0] != f.Name {
			all = append(all, row)
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(append(all, rows...)); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}
