package rewrite

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestDecimal(t *testing.T) {
	for _, c := range []struct{ law, want string }{
		{"c0*(20*x + 5463)/(x - y)", "c0*(x + 273.15)/(x - y)"},
		{"c0*log(5*y + 2001)", "c0*log(y + 400.2)"},
		{"c0*(7*x + 5463)", "c0*(7*x + 5463)"},
		{"c0*(20*x + 3)", "c0*(20*x + 3)"},
		{"c0*(20*x*y + 5463)", "c0*(20*x*y + 5463)"},
	} {
		law, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := Decimal(law).Infix([]string{"x", "y"}); got != c.want {
			t.Errorf("%s: got %s, want %s", c.law, got, c.want)
		}
	}
}
