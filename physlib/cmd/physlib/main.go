// Command physlib finds the law behind a table of measurements.
//
//	go run ./physlib/cmd/physlib discover --example kepler
//	go run ./physlib/cmd/physlib discover measurements.csv --report law.html
//
// Subcommands for users are packages in internal, those for research in experiments at the top of
// the repository. Exit codes: 0 done, 1 bad input, 2 bad flags, 3 no law better than a constant,
// 130 interrupted. Under `go run` all codes but 0 become 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/physlib/lab/experiments/ablate"
	"github.com/physlib/lab/experiments/bench"
	"github.com/physlib/lab/experiments/figures"
	"github.com/physlib/lab/experiments/gpu"
	"github.com/physlib/lab/experiments/params"
	"github.com/physlib/lab/experiments/train"
	"github.com/physlib/lab/physlib/cmd/memory"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/convert"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/doctor"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/fit"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/laws"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/predict"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/score"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/shell"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/cmd/version"
)

// commands are the subcommands of physlib, by purpose.
type commands struct {
	Discover discover.Cmd `cmd:"" group:"find" help:"Find the law behind a table of measurements."`
	Laws     laws.Cmd     `cmd:"" group:"find" help:"Search the catalogue of laws that people measure and fit."`

	Fit     fit.Cmd     `cmd:"" group:"use" help:"Fit the constants of a formula, with errors, correlations and residuals."`
	Score   score.Cmd   `cmd:"" group:"use" help:"Score any formula against a table: bits, BIC, units, where it fails."`
	Predict predict.Cmd `cmd:"" group:"use" help:"Predict with a law that was found, with confidence and prediction bands."`
	Convert convert.Cmd `cmd:"" group:"use" help:"Write a law as SymPy, NumPy, C, Go, Julia, MATLAB, R, Excel, LaTeX or JSON."`

	Doctor     doctor.Cmd       `cmd:"" group:"setup" help:"List what physlib can use on this machine, what is missing, and how to get it."`
	Completion shell.Completion `cmd:"" group:"setup" help:"Print a script that completes the command line in bash, zsh or fish."`
	Man        shell.Man        `cmd:"" group:"setup" help:"Print the manual page."`
	Help       shell.Help       `cmd:"" group:"setup" help:"Print the help of a subcommand, or of all by task."`

	Bench   bench.Cmd   `cmd:"" group:"research" help:"Measure how many known laws are recovered."`
	Train   train.Cmd   `cmd:"" group:"research" help:"Train a neural system on random laws."`
	Ablate  ablate.Cmd  `cmd:"" group:"research" help:"Change one part of a neural system at a time, and compare."`
	Params  params.Cmd  `cmd:"" group:"research" help:"Count the parameters of the neural systems, and compare with the papers."`
	GPU     gpu.Cmd     `cmd:"" group:"research" name:"gpu" help:"Measure and train the systems at full size on a GPU, in stages of minutes."`
	Figures figures.Cmd `cmd:"" group:"research" help:"Draw the pictures in figures/ from the results in experiments/results."`

	Version kong.VersionFlag `help:"Print the version with its commit and quit."`
}

// groups are the tasks under which --help lists the subcommands.
var groups = []kong.Group{
	{Key: "find", Title: "Find a law:"},
	{Key: "use", Title: "Use a law, found or known:"},
	{Key: "setup", Title: "Set up:"},
	{Key: "research", Title: "Research on physlib itself:"},
}

const description = `Symbolic regression with units: a table of measurements in, its physical law out.

Start with

    physlib discover --example kepler --save law.json
    physlib predict law.json --at a=5.2
    physlib fit 'T = c0*a**c1' --example kepler`

func main() { os.Exit(run(os.Args[1:])) }

// options returns the options of the parser that concern names and help.
func options() []kong.Option {
	return []kong.Option{kong.Name("physlib"), kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.Vars{"version": version.String()}, kong.ExplicitGroups(groups)}
}

