// Package shell writes completion scripts for bash, zsh and fish, and the manual page. Both are
// derived from the command's own flags.
package shell

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/alecthomas/kong"
)

// Completion is the subcommand `physlib completion`.
type Completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"SHELL" help:"Shell: ${enum}."`
}

// Help is shown by --help below the flags.
func (*Completion) Help() string {
	return `Prints a script that completes subcommands, flags and the values of those that have a list.

    physlib completion bash > ~/.local/share/bash-completion/completions/physlib
    physlib completion zsh > "${fpath[1]}/_physlib"
    physlib completion fish > ~/.config/fish/completions/physlib.fish`
}

// Run prints the script.
func (c *Completion) Run(app *kong.Kong) error {
	write := map[string]func(io.Writer, *kong.Node){"bash": bash, "zsh": zsh, "fish": fish}[c.Shell]
	write(screen.Out, app.Model.Node)
	return nil
}

// Man is the subcommand `physlib man`.
type Man struct{}

// Help is shown by --help below the flags.
func (*Man) Help() string {
	return `Read the manual, or install it:

    physlib man | man -l -
    physlib man > ~/.local/share/man/man1/physlib.1`
}

// Run prints the page.
func (*Man) Run(app *kong.Kong, vars kong.Vars) error {
	manual(screen.Out, app.Model.Node, vars["version"])
	return nil
}

// subcommands returns the subcommands of a node that a user sees.
func subcommands(n *kong.Node) (out []*kong.Node) {
	for _, c := range n.Children {
		if !c.Hidden && c.Type == kong.CommandNode {
			out = append(out, c)
		}
	}
	return out
}

// flags returns the flags of a node and of the nodes above it.
func flags(n *kong.Node) (out []*kong.Flag) {
	for at := n; at != nil; at = at.Parent {
		for _, f := range at.Flags {
			if !f.Hidden && !slices.ContainsFunc(out, func(o *kong.Flag) bool { return o.Name == f.Name }) {
				out = append(out, f)
			}
		}
	}
	return out
}

// walk calls the function do for n and all its subcommands. path holds the words of the command
// line up to the subcommand.
func walk(n *kong.Node, path []string, do func(n *kong.Node, path []string)) {
	do(n, path)
	for _, c := range subcommands(n) {
		walk(c, append(path[:len(path):len(path)], c.Name), do)
	}
}

// words returns the names of a node's subcommands and flags.
func words(n *kong.Node) string {
	var out []string
	for _, c := range subcommands(n) {
		out = append(out, c.Name)
	}
	for _, f := range flags(n) {
		out = append(out, "--"+f.Name)
	}
	return strings.Join(out, " ")
}

// plain returns a help text on one line, without characters that a shell interprets.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("'", "", `"`, "", "`", "", "[", "(", "]", ")", ":", " -", "$", "", `\`, "").Replace(text)
}

func bash(w io.Writer, app *kong.Node) {
	fmt.Fprint(w, "# bash completion of physlib\n_physlib() {\n"+
		"    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} where= word\n"+
		"    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n        case \"$where $word\" in\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		if len(path) > 0 {
			fmt.Fprintf(w, "            \" %s\") where=\" %s\" ;;\n", strings.Join(path, " "), strings.Join(path, " "))
		}
	})
	fmt.Fprint(w, "        esac\n    done\n    case \"$where $prev\" in\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		for _, f := range flags(n) {
			if f.Enum != "" {
				fmt.Fprintf(w, "        %q) COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", strings.Join(append([]string{""}, append(path, "--"+f.Name)...), " "), strings.ReplaceAll(f.Enum, ",", " "))
			}
		}
	})
	fmt.Fprint(w, "    esac\n    case \"$where\" in\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		fmt.Fprintf(w, "        %q) COMPREPLY=($(compgen -W %q -- \"$cur\")) ;;\n", strings.Join(append([]string{""}, path...), " "), words(n))
	})
	fmt.Fprint(w, "    esac\n    [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _physlib physlib\n")
}

func zsh(w io.Writer, app *kong.Node) {
	fmt.Fprint(w, "#compdef physlib\n_physlib() {\n    local -a words_; local where= word\n    for word in \"${(@)words[2,CURRENT-1]}\"; do\n        case \"$where $word\" in\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		if len(path) > 0 {
			fmt.Fprintf(w, "            \" %s\") where=\" %s\" ;;\n", strings.Join(path, " "), strings.Join(path, " "))
		}
	})
	fmt.Fprint(w, "        esac\n    done\n    case \"$where\" in\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		fmt.Fprintf(w, "        %q) words_=(", strings.Join(append([]string{""}, path...), " "))
		for _, c := range subcommands(n) {
			fmt.Fprintf(w, " '%s:%s'", c.Name, plain(c.Help))
		}
		for _, f := range flags(n) {
			fmt.Fprintf(w, " '--%s:%s'", f.Name, plain(f.Help))
		}
		fmt.Fprint(w, " ) ;;\n")
	})
	fmt.Fprint(w, "    esac\n    _describe physlib words_\n    _files\n}\n_physlib \"$@\"\n")
}

func fish(w io.Writer, app *kong.Node) {
	fmt.Fprint(w, "# fish completion of physlib\n")
	walk(app, nil, func(n *kong.Node, path []string) {
		when := "__fish_use_subcommand"
		if len(path) > 0 {
			var seen []string
			for _, p := range path {
				seen = append(seen, "__fish_seen_subcommand_from "+p)
			}
			when = strings.Join(seen, "; and ")
		}
		for _, c := range subcommands(n) {
			fmt.Fprintf(w, "complete -c physlib -n '%s' -a %s -d '%s'\n", when, c.Name, plain(c.Help))
		}
		for _, f := range flags(n) {
			rest := ""
			if f.Enum != "" {
				rest = " -x -a '" + strings.ReplaceAll(f.Enum, ",", " ") + "'"
			} else if !f.IsBool() {
				rest = " -r"
			}
			fmt.Fprintf(w, "complete -c physlib -n '%s' -l %s%s -d '%s'\n", when, f.Name, rest, plain(f.Help))
		}
	})
}
