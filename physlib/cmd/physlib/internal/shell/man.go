package shell

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// roff escapes text for a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// manual writes the manual page: every subcommand with its flags and its help.
func manual(w io.Writer, app *kong.Node, version string) {
	fmt.Fprintf(w, ".TH PHYSLIB 1 \"\" %q \"physlib\"\n.SH NAME\nphyslib \\- finds the physical law behind a table of measurements\n", version)
	fmt.Fprint(w, ".SH SYNOPSIS\n.B physlib\n.I command\n[\\fIflags\\fR]\n.SH DESCRIPTION\n")
	fmt.Fprintf(w, ".nf\n%s\n.fi\n.SH COMMANDS\n", roff(app.Help))
	walk(app, nil, func(n *kong.Node, path []string) {
		if len(path) == 0 {
			return
		}
		name := "physlib " + strings.Join(path, " ")
		for _, p := range n.Positional {
			name += " " + p.Summary()
		}
		fmt.Fprintf(w, ".SS %q\n%s\n", roff(name), roff(n.Help))
		for _, p := range n.Positional {
			fmt.Fprintf(w, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
		for _, f := range n.Flags {
			if f.Hidden || f.Name == "help" {
				continue
			}
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(f.String()), roff(strings.Join(strings.Fields(f.Help), " ")))
		}
		if n.Detail != "" {
			fmt.Fprintf(w, ".PP\n.nf\n%s\n.fi\n", roff(n.Detail))
		}
	})
	fmt.Fprint(w, ".SH EXIT STATUS\n0 done, 1 bad input, 2 bad flags, 3 nothing better than a constant, 130 interrupted.\n")
}
