package discover

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// It is an error if --without excludes what the law of --given contains.
func TestWithoutAndGiven(t *testing.T) {
	table := &dataset.Table{Name: "t.csv", Target: dataset.Column{Name: "T"}, Vars: []dataset.Column{{Name: "l"}, {Name: "a"}, {Name: "x"}}}
	for _, c := range []struct{ without, want string }{
		{"sqrt", "--without sqrt: the law of --given, T = sqrt(l)*f(cos(a)), contains sqrt; leave it out of one of them"},
		{"cos", "contains cos"},
		{"l", "contains l"},
		{"a", "contains a"},
		{"x", ""},
		{"sin", ""},
	} {
		f := knowledgeFlags{Given: "T = sqrt(l)*f(cos(a))", Without: []string{c.without}}
		_, err := f.apply(table, &discover.Settings{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("--without %s: %v, want %q", c.without, err, c.want)
		}
	}
}
