// Package ablate is the subcommand `physlib ablate`. It changes one part of a preset (the settings
// of a neural system) at a time and reports the effect on the laws found.
//
// # Design
//
// An ablation is a YAML file with a preset and cells. Each cell varies one thing over a few values,
// one of which is the baseline. A run is one value with one seed. It has its own preset: the preset
// of the file with the changes of that value. So `physlib train --preset` or `physlib bench
// candidates --preset` can repeat the run. There are three kinds of ablations. "infer" changes how
// trained weights decode, "train" trains each run with the same processor time, and "adapt"
// measures test-time adaptation.
//
// The result of a finished run is result.json in a folder named after the run. The file holds a
// hash of the computation. A computation is not repeated, even if several cells need it. Several
// processes may share the folder of runs. The table is built from these files, so an interruption
// loses at most the current run. If a run is not in the folder, as in a clone, its rows in the
// table are kept if cell, value, seed and budget are the same.
package ablate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/screen"
)

// Cmd is the command line of `physlib ablate`.
type Cmd struct {
	File    string   `arg:"" placeholder:"FILE.yaml" help:"The ablation, as those in experiments/configs."`
	Out     string   `placeholder:"FILE.csv" default:"experiments/results/ablations.csv" help:"Table of results, a row for each run and metric; rows of other ablations and of runs that are not in the folder of runs are kept (default: experiments/results/ablations.csv)."`
	Runs    string   `placeholder:"DIR" help:"Folder of the runs (default: experiments/runs/ablate-NAME)."`
	Only    []string `placeholder:"CELL" help:"Only these changes, the cells of the ablation file, or CELL=VALUE."`
	Seed    []int64  `placeholder:"N" help:"Only these seeds."`
	Jobs    int      `default:"1" placeholder:"N" help:"Processes at a time (default: 1)."`
	Slurm   string   `placeholder:"DIR" help:"Run nothing: write a Slurm array job for the unfinished runs into this folder."`
	List    bool     `help:"Run nothing: list which runs are finished here, only in the table of results, or still to do."`
	Share   string   `hidden:"" placeholder:"I/N" help:"Only every N-th run, starting with run I, counted from 0; written I/N."`
	Backend string   `placeholder:"NAME" help:"auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	Quiet   bool     `short:"q" help:"No progress."`
}

// Help returns the text that --help shows below the flags.
func (*Cmd) Help() string {
	return `Finished runs are not repeated: after an interruption, the same command continues. For each value,
the summary has the mean, the standard deviation over seeds, the difference from the baseline with
its standard error, and the verdict: better or worse if the difference exceeds two standard errors.

Examples:

    physlib ablate experiments/configs/ablations-infer.yaml
    physlib ablate experiments/configs/ablations-train.yaml --only positions --jobs 2
    physlib ablate experiments/configs/ablations-train.yaml --slurm job && sbatch job/array.sh`
}

// Run executes the unfinished runs and prints the summary.
func (c *Cmd) Run(ctx context.Context) error {
	f, all, err := Load(c.File)
	if err != nil {
		return err
	}
	if c.Runs == "" {
		c.Runs = filepath.Join("experiments", "runs", "ablate-"+f.Name)
	}
	runs, err := c.chosen(all)
	if err != nil {
		return err
	}
	if c.List {
		rows, err := read(c.Out, f.columns())
		if err != nil {
			return err
		}
		list(f, runs, results(c.Runs), f.with(nil, rows, all))
		return nil
	}
	left := pending(runs, results(c.Runs))
	switch {
	case c.Slurm != "":
		return c.slurm(left)
	case c.Jobs < 1:
		return fmt.Errorf("--jobs is %d, must be positive", c.Jobs)
	case c.Jobs > 1 && len(left) > 1:
		err = c.spread(ctx, min(c.Jobs, len(left)))
	default:
		err = c.work(ctx, f, all, runs, left)
	}
	if errors.As(err, &notSaved{}) {
		return err
	}
	done := results(c.Runs)
	found, e := f.save(c.Out, all, done)
	if e != nil {
		return errors.Join(err, e)
	}
	if c.Share == "" {
		print(screen.Out, f.summary(runs, found))
	}
	if errors.Is(err, context.Canceled) {
		return exit{130, fmt.Errorf("interrupted with %d of %d runs finished; the same command continues", len(runs)-len(pending(runs, done)), len(runs))}
	}
	return err
}

// notSaved is an error from writing the table. After such an error, Run does not try to write the
// table once more at its end.
type notSaved struct{ error }

// exit is an error with an exit code.
type exit struct {
	code int
	error
}

// ExitCode returns the exit code of the command.
func (e exit) ExitCode() int { return e.code }

// chosen returns the runs selected by --only and --seed.
func (c *Cmd) chosen(all []*Run) (runs []*Run, err error) {
	var names []string
	for _, r := range all {
		names = append(names, r.Cell, r.Cell+"="+r.Value)
	}
	for _, o := range c.Only {
		if err := oneOf("--only", o, slices.Compact(slices.Sorted(slices.Values(names)))); err != nil {
			return nil, err
		}
	}
	for _, r := range all {
		named := len(c.Only) == 0 || slices.Contains(c.Only, r.Cell) || slices.Contains(c.Only, r.Cell+"="+r.Value)
		if named && (len(c.Seed) == 0 || slices.Contains(c.Seed, r.Seed)) {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("--seed %v: no run has it", c.Seed)
	}
	return runs, nil
}

// pending returns the runs without a result. Of several runs with the same computation, it returns
// only the first.
func pending(runs []*Run, done map[string]*Result) (left []*Run) {
	seen := map[string]bool{}
	for _, r := range runs {
		if h := r.Hash(); done[h] == nil && !seen[h] {
			seen[h] = true
			left = append(left, r)
		}
	}
	return left
}

// list prints which runs are finished here, which have results in a table, and which are still to
// do.
func list(f *File, runs []*Run, done map[string]*Result, table map[*Run]*Result) {
	n := 0
	for _, r := range runs {
		state := "to do"
		if result := done[r.Hash()]; result != nil {
			state, n = "finished", n+1
			if result.Name != r.Name() {
				state += " as " + result.Name
			}
		} else if table[r] != nil {
			state = "in table"
		}
		fmt.Fprintf(screen.Out, "%-40s %-10s %s\n", r.Name(), state, r.budget())
	}
	fmt.Fprintf(screen.Out, "%s: %d of %d runs are finished\n", f.Name, n, len(runs))
}

// work executes the runs one after the other. Failures are reported at the end and do not stop the
// other runs.
func (c *Cmd) work(ctx context.Context, f *File, all, chosen, left []*Run) error {
	left, err := c.ownShare(chosen, left)
	if err != nil || len(left) == 0 {
		return err
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	defer b.Finalize()
	l := &lab{backend: b, name: used}
	if name, _, ok := strings.Cut(used, " "); ok {
		l.name = name
	}
	defer l.close()
	c.say("backend " + used)
	var failed error
	for i, r := range left {
		if results(c.Runs)[r.Hash()] != nil {
			continue // another process has finished this run
		}
		dir := filepath.Join(c.Runs, r.Name())
		reported := time.Now()
		result, err := l.execute(ctx, r, dir, func(text string) {
			if time.Since(reported) > 10*time.Second {
				reported = time.Now()
				c.say(fmt.Sprintf("[%d/%d] %s: %s", i+1, len(left), r.Name(), text))
			}
		})
		if ctx.Err() != nil {
			return context.Canceled
		}
		if err != nil {
			c.say(fmt.Sprintf("[%d/%d] %s: %v", i+1, len(left), r.Name(), err))
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.Name(), err))
			continue
		}
		result.Command = fmt.Sprintf("physlib ablate %s --only %s=%s --seed %d", c.File, r.Cell, r.Value, r.Seed)
		if err := result.save(dir); err != nil {
			return err
		}
		m := r.metric()
		x, _ := m.of(r, result)
		c.say(fmt.Sprintf("[%d/%d] %s: %s %.4g, %.0f s of CPU", i+1, len(left), r.Name(), m.name, x, result.Seconds))
		if _, err := f.save(c.Out, all, results(c.Runs)); err != nil {
			return notSaved{err}
		}
	}
	return failed
}

// ownShare returns the runs in left that --share assigns to this process. Runs are assigned by
// their position among all chosen runs, because left differs between processes that start at
// different times.
func (c *Cmd) ownShare(chosen, left []*Run) (own []*Run, err error) {
	if c.Share == "" {
		return left, nil
	}
	var i, n int
	if k, err := fmt.Sscanf(c.Share, "%d/%d", &i, &n); k != 2 || err != nil || n < 1 || i < 0 || i >= n {
		return nil, fmt.Errorf("--share %q: write I/N, as 0/2", c.Share)
	}
	for k, r := range pending(chosen, nil) {
		if k%n == i && slices.Contains(left, r) {
			own = append(own, r)
		}
	}
	return own, nil
}

// say prints progress unless --quiet is set.
func (c *Cmd) say(text string) {
	if !c.Quiet {
		fmt.Fprintln(screen.Err, text)
	}
}

// arguments returns the arguments of this command for a process that executes some of the runs.
func (c *Cmd) arguments() []string {
	args := []string{"ablate", c.File, "--runs", c.Runs, "--out", c.Out}
	if c.Backend != "" {
		args = append(args, "--backend", c.Backend)
	}
	if c.Quiet {
		args = append(args, "--quiet")
	}
	return args
}

// spread starts n processes, each for a share of the runs, and waits for them.
func (c *Cmd) spread(ctx context.Context, n int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var children []*exec.Cmd
	for i := range n {
		args := append(c.arguments(), "--share", fmt.Sprintf("%d/%d", i, n))
		for _, o := range c.Only {
			args = append(args, "--only", o)
		}
		for _, s := range c.Seed {
			args = append(args, "--seed", fmt.Sprint(s))
		}
		child := exec.CommandContext(ctx, self, args...)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
		child.WaitDelay = 2 * time.Minute
		if e := child.Start(); e != nil {
			err = errors.Join(err, e)
			break
		}
		children = append(children, child)
	}
	failed := 0
	for _, child := range children {
		if child.Wait() != nil {
			failed++
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Canceled
	case failed > 0:
		return errors.Join(err, fmt.Errorf("%d of %d processes had runs that failed; see above", failed, len(children)))
	}
	return err
}

// slurm writes a Slurm job array with a task for each run in left.
func (c *Cmd) slurm(left []*Run) error {
	if len(left) == 0 {
		fmt.Fprintln(screen.Out, "all runs are finished")
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	var jobs strings.Builder
	for _, r := range left {
		command := append([]string{self}, c.arguments()...)
		command = append(command, "--only", r.Cell+"="+r.Value, "--seed", fmt.Sprint(r.Seed))
		for i, word := range command {
			command[i] = quoted(word)
		}
		fmt.Fprintln(&jobs, strings.Join(command, " "))
	}
	script := fmt.Sprintf(`#!/bin/bash
# %d runs of %s; submit with: sbatch %s
#SBATCH --job-name=ablate
#SBATCH --array=1-%d
#SBATCH --output=%s
cd %s
eval "$(sed -n "${SLURM_ARRAY_TASK_ID}p" %s)"
`, len(left), c.File, filepath.Join(c.Slurm, "array.sh"), len(left), filepath.Join(c.Slurm, "task-%a.log"), quoted(here), quoted(filepath.Join(c.Slurm, "jobs.txt")))
	if err := errors.Join(writeFile(filepath.Join(c.Slurm, "jobs.txt"), []byte(jobs.String())), writeFile(filepath.Join(c.Slurm, "array.sh"), []byte(script))); err != nil {
		return err
	}
	fmt.Fprintf(screen.Out, "%d tasks; submit with sbatch %s, then run this command without --slurm for the table\n", len(left), filepath.Join(c.Slurm, "array.sh"))
	return nil
}

// quoted returns word quoted as one argument of a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
