package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/train"
)

// lesson holds the flags of commands that train several small networks and compare them in a table.
// All networks get the same processor time or the same number of updates.
type lesson struct {
	Time  time.Duration `default:"3m" help:"Processor time of each training: equal for all."`
	Steps int64         `placeholder:"N" help:"Updates of each training, instead of a time: the same result every time."`
	LR    float64       `default:"3e-3" help:"Highest learning rate."`

	CSV     string `name:"csv" placeholder:"FILE" help:"Write the table there as well."`
	Backend string `placeholder:"NAME" help:"go, xla:cpu, xla:cuda or auto; default: $PHYSLIB_BACKEND, or auto."`

	stdout io.Writer // nil: the standard output of the process
}

// open opens the backend, prints its name, and starts the table. about is the comment above the
// table, in which %s stands for the command.
func (l lesson) open(about, columns string) (compute.Backend, *table, error) {
	b, used, err := backend.Open(l.Backend)
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintln(screen.Err, "backend", used)
	out, err := newTable(cmp.Or(l.stdout, screen.Out), l.CSV, fmt.Sprintf(about, strings.Join(os.Args, " ")), columns)
	return b, out, err
}

// teach trains t in the folder dir/name, and resumes an unfinished run there.
func (l lesson) teach(ctx context.Context, b compute.Backend, t train.Task, seed int64, dir, name string) (train.Result, error) {
	s := train.Settings{Steps: l.Steps, Time: l.Time, Clock: train.CPU, LR: l.LR, Seed: seed, WeightDecay: 0.01, EMA: 0.99,
		SaveEvery: -1, ValidateEvery: -1, Keep: 1, LogSteps: 50}
	if s.Steps > 0 {
		s.Time = 0
	}
	r, err := train.Run(ctx, b, t, s, filepath.Join(dir, name), nil)
	switch {
	case err != nil:
		return r, fmt.Errorf("%s: %w", name, err)
	case !r.Finished:
		return r, interruptedIn(name)
	}
	return r, nil
}

// interruptedIn returns the error after Ctrl-C in the command with the given name.
func interruptedIn(name string) error {
	return exit{130, fmt.Errorf("interrupted in %s; the same command continues", name)}
}
