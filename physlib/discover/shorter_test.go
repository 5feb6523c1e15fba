package discover

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Of two equivalent laws, the more usual form is shown.
func TestShorter(t *testing.T) {
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: []float64{1, 2, 3}}}, Target: dataset.Column{Name: "y", Values: []float64{1, 2, 4}}}
	k := &ranking{m: mdl.New(table, survey.Catalogue(), true)}
	law := func(s string) ranked {
		tree, err := expr.Parse(s, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		return ranked{Score: mdl.Score{Tree: tree}}
	}
	for _, c := range [][2]string{
		{"c0*x/(x + c1)", "c0/(1 + c1/x)"},
		{"c0*x/(x + c1)", "c0/(1/x + c1)"},
		{"c0 + c1*x + c2*x**2", "c0*(x + c1)**2 + c2"},
	} {
		if a, b := law(c[0]), law(c[1]); !k.shorter(a, b) || k.shorter(b, a) {
			t.Errorf("%s is not preferred to %s", c[0], c[1])
		}
	}
}
