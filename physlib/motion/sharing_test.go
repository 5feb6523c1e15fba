package motion

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func sharingCandidate(t *testing.T, h *hunt, text string) *candidate {
	t.Helper()
	tree, err := expr.Parse(text, h.names)
	if err != nil {
		t.Fatal(err)
	}
	return &candidate{tree: tree, parts: h.parts(tree)}
}

// A term is described once, whatever its coefficient and sign.
func TestShared(t *testing.T) {
	h := &hunt{names: []string{"x", "y"}}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"c0*x - c1*x*y/(c2 + x)", "c0*x*y/(c1 + x) - c2*y", true},
		{"c0*x - c1*x*y/(c2 + x)", "c0*x*y/(c1 + y)", false},
		{"c0*x", "c0*x + c1", false}, // no longer than a reference
		{"c0", "c0 + x", false},
	} {
		a, b := sharingCandidate(t, h, c.a), sharingCandidate(t, h, c.b)
		if got := shared([]*candidate{a, nil, b}) > 0; got != c.want {
			t.Errorf("%s and %s: shared %v, want %v", c.a, c.b, got, c.want)
		}
	}
	one := sharingCandidate(t, h, "c0*x*y/(c1 + x) + c2*x*y/(c3 + x)")
	if bits := shared([]*candidate{one}); bits != 0 {
		t.Errorf("one equation shares %v bits with itself", bits)
	}
}

// Constants become ±1 by their sign, and the others keep their values.
func TestWithUnits(t *testing.T) {
	vars := []string{"x", "y"}
	tree, err := expr.Parse("c0*x + c1*x*y + c2*y", vars)
	if err != nil {
		t.Fatal(err)
	}
	got := withUnits(tree.WithStarts([]float64{-1.01, 0.4, 0.98}), []int{0, 2})
	want, err := expr.Parse("c0*x*y + y - x", vars)
	if err != nil {
		t.Fatal(err)
	}
	if !expr.Equal(got, want) || got.NumParams() != 1 || got.Params()[0] != 0.4 {
		t.Errorf("%s with %v", got.Infix(vars), got.Params())
	}
}
