package rewrite

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestPartOfPi(t *testing.T) {
	for law, want := range map[string]string{
		"sin(1/90*pi*a)":    "sin(pi*a/90)",
		"1/3*pi*a**3/7":     "pi*a**3/21",
		"4/3*pi*a**3":       "4/3*pi*a**3",
		"sin(2*(pi*a/180))": "sin(2*pi*a/180)",
		"1/3*a":             "1/3*a",
	} {
		tree, err := expr.Parse(law, []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		if got := Tidy(tree).Infix([]string{"a"}); got != want {
			t.Errorf("%s is written %s, want %s", law, got, want)
		}
	}
}
