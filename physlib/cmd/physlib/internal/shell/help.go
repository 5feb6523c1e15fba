package shell

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/physlib/lab/physlib/spelling"
)

// Help is the subcommand `physlib help`, the same as --help.
type Help struct {
	Command []string `arg:"" optional:"" placeholder:"COMMAND" help:"Subcommand to explain (default: all, by task)."`
}

// Run prints the help of a subcommand.
func (h *Help) Run(parser *kong.Kong) error {
	node := parser.Model.Node
	for _, word := range h.Command {
		var names []string
		var next *kong.Node
		for _, n := range node.Children {
			names = append(names, n.Name)
			if n.Name == word {
				next = n
			}
		}
		if next == nil {
			hint := "see physlib --help"
			if near := spelling.Nearest(word, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return unknown{fmt.Errorf("there is no command %s; %s", word, hint)}
		}
		node = next
	}
	ctx, err := kong.Trace(parser, append([]string{}, h.Command...))
	if err != nil {
		return err
	}
	return errors.Join(ctx.PrintUsage(false))
}

// unknown is an error about flags.
type unknown struct{ error }

// ExitCode returns the exit code of bad flags.
func (unknown) ExitCode() int { return 2 }
