package gpu

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
)

// CollectCmd is the command line of `physlib gpu collect`.
type CollectCmd struct {
	From []string `arg:"" placeholder:"DIR" help:"Folders of results: what gpu run --out or --bring wrote."`
	Out  string   `default:"experiments/results/gpu.csv" placeholder:"FILE" help:"The table; rows of other stages are kept (default: experiments/results/gpu.csv)."`
	Any  bool     `help:"Include results of --tiny and of processors; --out must name another file."`
}

// columns are the columns of the table.
var columns = []string{"date", "device", "driver", "plugin", "program", "stage", "quantity", "value"}

// Run writes the table. If nothing was measured on a GPU, it returns an error instead.
func (c *CollectCmd) Run() error {
	if c.Any && c.Out == "experiments/results/gpu.csv" {
		return exit{2, errors.New("--any: experiments/results/gpu.csv holds only results from a GPU; name another file with --out")}
	}
	var all []outcome
	for _, dir := range c.From {
		found, err := outcomes(dir)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	n := len(all)
	all = slices.DeleteFunc(all, func(o outcome) bool { return !c.Any && (o.Tiny || !o.GPU) || o.Result == nil })
	if len(all) == 0 {
		return fmt.Errorf("none of %d stages in %s ran on a GPU to its end: %s is not written; see experiments/gpu for how to run them", n, strings.Join(c.From, ", "), c.Out)
	}
	slices.SortStableFunc(all, func(a, b outcome) int { return a.Began.Compare(b.Began) })
	rows, err := keep(c.Out, all)
	if err != nil {
		return err
	}
	for _, o := range all {
		add, err := o.rows()
		if err != nil {
			return err
		}
		rows = append(rows, add...)
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return err
	}
	if err := outfile.Replace(c.Out, func(w io.Writer) error {
		out := csv.NewWriter(w)
		return errors.Join(out.Write(columns), out.WriteAll(rows))
	}); err != nil {
		return err
	}
	fmt.Fprintf(screen.Out, "%s: %d rows of %d stages\n", c.Out, len(rows), len(all))
	return nil
}

// outcomes returns the stages in a folder, from gpu.jsonl if it exists, else from the files of the
// stages.
func outcomes(dir string) (all []outcome, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "gpu.jsonl"))
	if err == nil {
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var o outcome
			if err := d.Decode(&o); errors.Is(err, io.EOF) {
				return all, nil
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "gpu.jsonl"), err)
			}
			all = append(all, o)
		}
	}
	for _, s := range stages {
		o, err := outfile.ReadJSON[outcome](filepath.Join(dir, s.name+".json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: neither gpu.jsonl nor files of stages are there", dir)
	}
	return all, nil
}

// keep returns the rows of a table, except those of a stage and device that have a new outcome in
// all.
func keep(path string, all []outcome) ([][]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], columns) {
		return nil, fmt.Errorf("%s has other columns than %s; move it away", path, strings.Join(columns, ","))
	}
	return slices.DeleteFunc(rows[1:], func(row []string) bool {
		return slices.ContainsFunc(all, func(o outcome) bool { return row[1] == o.Device && row[5] == o.Stage })
	}), nil
}

// rows returns one row for each number or text of a result. The quantity in the row is its path in
// the JSON.
func (o outcome) rows() (rows [][]string, err error) {
	d := json.NewDecoder(bytes.NewReader(o.Result))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("stage %s: %w", o.Stage, err)
	}
	add := func(name, value string) {
		rows = append(rows, []string{o.Began.Format("2006-01-02"), o.Device, o.Driver, o.Plugin, o.Program, o.Stage, name, value})
	}
	flatten("", v, add)
	return rows, nil
}

// flatten calls add for each leaf of a decoded JSON value. Elements of a list are named by their
// index.
func flatten(name string, v any, add func(name, value string)) {
	below := func(key string) string { return strings.TrimPrefix(name+"."+key, ".") }
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			flatten(below(k), v[k], add)
		}
	case []any:
		for i, x := range v {
			flatten(below(strconv.Itoa(i)), x, add)
		}
	case json.Number:
		add(name, v.String())
	case string:
		add(name, v)
	case bool:
		add(name, strconv.FormatBool(v))
	}
}
