package neural

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/system"
)

func TestChoose(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.safetensors")
	if err := os.WriteFile(file, []byte("no weights"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		names []string
		want  string // names of the Proposers, or "!" and the text of the error
	}{
		{[]string{"search"}, "search"},
		{[]string{"genetic", " search", "genetic"}, "genetic search"},
		{[]string{"search", "physdiffuse-small=" + file}, "search physdiffuse-small"},
		{[]string{"search", "physdiffuse-small+evolve=" + file}, "search physdiffuse-small+evolve"},
		{[]string{"search+evolve"}, "!search is not a neural system; put +evolve behind the name of one"},
		{[]string{"serch"}, `!no proposer is called "serch"; there are search, genetic, `},
		{[]string{"physdiffuse+adapt", "physdiffuse-small+adapt=" + file}, "physdiffuse+adapt physdiffuse-small+adapt"},
		{[]string{"search+adapt"}, "!search is not a neural system; put +adapt behind the name of one"},
		{[]string{"physdiffuse+adapt+evolve"}, "!leave +adapt or +evolve out"},
		{[]string{"physdifuse+adapt=" + file}, `!did you mean physdiffuse`},
		{[]string{""}, `!no proposer is called ""`},
		{[]string{"physdifuse=" + file}, `!did you mean physdiffuse`},
		{[]string{"physdiffuse=none.safetensors"}, "!weights of physdiffuse: stat none.safetensors"},
	} {
		c, err := Flags{Proposers: test.names, Backend: "go"}.Choose()
		want, bad := strings.CutPrefix(test.want, "!")
		switch {
		case bad && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: error %v, want %q", test.names, err, want)
		case !bad && (err != nil || strings.Join(c.Names, " ") != want):
			t.Errorf("%q: %q, %v, want %s", test.names, c.Names, err, want)
		}
	}
	if _, err := (Flags{Backend: "cuda"}).Choose(); err == nil || !strings.Contains(err.Error(), `unknown backend "cuda"`) {
		t.Errorf("a backend that is none: %v", err)
	}
}

// By default all trained systems take part. A message names the others.
func TestDefault(t *testing.T) {
	c, err := Flags{}.Choose()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{discover.Search, discover.Genetic, discover.Forms}
	for _, f := range Families() {
		if trained(f) != "" {
			want = append(want, f)
			continue
		}
		if !strings.Contains(strings.Join(c.Report(), "\n"), f) {
			t.Errorf("%s is missing without a word", f)
		}
		_, err := Flags{Proposers: []string{f}}.Choose()
		if err == nil || !strings.Contains(err.Error(), f+" has no trained weights in this program; train some with") {
			t.Errorf("%s: %v", f, err)
		}
	}
	if !slices.Equal(c.Names, want) || len(c.Extra) != len(want)-3 {
		t.Errorf("%q, want %q", c.Names, want)
	}
	if !slices.Contains(Families(), "physdiffuse") || slices.Contains(Families(), "physdiffuse-small") {
		t.Errorf("families are %q", Families())
	}
}

// A system is opened at its first use. Invalid weights then give an error that names them.
func TestLazy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "w.safetensors")
	os.WriteFile(file, []byte("no weights"), 0o644)
	c, err := Flags{Proposers: []string{"physdiffuse-small=" + file}, Backend: "go"}.Choose()
	if err != nil {
		t.Fatal(err)
	}
	l := c.Extra[0].Proposer.(*lazy)
	if want := "physdiffuse-small: weights " + file + ", not opened, since it was not needed"; l.String() != want || c.Report()[0] != want {
		t.Errorf("%q, want %q", l, want)
	}
	for range 2 {
		n := 0
		for _, err := range l.Propose(t.Context(), &dataset.Problem{}) {
			if n++; err == nil || !strings.Contains(err.Error(), "physdiffuse-small is left out: weights of physdiffuse-small: ") {
				t.Errorf("error %v", err)
			}
		}
		if n != 1 {
			t.Errorf("%d errors", n)
		}
	}
	if _, err := Open(compute.Backend(nil), "physdiffuse-small", "none", func(*system.Config) {}); err == nil {
		t.Error("no file is not an error")
	}
}
