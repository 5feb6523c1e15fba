package rewrite

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestCancelPi(t *testing.T) {
	for law, want := range map[string]string{
		"cos(180*c0*(pi*x/180)/pi)":      "cos(1*c0*x)",
		"cos(0.00849*(pi*x/180)*180/pi)": "cos(0.00849*x)",
		"1/(1 + (pi*x/180)/(2*pi))":      "1/(1 + 1/360*x)",
		"sin(2*(pi*x/180))":              "sin(2*(pi*x/180))",
		"x/(pi*pi)*pi":                   "1*x/pi",
	} {
		tree, err := expr.Parse(law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := CancelPi(tree).Infix([]string{"x"}); got != want {
			t.Errorf("%s: %s, want %s", law, got, want)
		}
	}
}
