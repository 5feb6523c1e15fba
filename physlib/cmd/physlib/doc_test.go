package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const (
	root     = "../../.."
	frontMax = 8 << 10 // largest size of README.md in bytes
)

// pages returns the paths of all Markdown files of the repository, relative to its root.
func pages(t *testing.T) (out []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		hidden := strings.HasPrefix(e.Name(), ".") && rel != "."
		if e.IsDir() && (hidden || slices.Contains([]string{"experiments/runs", "notebooks/build", "notebooks/runs"}, filepath.ToSlash(rel))) {
			return filepath.SkipDir
		}
		if !e.IsDir() && !hidden && filepath.Ext(path) == ".md" {
			out = append(out, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	span    = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
)

// prose returns a page without its code.
func prose(page string) string { return span.ReplaceAllString(fence.ReplaceAllString(page, ""), "") }

// anchors returns the anchors that GitHub gives to the headings of a page.
func anchors(page string) (out []string) {
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, h[1]))
	}
	return out
}

// brokenLinks returns the relative links of a page that lead nowhere.
func brokenLinks(path, page string) (out []string) {
	dir := filepath.Dir(path)
	if filepath.ToSlash(dir) == "notebooks/source" {
		dir = "notebooks" // folder of the notebook that is made from this page
	}
	for _, m := range link.FindAllStringSubmatch(prose(page), -1) {
		if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		target := path
		if file != "" {
			target = filepath.Join(dir, file)
		}
		if _, err := os.Stat(filepath.Join(root, target)); err != nil {
			out = append(out, m[1])
			continue
		}
		if anchor == "" || filepath.Ext(target) != ".md" {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(root, target)); err != nil || !slices.Contains(anchors(string(b)), anchor) {
			out = append(out, m[1])
		}
	}
	return out
}

func TestLinks(t *testing.T) {
	for _, path := range pages(t) {
		for _, l := range brokenLinks(path, readPage(t, path)) {
			t.Errorf("%s: the link %s leads nowhere", path, l)
		}
	}
	bad := "[a](LICENSE) [b](nowhere.md) [c](README.md#install) [d](README.md#nowhere) `[e](code.md)`"
	if got, want := brokenLinks("README.md", bad), []string{"nowhere.md", "README.md#nowhere"}; !slices.Equal(got, want) {
		t.Errorf("broken links of a bad page: %q, want %q", got, want)
	}
}

// outside matches references to things outside the repository.
var outside = regexp.MustCompile(`-note[s](\.md| §)|\b[a-z]+\.(md|txt) §|/wor[k]/|(?i)\bissu[e] #?[0-9]`)

// Code and pages refer to nothing outside the repository but papers.
func TestNothingOutside(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(e.Name(), ".") && path != root && e.Name() != ".ci"
		if err != nil || e.IsDir() && (hidden || slices.Contains([]string{"runs", "build", "bin"}, e.Name())) {
			return cmp.Or(err, fs.SkipDir)
		}
		if e.IsDir() {
			return nil
		}
		if hidden || !slices.Contains([]string{".go", ".md", ".yaml", ".yml", ".txtar", ".sh", ".ipynb"}, filepath.Ext(path)) && path != filepath.Join(root, ".ci", "run") {
			return nil
		}
		data, err := os.ReadFile(path)
		for i, line := range strings.Split(string(data), "\n") {
			if found := outside.FindString(line); found != "" {
				t.Errorf("%s:%d: %q", path, i+1, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The README has at most frontMax bytes. Its first code block contains an example of discover and
// the command that runs the tests, both as in .ci/run.
func TestFrontPage(t *testing.T) {
	page := readPage(t, "README.md")
	if len(page) > frontMax {
		t.Errorf("README.md has %d bytes, more than %d; move something to physlib/doc", len(page), frontMax)
	}
	_, block, _ := strings.Cut(page, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	want := "GOTOOLCHAIN=auto GOEXPERIMENT=simd go run ./physlib/cmd/physlib discover --example kepler\n" +
		"GOTOOLCHAIN=auto GOEXPERIMENT=simd go test ./physlib/...\n"
	if block != want {
		t.Errorf("README.md begins with the commands\n%swant\n%s", block, want)
	}
}

// The picture and the table in design.md show the packages in the order of the list rooms.
func TestRoomsAreDocumented(t *testing.T) {
	picture := filepath.Join(root, "physlib/doc/rooms.svg")
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile(picture, []byte(drawRooms()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(picture); err != nil || string(b) != drawRooms() {
		t.Errorf("physlib/doc/rooms.svg does not show the rooms; draw it with UPDATE_DOCS=1 go test ./physlib/cmd/physlib -run RoomsAreDocumented (%v)", err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| \[([a-z/]+)\]\(`).FindAllStringSubmatch(readPage(t, "physlib/doc/design.md"), -1) {
		listed = append(listed, m[1])
	}
	var want []string
	for _, r := range rooms {
		want = append(want, strings.TrimPrefix(r, "physlib/"))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("design.md lists the rooms\n%v, want\n%v", listed, want)
	}
}

// drawRooms draws a row for each package of rooms. Those that may use tensors are on the right, all
// others on the left.
func drawRooms() string {
	const width, row, top, box = 560, 26, 46, 200
	var b strings.Builder
	height := top + row*len(rooms) + 14
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="160" y="26" text-anchor="middle" font-weight="bold" fill="#222222">symbols</text>`+"\n")
	fmt.Fprintf(&b, `<text x="420" y="26" text-anchor="middle" font-weight="bold" fill="#222222">tensors</text>`+"\n")
	fmt.Fprintf(&b, `<path d="M30 %d V%d m-5 -9 l5 9 l5 -9" stroke="#555555" fill="none"/>`+"\n", top, height-16)
	fmt.Fprintf(&b, `<text x="20" y="%d" text-anchor="middle" fill="#555555" transform="rotate(-90 20 %d)">imports</text>`+"\n", height/2, height/2)
	for i, r := range rooms {
		x, w, fill := 60, box, "#dbe9f6"
		switch {
		case strings.HasPrefix(r, "physlib/cmd") || r == "experiments":
			w, fill = width-80, "#eeeeee"
		case slices.Contains(tensor, r):
			x, fill = width-20-box, "#fde5c8"
		}
		y := top + row*i
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s" stroke="#888888"/>`, x, y, w, row-5, fill)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" fill="#222222">%s</text>`+"\n", x+w/2, y+15, strings.TrimPrefix(r, "physlib/"))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