// run runs the command with its arguments and returns the exit code.
func run(args []string) int {
	exit := -1 // exit code that --help or --version sets while flags are parsed; -1: none
	parser, err := kong.New(&commands{}, append(options(), kong.Writers(screen.Out, screen.Err), kong.Exit(func(code int) { exit = code }))...)
	if err != nil {
		return fail(err, 2)
	}
	found, err := parser.Parse(args)
	switch {
	case exit >= 0:
		return exit
	case err == nil:
		err = twice(found)
	}
	if err != nil {
		return fail(fmt.Errorf("%w; see %s", hinted(err, args), helpFor(parser.Model, args)), 2)
	}
	if word, _, _ := strings.Cut(found.Command(), " "); slices.Contains([]string{"ablate", "bench", "gpu", "params", "train"}, word) {
		enlargePages()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	ctx, free := memory.Guard(ctx)
	defer free()
	found.BindTo(ctx, (*context.Context)(nil))
	found.Bind(parser, kong.Vars{"version": version.String()})
	if word, _, _ := strings.Cut(found.Command(), " "); slices.Contains([]string{"fit", "predict", "score"}, word) {
		err = runUntil(ctx, found.Run)
	} else {
		err = found.Run()
	}
	if short := context.Cause(ctx); errors.Is(short, memory.ErrShort) {
		return fail(short, 1)
	} else if err != nil {
		return fail(err, 1)
	}
	return 0
}

// interrupted is the error of a subcommand that an interrupt ends.
type interrupted struct{}

// Error returns the message about the interrupt.
func (interrupted) Error() string { return "interrupted" }

// ExitCode returns the exit code of an interrupt.
func (interrupted) ExitCode() int { return 130 }

// runUntil runs a subcommand that does not watch ctx. It returns when the subcommand or ctx ends.
// Such a subcommand writes its output in one piece, so an interrupt leaves it complete or empty.
func runUntil(ctx context.Context, run func(...any) error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return interrupted{}
	}
}

// fail prints err as one line and returns its exit code, or the code `otherwise` if err has none.
// An empty message is not printed.
func fail(err error, otherwise int) int {
	var coder interface{ ExitCode() int }
	code := otherwise
	if errors.As(err, &coder) && !isParseError(err) {
		code = coder.ExitCode()
	}
	if text := strings.Join(strings.Fields(err.Error()), " "); text != "" {
		fmt.Fprintln(screen.Err, "physlib: "+text)
	}
	return code
}

// takenForFlag matches kong's error about a value that begins with a minus sign.
var takenForFlag = regexp.MustCompile(`^(--[\w-]+): expected .* value but got "(-[^"]*)" \(short flag\)`)

// noValue matches kong's error about a flag without its value.
var noValue = regexp.MustCompile(`^(--[\w-]+): expected .* value but got "EOL"`)

// noFlag matches kong's error about an unknown flag of one letter.
var noFlag = regexp.MustCompile(`^unknown flag (-\w)\b`)

// hinted replaces kong's errors about a negative value, about a missing one and about a file whose
// name begins with a minus sign by errors that say what to write.
func hinted(err error, args []string) error {
	if m := noFlag.FindStringSubmatch(err.Error()); m != nil {
		for _, a := range args {
			if _, missing := os.Stat(a); missing == nil && strings.HasPrefix(a, m[1]) {
				return fmt.Errorf("%s is read as flags; write -- %[1]s for the file", a)
			}
		}
	}
	if m := takenForFlag.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s: %s is read as a flag; write %[1]s=%[2]s if it is meant", m[1], m[2])
	}
	if m := noValue.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s: its value is missing; write %[1]s VALUE", m[1])
	}
	return err
}

// twice returns an error if a flag with a single value is given more than once.
func twice(found *kong.Context) error {
	given := map[*kong.Flag]bool{}
	for _, p := range found.Path {
		f := p.Flag
		if f == nil || f.IsBool() || f.Target.Kind() == reflect.Slice || f.IsMap() {
			continue
		}
		if given[f] {
			return fmt.Errorf("--%s is given twice; leave one out", f.Name)
		}
		given[f] = true
	}
	return nil
}

// isParseError reports whether an error is kong's own. Its exit code 80 is replaced by 2.
func isParseError(err error) bool {
	var p *kong.ParseError
	return errors.As(err, &p)
}

// helpFor returns the command line that shows help for a mistyped command line. If args name a
// subcommand, it shows the help of that subcommand.
func helpFor(app *kong.Application, args []string) string {
	node, path := app.Node, "physlib"
	for _, a := range args {
		if i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == a }); i >= 0 {
			node, path = node.Children[i], path+" "+a
		}
	}
	return path + " --help"
}
