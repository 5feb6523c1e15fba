package bench

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/physlib/lab/physlib/bench"
)

// CompareCmd is `physlib bench compare`.
type CompareCmd struct {
	A string `arg:"" help:"Results file."`
	B string `arg:"" help:"Results file."`

	stdout io.Writer // nil: the process's
}

// Run prints the laws that one of the files has and the other has not.
func (c *CompareCmd) Run() error {
	a, err := bench.ReadResults(c.A)
	if err != nil {
		return err
	}
	b, err := bench.ReadResults(c.B)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(cmp.Or[io.Writer](c.stdout, os.Stdout), bench.Compare(a, b))
	return err
}
