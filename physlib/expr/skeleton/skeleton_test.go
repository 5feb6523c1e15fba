package skeleton_test

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

func parse(t testing.TB, s string) expr.Tree {
	tree, err := expr.Parse(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree.Canonical()
}

func TestHash(t *testing.T) {
	same := [][]string{
		{"c0*x0/(c1 + x0)", "c0*x0/(1 + c1*x0)", "x0/(c0 + c1*x0)", "x1/(c3 + 2*c1*x1)"},
		{"c0*exp(-c1*x0)", "c1*exp(c0*x3)", "exp(x0*c1)*c0*pi"},
		{"x0*x1**2", "x1*x0**2", "x4*x2**2"},
		{"x0*exp(x0) + x1", "x1*exp(x1) + x0"},
		{"c0*x0 + c1", "c0*x0 + c1 + 3", "c1 - x0*c0"},
		{"c0*x0 + c0**2*x1", "c1**2*x0 + c1*x1"},
		{"c0/(1 + x0*c1)*x1", "x0/(c1 + c0*x1)"},
		{"2*pi*sqrt(x0/x1)", "2*pi*sqrt(x1/x0)"},
		{"x2*(x0 - x1)", "x2*(x1 - x0)"},
		{"c0*x0*(x0 - x1)", "c0*x1*(x0 - x1)"},
		{"c0*x0*x1 + c1*(x0 - x2)", "c0*x0*x1 + c1*(x2 - x1)"},
		{"(x0**2 - x1**2)/x0", "(x1**2 - x0**2)/x1"},
		{"log(x0/x1)/(x0 - x1)", "log(x1/x0)/(x1 - x0)"},
		{"exp(x0 - x1)*x1", "exp(x1 - x0)*x0"},
		{"x0*(1 - x1)", "x1*(1 - x0)"},
		{"c0*erf(c1*x0)", "erf(x1*c0)*c1"},
		{"min(c0, x0)", "min(x1, c0)"},
		{"max(x0, x1)", "max(x1, x0)"},
		{"c0*(x0 + x1)/(x2 + c1)", "(x2 + x1)/(c0*x0 + c1)"},
	}
	seen := map[uint64]string{}
	var f skeleton.Tree
	for _, group := range same {
		h := skeleton.Hash(parse(t, group[0]))
		for _, s := range group {
			f.Set(parse(t, s))
			if f.Hash() != h {
				t.Errorf("%s is %s, unlike %s", s, &f, group[0])
			}
		}
		if other, ok := seen[h]; ok {
			t.Errorf("%s is like %s", group[0], other)
		}
		seen[h] = group[0]
	}
	for _, s := range []string{"x0*exp(x1) + x0", "x0*exp(x0) + x0", "x0*x1", "x0 + x1", "x0**2*x1**2",
		"c0*x0 + c1**2*x1", "x0 - x1", "erf(x0)", "erfc(x0)", "min(x0, x1)", "min(x0, 2)", "1 - x0", "2 - x0", "x0**3", "x0**x1", "x1**c0", "c0**x0",
		"-x0", "x0/x1", "x0 - 1", "-1", "x0*(x1 - 1)/(x0 + 1)", "(x0**2 - x1**2)/x1", "x0*(x1 - 1)", "exp(x0 - x1)*x0", "1/x0", "x0/2", "sqrt(2)*x0", "exp(x0)/(x1 + x2)", "-2.5*x0", "x0*x1 + x1*x2"} {
		h := skeleton.Hash(parse(t, s))
		if other, ok := seen[h]; ok {
			t.Errorf("%s is like %s", s, other)
		}
		seen[h] = s
	}
	if skeleton.Hash(expr.Tree{}) != 0 {
		t.Error("the empty tree has a hash")
	}
}

func TestString(t *testing.T) {
	var f skeleton.Tree
	for law, want := range map[string]string{
		"c0*exp(-c1*x0)":     "(product c (exp (product c x0)))",
		"1 - x0**2.5/(3*x1)": "(sum 1 (product - ratio 0.333333 (inverse x1) (ratio power 2.5 x0)))",
		"x0**c1":             "(power x0 c)",
		"x0":                 "x0",
		"-3":                 "(product - integer 3)",
	} {
		f.Set(parse(t, law))
		if f.String() != want {
			t.Errorf("%s: %s, want %s", law, &f, want)
		}
	}
	f.Set(expr.Tree{})
	if f.String() != "" {
		t.Error("empty:", f.String())
	}
}

func BenchmarkSet(b *testing.B) {
	tree := parse(b, "c0*x0*exp(-c1*x1/x2)/(c2 + x0*x3**2)")
	b.Log(tree, tree.Len())
	b.Run("canonical", func(b *testing.B) {
		for b.Loop() {
			tree.Canonical()
		}
	})
	b.Run("set", func(b *testing.B) {
		var f skeleton.Tree
		b.ReportAllocs()
		for b.Loop() {
			f.Set(tree)
		}
	})
}
