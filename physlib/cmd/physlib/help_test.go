package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// helpColumns is the largest width of a line of help. --help wraps sentences to the width of the
// terminal, but not examples. The manual page shows the text of Help methods as it is.
const helpColumns = 100

func TestHelpColumns(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	var out bytes.Buffer
	parser, err := kong.New(&commands{}, append(options(), kong.Writers(&out, io.Discard), kong.Exit(func(int) {}))...)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	var visit func(n *kong.Node, path []string)
	visit = func(n *kong.Node, path []string) {
		out.Reset()
		context, err := kong.Trace(parser, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := context.PrintUsage(false); err != nil {
			t.Fatal(err)
		}
		pages++
		unfilled := n.Detail
		if len(path) == 0 {
			unfilled = n.Help
		}
		for what, text := range map[string]string{"help": out.String(), "manual page": unfilled} {
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				if n := utf8.RuneCountInString(line); n > helpColumns {
					t.Errorf("%s of physlib %s: a line of %d columns: %s", what, strings.Join(path, " "), n, line)
				}
			}
		}
		for _, child := range n.Children {
			visit(child, append(path[:len(path):len(path)], child.Name))
		}
	}
	visit(parser.Model.Node, nil)
	if pages < 25 {
		t.Errorf("only %d commands have help", pages)
	}
}
