package expr

import "testing"

// The functions that replace, rename and number leaves give results that were written by hand.
func TestLeaves(t *testing.T) {
	vars := []string{"x", "y"}
	parse := func(s string) Tree {
		tree, err := Parse(s, vars)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	swapped, ok := parse("c0*x + y").MapVars(func(v int) (int, bool) { return 1 - v, true })
	if !ok {
		t.Error("a column was not renamed")
	}
	if _, ok := parse("x + y").MapVars(func(v int) (int, bool) { return v, v == 0 }); ok {
		t.Error("a column without a name was renamed")
	}
	law := parse("c2*exp(c0*x) + c2")
	for _, c := range []struct {
		got  Tree
		want string
	}{
		{swapped, "c0*y + x"},
		{parse("x*y").SubstituteVars([]Tree{X(1), parse("x + 1")}), "y*(x + 1)"},
		{law.SubstituteParam(2, parse("c0 + y")), "(c0 + y)*exp(c0*x) + (c0 + y)"},
		{parse("c0*x + c1").SubstituteParams([]Tree{C(1, 1), Num(2)}), "c1*x + 2"},
		{law.CompactParams(), "c1*exp(c0*x) + c1"},
		{law.NumberParams(), "c0*exp(c1*x) + c0"},
		{law.UnshareParams(), "c0*exp(c1*x) + c2"},
		{law.ShiftParams(3), "c5*exp(c3*x) + c5"},
		{parse("c0*x + c1").ParamsAsVars(1), "y*x + x2"},
		{law.Subtree(4), "exp(c0*x)"},
		{law.Splice(4, 5), "c2*(c0*x) + c2"},
		{law.Splice(1, 5, X(1).Nodes()...), "c2*y + c2"},
	} {
		if got := c.got.Infix([]string{"x", "y", "x2"}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if law.Infix(vars) != "c2*exp(c0*x) + c2" {
		t.Errorf("the law became %s", law.Infix(vars))
	}
}
