package rewrite

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestSharedConstants(t *testing.T) {
	for _, c := range []struct{ law, want string }{
		{"c0*(c1*exp(c2*x) - c1 + 1)", "c0*(c1*(exp(c2*x) - 1) + 1)"},
		{"c0*x/(c0*x + 1 - c0)", "c0*x/(c0*(x - 1) + 1)"},
		{"c0 - c0*x", "c0*(1 - x)"},
		{"-c0 - c0*x/y", "c0*(-(x/y) - 1)"},
		{"c0 + c0/x", "c0*(1/x + 1)"},
		{"c0*x + c1", "c0*x + c1"},
		{"c0*exp(c1*x) - c1", "c0*exp(c1*x) - c1"},
		{"c0 + c0", "c0 + c0"},
	} {
		law, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := SharedConstants(law).Infix([]string{"x", "y"}); got != c.want {
			t.Errorf("%s: got %s, want %s", c.law, got, c.want)
		}
	}
}
