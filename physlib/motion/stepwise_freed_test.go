package motion

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Numbers that are added become free constants one at a time; exponents and factors stay.
func TestFreedAddends(t *testing.T) {
	var got []string
	for _, tree := range freedAddends(mustParse("c0*x*y/(x**2 + 1) - 3*sin(2 - y)", "x", "y")) {
		got = append(got, tree.Infix([]string{"x", "y"}))
	}
	var want []string
	for _, text := range []string{"c0*x*y/(x**2 + c1) - 3*sin(2 - y)", "c0*x*y/(x**2 + 1) - 3*sin(c1 - y)"} {
		want = append(want, shortened(mustParse(text, "x", "y").AbsorbParams()).Infix([]string{"x", "y"}))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if freed := freedAddends(expr.X(0)); len(freed) != 0 {
		t.Errorf("%d variants of a column", len(freed))
	}
}

// Exponents that are not whole become whole, and denominators lose one addend.
func TestPlainer(t *testing.T) {
	for text, want := range map[string][]string{
		"c0*x**1.5 - y":      {"c0*x - y", "c0*x**2 - y"},
		"c0*sqrt(x) - y":     {"c0*x - y"},
		"x**2/(c0*x + 1)":    {"x**2/(c0*x)", "x**2"},
		"c0*x*y**3 + sin(x)": nil,
	} {
		var got []string
		for _, v := range plainer(mustParse(text, "x", "y")) {
			got = append(got, v.Infix([]string{"x", "y"}))
		}
		for i, w := range want {
			want[i] = shortened(mustParse(w, "x", "y").AbsorbParams()).Infix([]string{"x", "y"})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
