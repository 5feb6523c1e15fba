package discover

import (
	"fmt"
	"strings"
)

// exit is an error that ends the process with a given exit code.
type exit struct {
	code int
	text string
}

func (e exit) Error() string { return e.text }

// ExitCode returns the process's exit code.
func (e exit) ExitCode() int { return e.code }

// badInput returns an error about an input, or about an output that cannot be written: exit code 1.
func badInput(format string, args ...any) error {
	return exit{1, oneLine(fmt.Errorf(format, args...).Error())}
}

// badFlag returns an error about the command line: exit code 2.
func badFlag(format string, args ...any) error {
	return exit{2, oneLine(fmt.Errorf(format, args...).Error()) + "; see physlib discover --help"}
}

// oneLine returns text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
