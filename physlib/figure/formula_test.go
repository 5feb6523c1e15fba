package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

var (
	x0, x1 = expr.X(0), expr.X(1)
	names  = []string{"a", "theta_1"}
)

func op(o expr.Op, args ...expr.Tree) expr.Tree { return expr.Apply(o, args...) }

// formulas lists laws with their text in a terminal.
var formulas = []struct {
	name string
	tree expr.Tree
	want string
}{
	{"power", op(expr.Mul, expr.Num(365.25), op(expr.Pow, x0, expr.Num(1.5))), `
            3/2
T = 365.25·a`},
	{"quotient by a negative power", op(expr.Mul, expr.Num(2), op(expr.Pow, x0, expr.Num(-2))), `
     2
T = ────
      2
     a`},
	{"root of a quotient", op(expr.Sqrt, op(expr.Div, x0, x1)), `
     ┌─────────
     │    a
T =  │─────────
    ╲│ theta_1`},
	{"signs of a sum", op(expr.Sub, op(expr.Neg, x0), op(expr.Mul, expr.Num(-3), x1)), `
T = −a + 3·theta_1`},
	{"function of a sum", op(expr.Sin, op(expr.Add, x0, expr.Num(1))), `
T = sin(a + 1)`},
	{"power of a sum", op(expr.Square, op(expr.Add, x0, expr.Num(1))), `
           2
T = (a + 1)`},
	{"negative number far from one", op(expr.Mul, expr.Num(-1.5e-9), x0), `
             −9
T = −1.5·10  ·a`},
	{"exponential", op(expr.Exp, op(expr.Neg, x0)), `
     −a
T = e`},
	{"exponential of a fraction", op(expr.Exp, op(expr.Div, x0, x1)), `
       ⎛    a    ⎞
T = exp⎜─────────⎟
       ⎝ theta_1 ⎠`},
	{"half", op(expr.Mul, expr.Num(0.5), op(expr.Mul, x0, op(expr.Square, x1))), `
             2
    a·theta_1
T = ────────────
         2`},
	{"free constant", op(expr.Mul, expr.C(0, 1), x0), `
T = c_0·a`},
	{"no tree", expr.Tree{}, `
T`},
}

func TestText(t *testing.T) {
	for _, c := range formulas {
		if got := "\n" + strings.Join(Text("T", c.tree, names), "\n"); squeeze(got) != squeeze(c.want) {
			t.Errorf("%s:%s\nwant%s", c.name, got, c.want)
		}
	}
}

// squeeze replaces runs of spaces by one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestMathMLIsXML(t *testing.T) {
	awkward := []string{"<&>", "_"}
	for _, c := range formulas {
		for _, vars := range [][]string{names, awkward, nil} {
			wellFormed(t, c.name, MathML("T", c.tree, vars))
		}
	}
	for o := range expr.Operators() { // apply every operator to itself
		args := []expr.Tree{x0, x1}[:o.Arity()]
		inner := op(o, args...)
		wellFormed(t, "operator", MathML("T", op(o, []expr.Tree{inner, inner}[:o.Arity()]...), names))
		if len(Text("T", inner, names)) == 0 {
			t.Errorf("operator %d has no text", o)
		}
	}
}

func wellFormed(t *testing.T, what, s string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, s)
		}
	}
}
