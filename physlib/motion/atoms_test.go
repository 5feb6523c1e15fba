package motion

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// TestOneSigned expects that terms with |u| or sign(u) count as redundant only if u has one sign in
// all rows.
func TestOneSigned(t *testing.T) {
	columns := [][]float64{{3, 4, 5}, {1, 2, 7}, {-1, -2, -3}}
	for _, c := range []struct {
		term string
		want bool
	}{
		{"x*abs(x - z)", true},
		{"x*abs(x - y)", false},
		{"abs(z)*z", true},
		{"sign(x)", true},
		{"sign(x - y)", false},
		{"x*(x - z)", false},
		{"w*abs(w)", false}, // w has no column
	} {
		term, err := expr.Parse(c.term, []string{"x", "y", "z", "w"})
		if err != nil {
			t.Fatal(err)
		}
		if got := oneSigned(term, columns); got != c.want {
			t.Errorf("%s: %v, want %v", c.term, got, c.want)
		}
	}
}

// Amounts have no central forces, and no products or sums with sines and cosines.
func TestAtomsOfAmounts(t *testing.T) {
	names := []string{"x", "y"}
	all, amounts := texts(allAtoms(2, false), names), texts(allAtoms(2, true), names)
	for _, atom := range []string{"x*sqrt(square(x) + square(y))", "x*sin(y)", "sin(x - y)"} {
		if !slices.Contains(all, atom) {
			t.Errorf("%s is no atom: %q", atom, all)
		}
		if slices.Contains(amounts, atom) {
			t.Errorf("%s is an atom of amounts", atom)
		}
	}
	for _, atom := range []string{"x*y", "x*log(x)", "square(x)/y", "sin(x)"} {
		if !slices.Contains(amounts, atom) {
			t.Errorf("%s is no atom of amounts: %q", atom, amounts)
		}
	}
	for _, atom := range amounts {
		if !slices.Contains(all, atom) {
			t.Errorf("%s is an atom of amounts only", atom)
		}
	}
}

func texts(trees []expr.Tree, names []string) (out []string) {
	for _, t := range trees {
		out = append(out, t.Infix(names))
	}
	return out
}
