package rewrite_test

import (
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Each law is a sum of terms in e. Each want is the same law, written with e and T = 273 + 500·e.
// want must be among the forms, and all forms must be equal to the law.
func TestRelation(t *testing.T) {
	of := rewrite.Relation{X: 0, Y: 1, A: 273, B: 500}
	cols := [][]float64{nil, nil}
	for i := range 40 {
		e := 0.01 + float64(i)*0.015
		cols[0], cols[1] = append(cols[0], e), append(cols[1], 273+500*e)
	}
	for _, c := range []struct{ law, want string }{
		{"7.3*e**3 + 3975*exp(-e)*(e - 0.03)", "7.3*e**3 + 7.95*(T - 288)*exp(-e)"},
		{"90*e**2 + 1240*e*log(e + 1) - 160*log(e + 1)", "90*e**2 + 2.48*(T - 337.51612903225806)*log(e + 1)"},
		{"800*e**1.6 - 300*e - 128*e**0.6 + 48", "(T - 353)*(1.6*e**0.6 - 0.6)"},
		{"92.4*e - 600*e**2 + 2500*exp(0.95*log(e))*(e - 0.1)", "(T - 323)*(5*e**0.95 - 1.2*e) + 32.4*e"},
		{"6*e**3 - 900*e**2 + 290*e + 2500*e*sin(e) - 300*sin(e)", "(T - 333)*(5*sin(e) - 1.8*e) + 182*e + 6*e**3"},
		{"100000*e**3 - 20000*e**2 + 3000*e", "e*(0.4*T**2 - 258.4*T + 43731.6)"},
		{"3*exp(-20/(e + 0.546))", "3*exp(-10000/T)"},
	} {
		tree := parsed(t, c.law)
		want := parsed(t, c.want)
		found := false
		var all []string
		for _, f := range of.Apply(tree) {
			all = append(all, f.Infix([]string{"e", "T"}))
			found = found || same(f, want)
			for i, v := range values(f, cols) {
				if w := values(tree, cols)[i]; math.Abs(v-w) > 2e-3*math.Abs(w)+1e-3 {
					t.Errorf("%s: %s is %g at row %d, not %g", c.law, all[len(all)-1], v, i, w)
					break
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s among\n\t%s", c.law, c.want, strings.Join(all, "\n\t"))
		}
	}
	if got := of.Apply(parsed(t, "2*T + 3")); len(got) > 0 {
		t.Errorf("2*T + 3 has no e, and is written %s", got[0])
	}
}

func parsed(t *testing.T, text string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(text, []string{"e", "T"})
	if err != nil {
		t.Fatal(err)
	}
	next := int32(0)
	nodes := tree.Nodes()
	return tree.MapLeaves(func(i int, n expr.Node) expr.Node {
		if n.Op == expr.Number && !(i+1 < len(nodes) && nodes[i+1].Op == expr.Pow && n.Value == math.Trunc(n.Value)) && n.Value != 1 {
			n = expr.Node{Op: expr.Param, Index: next, Value: n.Value}
			next++
		}
		return n
	})
}

func values(t expr.Tree, cols [][]float64) []float64 {
	return t.Values(len(cols[0]), cols, t.Params())
}

// same reports whether two laws agree when e and T have independent values.
func same(a, b expr.Tree) bool {
	cols := [][]float64{{0.1, 0.2, 0.3, 0.4, 0.5}, {500, 300, 420, 380, 280}}
	va, vb := values(a, cols), values(b, cols)
	for i := range va {
		if math.Abs(va[i]-vb[i]) > 1e-6*math.Abs(vb[i]) {
			return false
		}
	}
	return true
}
