package discover

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Laws are written with few minus signs, and a constant keeps its slot.
func TestReadableSigns(t *testing.T) {
	table, _, err := dataset.Read(strings.NewReader("T,y\n10,5\n20,6\n35,7\n"), "t.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		law    string
		params []float64
		want   string
	}{
		{"(c0 - c1*T)*(c2*T - 1)", []float64{0.00524, 0.004811, -0.1361}, "(0.004811*T - 0.00524)*(0.1361*T + 1)"},
		{"c0/(cos(T) + c1)", []float64{-513.7, -1.784}, "513.7/(1.784 - cos(T))"},
	} {
		tree, err := expr.Parse(c.law, []string{"T"})
		if err != nil {
			t.Fatal(err)
		}
		got := readable(tree.WithStarts(c.params), table)
		if text := got.Bind(got.Params()).Infix([]string{"T"}); text != c.want {
			t.Errorf("%s: %s, want %s", c.law, text, c.want)
		}
	}
}
