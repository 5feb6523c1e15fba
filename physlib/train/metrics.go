package train

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// window holds the sums for the next row of metrics.csv. It is part of the checkpoint, so that a
// resumed run writes the same rows as an uninterrupted one.
type window struct {
	Steps   int64     `json:"steps"`
	Loss    float64   `json:"loss"`
	Norm    float64   `json:"norm"`
	Metrics []float64 `json:"metrics"`
}

func (w *window) add(o outcome) {
	w.Steps++
	w.Loss += o.loss
	w.Norm += o.norm
	w.Metrics = slices.Concat(w.Metrics, make([]float64, len(o.metrics)-len(w.Metrics)))
	for i, m := range o.metrics {
		w.Metrics[i] += m
	}
}

// means returns the means of loss, norm and metrics over the steps.
func (w window) means() []float64 {
	all := append([]float64{w.Loss, w.Norm}, w.Metrics...)
	for i := range all {
		all[i] /= float64(max(w.Steps, 1))
	}
	return all
}

// table is a CSV file whose rows begin with a step.
type table struct {
	path   string
	header []string
	file   *os.File
}

// openTable opens the file for rows after step. It drops rows of later steps, which a killed
// process may have left.
func openTable(path string, header []string, step int64) (*table, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	t := &table{path: path, header: header}
	kept := int64(0)
	if len(data) > 0 && step > 0 {
		first, _, _ := strings.Cut(string(data), "\n")
		if have := strings.Split(first, ","); !slices.Equal(have, header) {
			return nil, fmt.Errorf("%s has the columns %q, this run writes %q; move it away", path, first, strings.Join(header, ","))
		}
		kept = rowsUntil(data, step)
	}
	if t.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := t.file.Truncate(kept); err != nil {
		return nil, err
	}
	if _, err := t.file.Seek(kept, io.SeekStart); err != nil {
		return nil, err
	}
	if kept == 0 {
		return t, t.write(header)
	}
	return t, nil
}

// rowsUntil returns the number of bytes of data up to the last complete row whose step is at most
// step.
func rowsUntil(data []byte, step int64) (kept int64) {
	for line := range bytes.Lines(data) {
		cell, _, _ := bytes.Cut(line, []byte(","))
		if n, err := strconv.ParseInt(string(cell), 10, 64); kept > 0 && (err != nil || n > step) || !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		kept += int64(len(line))
	}
	return kept
}

func (t *table) write(cells []string) error {
	var row bytes.Buffer
	w := csv.NewWriter(&row)
	w.Write(cells)
	w.Flush()
	if _, err := t.file.Write(row.Bytes()); err != nil {
		return fmt.Errorf("a row was not written: %w", err)
	}
	return nil
}

// row appends a row with a step and numbers.
func (t *table) row(step int64, numbers ...float64) error {
	cells := []string{strconv.FormatInt(step, 10)}
	for _, x := range numbers {
		cells = append(cells, strconv.FormatFloat(x, 'g', 7, 64))
	}
	return t.write(cells)
}

func (t *table) close() error {
	if t == nil {
		return nil
	}
	return errors.Join(t.file.Sync(), t.file.Close())
}

// validationName is the name of the file with validation results in a run's folder.
const validationName = "validation.csv"

// validation appends the results of a validation to its file. The file has a column for each result
// that occurred in any validation of the run.
func validation(path string, step int64, seconds float64, results map[string]float64) error {
	names, err := widen(path, slices.Sorted(maps.Keys(results)))
	if err != nil {
		return err
	}
	t, err := openTable(path, append([]string{"step", "seconds"}, names...), step-1)
	if err != nil {
		return err
	}
	row := []float64{seconds}
	for _, name := range names {
		x, ok := results[name]
		if !ok {
			x = math.NaN()
		}
		row = append(row, x)
	}
	return errors.Join(t.row(step, row...), t.close())
}

// widen adds missing columns to a file of validations, with NaN in its rows. It returns the names
// of all columns after step and seconds.
func widen(path string, names []string) ([]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return names, nil
	} else if err != nil {
		return nil, err
	}
	header, rows, _ := strings.Cut(string(data), "\n")
	have := strings.Split(header, ",")
	missing := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(have, n) })
	if len(have) < 2 || have[0] != "step" || have[1] != "seconds" {
		return nil, fmt.Errorf("%s begins with %q and is not a file of validations; move it away", path, header)
	}
	if len(missing) == 0 {
		return have[2:], nil
	}
	have = append(have, missing...)
	wide := strings.Join(have, ",") + "\n"
	for line := range strings.Lines(rows) {
		if row, whole := strings.CutSuffix(line, "\n"); whole {
			wide += row + strings.Repeat(",NaN", len(missing)) + "\n"
		}
	}
	return have[2:], folder{path: filepath.Dir(path)}.write(path, bytesOf([]byte(wide)))
}
