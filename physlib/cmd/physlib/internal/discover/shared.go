package discover

import (
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// Exported functions for subcommands that print and report errors in the same way.

// BadInput returns an error about an input, or about an output that cannot be written: exit code 1.
func BadInput(format string, args ...any) error { return badInput(format, args...) }

// BadFlag returns an error about the command line of a subcommand: exit code 2.
func BadFlag(command, format string, args ...any) error {
	return exit{2, oneLine(fmt.Errorf(format, args...).Error()) + "; see physlib " + command + " --help"}
}

// Blame returns err with an exit code: 2 if it is about a wrong name in a flag, 1 if it is about a
// wrong table.
func Blame(err error) error { return blame(err) }

// Estimate prints a constant with its error and unit: 365.186 ± 0.042 d AU^(-3/2).
func Estimate(k law.Constant) string { return inUnit(estimate(k), k.Unit) }

// Shape prints a law with the names of its constants: T = c0*a**(3/2).
func Shape(l law.Law) string { return shape(l) }

// Plain prints a law on one line with its constants inserted, rounded.
func Plain(l law.Law) string { return plain(l, 6) }

// Quantity returns a column's name with its unit: T [d].
func Quantity(c dataset.Column) string { return quantity(c) }

// InUnit appends a unit to a number.
func InUnit(number, unit string) string { return inUnit(number, unit) }

// Significant formats a number with at most the given number of significant digits.
func Significant(v float64, digits int) string { return significant(v, digits) }

// Consts are known constants given by a flag.
type Consts = consts

// SaveFile writes a law file, either completely or not at all.
func SaveFile(f *lawfile.File, path string) error { return saveFile(f, path) }
