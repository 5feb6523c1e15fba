package ablate

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/adapt"
	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/cmd/outfile"
)

// budget returns a description of the cost of a run, for the table.
func (r *Run) budget() string {
	score := fmt.Sprintf("%d %s laws of %d rows", r.Score.Laws, r.Score.Suite, r.Score.Rows)
	if r.Score.Seconds > 0 {
		score += fmt.Sprintf(" with %v s of CPU each", r.Score.Seconds)
	}
	if r.Kind == "train" {
		text := fmt.Sprintf("%v of CPU with compiling", r.Time)
		if r.Steps > 0 {
			text = fmt.Sprintf("%d updates", r.Steps)
		}
		if r.Score.Laws > 0 {
			text += "; " + score
		}
		return text
	}
	return score
}

// execute executes one run in its folder dir.
func (l *lab) execute(ctx context.Context, r *Run, dir string, say func(string)) (*Result, error) {
	result := &Result{Hash: r.Hash(), Name: r.Name(), Version: bench.Version(), Budget: r.budget(), Began: time.Now().UTC().Round(time.Second)}
	began := clock.CPU()
	var err error
	switch r.Kind {
	case "infer":
		err = l.infer(ctx, r, r.Weights, result, say)
	case "adapt":
		err = l.adapt(ctx, r, result, say)
	default:
		err = l.train(ctx, r, dir, result, say)
	}
	result.Seconds += (clock.CPU() - began).Seconds()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return result, err
}

// infer requests candidates from a trained system and scores them.
func (l *lab) infer(ctx context.Context, r *Run, weights string, result *Result, say func(string)) error {
	sys, err := l.open(r, weights)
	if err != nil {
		return err
	}
	p, done := proposalsOf(sys, r)
	defer done()
	result.Laws, err = judge(ctx, p, r, func(n, total int) { say(fmt.Sprintf("law %d of %d", n, total)) })
	if result.Metrics == nil {
		result.Metrics = map[string]float64{}
	}
	for name, x := range speed(result.Laws) {
		result.Metrics[name] = x
	}
	if err != nil || !r.Score.Loss || r.Kind != "infer" {
		return err
	}
	say("loss on held-out laws")
	losses, err := sys.HeldOut(ctx)
	for name, x := range losses {
		result.Metrics[name] = x
	}
	return err
}

// adapt measures the gain of adaptation, see adapt.Measure.
func (l *lab) adapt(ctx context.Context, r *Run, result *Result, say func(string)) error {
	sys, err := l.open(r, r.Weights)
	if err != nil {
		return err
	}
	rows, err := adapt.Measure(ctx, sys, []adapt.Settings{r.Config.Adapt}, r.Score.Laws, r.Seed, func(n int, _ []adapt.Row) {
		say(fmt.Sprintf("law %d of %d", n, r.Score.Laws))
	})
	if err != nil {
		return err
	}
	row, n := rows[0], float64(max(rows[0].Laws, 1))
	result.Metrics = map[string]float64{"laws": float64(row.Laws), "rank": float64(row.Settings.Rank), "steps": row.Steps, "seconds": row.Seconds,
		"found": float64(row.Found) / n, "twice_found": float64(row.TwiceFound) / n, "adapted_found": float64(row.AdaptedFound) / n,
		"fitted": float64(row.Fitted) / n, "twice_fitted": float64(row.TwiceFitted) / n, "adapted_fitted": float64(row.AdaptedFitted) / n}
	return nil
}

// train trains the system of r in a separate process, whose memory is measured, and then scores it.
func (l *lab) train(ctx context.Context, r *Run, dir string, result *Result, say func(string)) error {
	preset, weights, run := filepath.Join(dir, "preset.yaml"), filepath.Join(dir, "weights.safetensors"), filepath.Join(dir, "run")
	if err := writeFile(preset, r.Overlay); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	_, fresh := os.Stat(filepath.Join(run, "metrics.csv"))
	say("training, " + r.budget())
	child := exec.CommandContext(ctx, self, "train", "--preset", preset, "--time", r.Time.String(), "--clock", "cpu", "--steps", fmt.Sprint(r.Steps), "--seed", fmt.Sprint(r.Seed),
		"--out", run, "--export", weights, "--validate=-1s", "--laws=0", "--save=-1s", "--keep=1", "-q", "--backend", l.name)
	// If the child is interrupted, it saves its run, which can then be resumed.
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = time.Minute
	var stderr strings.Builder
	child.Stderr = &stderr
	if err := child.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return fmt.Errorf("physlib train: %w", err)
	}
	result.Metrics = map[string]float64{}
	result.Seconds += clock.Of(child.ProcessState).Seconds()
	// Only a run that was not resumed shows the peak of memory: a resumed one may need less.
	if peak := clock.Peak(child.ProcessState); peak > 0 && fresh != nil {
		result.Metrics["peak_memory"] = float64(peak) / (1 << 20)
	}
	if err := reached(run, result.Metrics); err != nil {
		return err
	}
	if r.Score.Laws == 0 {
		return nil
	}
	return l.infer(ctx, r, weights, result, say)
}

// reached reads the results in a folder of `physlib train`: the last validation, the number of
// steps and their time, and the number of parameters.
func reached(dir string, m map[string]float64) error {
	header, rows, err := table(filepath.Join(dir, "validation.csv"))
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("validation.csv has no row; give the run more time")
	}
	for i, name := range header {
		if name != "step" && name != "seconds" {
			m[name] = rows[len(rows)-1][i]
		}
	}
	m["steps"] = rows[len(rows)-1][0]
	if _, rows, err = table(filepath.Join(dir, "metrics.csv")); err != nil {
		return err
	}
	if n := len(rows) - 1; n > 0 {
		last := len(rows[0]) - 1
		m["step_seconds"] = (rows[n][last] - rows[0][last]) / (rows[n][0] - rows[0][0])
	}
	record, err := outfile.ReadJSON[struct{ Parameters float64 }](filepath.Join(dir, "run.json"))
	if err != nil {
		return err
	}
	m["parameters"] = record.Parameters
	return nil
}

// table reads a CSV file of numbers.
func table(path string) (header []string, rows [][]float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) == 0 {
		return nil, nil, fmt.Errorf("%s: no table: %w", path, err)
	}
	for _, line := range all[1:] {
		row := make([]float64, len(line))
		for i, cell := range line {
			if row[i], err = strconv.ParseFloat(cell, 64); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		rows = append(rows, row)
	}
	return all[0], rows, nil
}
