package main

import (
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// words splits a shell line into the words of its commands, which are separated by ;, | and &&. It
// ignores comments.
func words(line string) (commands [][]string) {
	var word strings.Builder
	var command []string
	quote, inside := rune(0), false
	next := func() {
		if inside {
			command = append(command, word.String())
		}
		word.Reset()
		inside = false
	}
	end := func() {
		next()
		if command != nil {
			commands = append(commands, command)
		}
		command = nil
	}
	for _, r := range line {
		switch {
		case r == quote && quote != 0:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			next()
		case quote == 0 && (r == ';' || r == '|' || r == '&'):
			end()
		case quote == 0 && r == '#' && !inside:
			end()
			return commands
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	end()
	return commands
}

// arguments returns the arguments of a command whose program is physlib.
func arguments(command []string) (args []string, ok bool) {
	for len(command) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(command[0]) {
		command = command[1:]
	}
	switch {
	case len(command) > 1 && path.Base(command[0]) == "physlib":
		return command[1:], true
	case len(command) > 3 && slices.Equal(command[:3], []string{"go", "run", "./physlib/cmd/physlib"}):
		return command[3:], true
	// Tables of results leave out the words "physlib bench recovery" at the beginning.
	case len(command) > 1 && command[0] == "--suite":
		return append([]string{"bench", "recovery"}, command...), true
	}
	return nil, false
}

// commandLines returns the arguments of the physlib commands on a page: those in code blocks, and
// those mentioned in sentences.
func commandLines(page string) (blocks, mentions [][]string) {
	collect := func(line string) (out [][]string) {
		for _, command := range words(line) {
			if args, ok := arguments(command); ok {
				out = append(out, args)
			}
		}
		return out
	}
	for _, block := range fence.FindAllString(page, -1) {
		if !strings.HasPrefix(block, "```sh\n") {
			continue
		}
		for _, line := range strings.Split(block, "\n")[1:] {
			blocks = append(blocks, collect(line)...)
		}
	}
	for _, s := range span.FindAllString(fence.ReplaceAllString(page, ""), -1) {
		mentions = append(mentions, collect(strings.Trim(s, "`"))...)
	}
	return blocks, mentions
}

// parses reports errors in a command line without running it. If complete is false, the command is
// mentioned in a sentence and may lack required arguments.
func parses(args []string, complete bool) error {
	parser, err := kong.New(&commands{}, kong.Name("physlib"), kong.Vars{"version": ""}, kong.Writers(io.Discard, io.Discard),
		kong.Exit(func(int) {}))
	if err != nil {
		return err
	}
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--help" })
	if complete {
		_, err = parser.Parse(args)
		return err
	}
	trace, err := kong.Trace(parser, args)
	if err != nil {
		return err
	}
	return trace.Error
}

func TestCommandsInPages(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		if page != "README.md" && page != "environment.md" && !strings.HasPrefix(filepath.ToSlash(page), "physlib/doc/") {
			continue
		}
		blocks, mentions := commandLines(readPage(t, page))
		for i, args := range append(blocks, mentions...) {
			n++
			if err := parses(args, i < len(blocks)); err != nil {
				t.Errorf("%s: physlib %s: %v", page, strings.Join(args, " "), err)
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d commands were found in the pages", n)
	}
	for _, bad := range [][]string{{"discovr"}, {"discover", "--exampel", "kepler"}, {"bench", "recovry", "--suite", "x"}, {"fit", "--start"}} {
		if parses(bad, false) == nil {
			t.Errorf("physlib %s is read as a command", strings.Join(bad, " "))
		}
	}
	if parses([]string{"bench", "recovery"}, true) == nil {
		t.Error("physlib bench recovery is read as complete without --suite")
	}
}

// The Go program of the README prints the text in its comments.
func TestProgramInReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs a program")
	}
	_, program, ok := strings.Cut(readPage(t, "README.md"), "```go\n")
	program, _, closed := strings.Cut(program, "```")
	if !ok || !closed {
		t.Fatal("README.md shows no Go program")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	var said strings.Builder
	run.Dir, run.Stderr = root, &said
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var want strings.Builder
	for _, m := range regexp.MustCompile(`(?m)fmt\.Print.*// (.*)$`).FindAllStringSubmatch(program, -1) {
		want.WriteString(m[1] + "\n")
	}
	if string(out) != want.String() {
		t.Errorf("the program prints\n%swant\n%s", out, want.String())
	}
}

// The version that is to be cited is the newest of the changelog.
func TestCitation(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## \[([0-9.]+)\] - ([0-9-]+)$`).FindStringSubmatch(readPage(t, "CHANGELOG.md"))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	for _, want := range []string{"version: " + newest[1], "date-released: " + newest[2]} {
		if !strings.Contains(readPage(t, "CITATION.cff"), "\n"+want+"\n") {
			t.Errorf("CITATION.cff lacks %q of the newest version in CHANGELOG.md", want)
		}
	}
}
