package bench

import (
	"cmp"
	"fmt"
	"io"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/screen"
)

// CompareCmd is the command line of `physlib bench compare`.
type CompareCmd struct {
	A string `arg:"" help:"Results file."`
	B string `arg:"" help:"Results file."`

	stdout io.Writer // nil: the standard output of the process
}

// Run prints the laws that only one of the files has found.
func (c *CompareCmd) Run() error {
	a, err := bench.ReadResults(c.A)
	if err != nil {
		return err
	}
	b, err := bench.ReadResults(c.B)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(cmp.Or(c.stdout, screen.Out), bench.Compare(a, b))
	return err
}

// TallyCmd is the command line of `physlib bench tally`.
type TallyCmd struct {
	Files []string `arg:"" help:"Results files."`

	stdout io.Writer // nil: the standard output of the process
}

// Run prints how many laws of each suite the files have found, with and without units and by noise.
func (c *TallyCmd) Run() error {
	var names []string
	var runs [][]bench.Record
	for _, file := range c.Files {
		records, err := bench.ReadResults(file)
		if err != nil {
			return err
		}
		names = append(names, runName(file))
		runs = append(runs, records)
	}
	_, err := fmt.Fprint(cmp.Or(c.stdout, screen.Out), bench.NewTally(names, runs))
	return err
}
