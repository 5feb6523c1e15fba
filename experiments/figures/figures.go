// Package figures is the subcommand `physlib figures`: it draws the pictures in figures/ from the files in
// experiments/results, and nothing else.
package figures

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/figure"
)

// Cmd is the command line of `physlib figures`.
type Cmd struct {
	Results string `default:"experiments/results" placeholder:"DIR" help:"Where the results lie (default: experiments/results)."`
	Out     string `default:"figures" placeholder:"DIR" help:"Where the pictures go (default: figures)."`
	Format  string `default:"svg" enum:"svg,png,pdf" placeholder:"svg|png|pdf" help:"Of the pictures (default: svg)."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Results and what is drawn of them:

  train-NAME.csv, train-NAME-validation.csv   learning-NAME: the loss against tables seen
  candidates-NAME.jsonl                       candidates-NAME: laws whose form is among the first k candidates, by length

  physlib figures --format png --out /tmp`
}

// Run draws all that there are results for.
func (c *Cmd) Run() error {
	draw := func(pattern string, of func(path, name string) ([]byte, error), prefix string) error {
		paths, err := filepath.Glob(filepath.Join(c.Results, pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), "-")
			if strings.HasSuffix(name, "-validation") {
				continue
			}
			picture, err := of(path, name)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			out := filepath.Join(c.Out, prefix+"-"+name+"."+c.Format)
			if err := os.MkdirAll(c.Out, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(out, picture, 0o644); err != nil {
				return err
			}
			fmt.Println(out)
		}
		return nil
	}
	if err := draw("train-*.csv", c.learning, "learning"); err != nil {
		return err
	}
	return draw("candidates-*.jsonl", c.candidates, "candidates")
}

// learning draws the loss of training and of held-out laws against the updates made.
func (c *Cmd) learning(path, name string) ([]byte, error) {
	rows, err := readColumns(path, "step", "tokens_loss")
	if err != nil {
		return nil, err
	}
	series := []figure.Series{{Name: "training", X: rows[0], Y: rows[1]}}
	held := strings.TrimSuffix(path, ".csv") + "-validation.csv"
	if rows, err := readColumns(held, "step", "tokens_loss"); err == nil {
		series = append(series, figure.Series{Name: "held-out laws, averaged weights", X: rows[0], Y: rows[1], Dots: true})
	} else if !os.IsNotExist(err) {
		return nil, err
	}
	return figure.Lines(series, figure.Axis{Label: "updates", Log: true}, figure.Axis{Label: "cross-entropy of a hidden token [nat]"}).Draw(figure.Options{Format: c.Format, Title: name})
}

// grades of laws by the number of their tokens.
var grades = []struct {
	name      string
	low, high int
}{{"≤ 5 tokens", 1, 5}, {"6–9", 6, 9}, {"10–13", 10, 13}, {"14 and more", 14, 1 << 30}}

// candidates draws the share of laws whose true form is among the first k candidates.
func (c *Cmd) candidates(path, name string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	total, found := make([]float64, len(grades)), make([][]float64, len(grades))
	ks := []float64{1, 2, 4, 8, 16, 32, 64, 128}
	for i := range found {
		found[i] = make([]float64, len(ks))
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var law struct{ Tokens, Rank int }
		if err := json.Unmarshal(lines.Bytes(), &law); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		for g, grade := range grades {
			if law.Tokens < grade.low || law.Tokens > grade.high {
				continue
			}
			total[g]++
			for i, k := range ks {
				if law.Rank > 0 && float64(law.Rank) <= k {
					found[g][i]++
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	var series []figure.Series
	for g, grade := range grades {
		if total[g] == 0 {
			continue
		}
		for i := range found[g] {
			found[g][i] *= 100 / total[g]
		}
		series = append(series, figure.Series{Name: grade.name, X: ks, Y: found[g], Dots: true})
	}
	return figure.Lines(series, figure.Axis{Label: "candidates", Log: true}, figure.Axis{Label: "laws whose form is among them [%]"}).Draw(figure.Options{Format: c.Format, Title: name})
}

// readColumns reads columns of numbers from a CSV file with a header; what is no number leaves its row out.
func readColumns(path string, names ...string) ([][]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = -1
		for j, head := range records[0] {
			if head == name {
				at[i] = j
			}
		}
		if at[i] < 0 {
			return nil, fmt.Errorf("%s has no column %s", path, name)
		}
	}
	columns := make([][]float64, len(names))
next:
	for _, record := range records[1:] {
		row := make([]float64, len(names))
		for i, j := range at {
			if row[i], err = strconv.ParseFloat(record[j], 64); err != nil {
				continue next
			}
		}
		for i, v := range row {
			columns[i] = append(columns[i], v)
		}
	}
	return columns, nil
}
