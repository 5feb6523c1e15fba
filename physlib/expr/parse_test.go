package expr

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ in, want string }{ // want is in reverse Polish notation
		// precedence as in Python
		{"-x**2", "x 2 pow neg"}, {"2**-1", "2 -1 pow"}, {"x**y**z", "x y z pow pow"}, {"x-y-z", "x y sub z sub"},
		{"x/y*z", "x y div z mul"}, {"-x*y", "x neg y mul"}, {"x*-y", "x y neg mul"}, {"--x", "x neg neg"}, {"+x", "x"},
		{"x^2", "x 2 pow"}, {"x²", "x 2 pow"}, {"-x⁻¹²·y", "x -12 pow neg y mul"}, {"2**-x**2", "2 x 2 pow neg pow"}, {"(x+y)*z", "x y add z mul"}, {"x**(1/2)", "x 1/2 pow"},
		// numbers
		{"1/2*x", "1/2 x mul"}, {"-2", "-2"}, {"x*1/2", "x 1 mul 2 div"}, {"1.5e-7", "1.5e-7"}, {".5", "1/2"}, {"6/3", "2"}, {"2.e3", "2000"},
		{"1e999", "1e999"}, {"-0.1", "-0.1"}, {"1/0", "1 0 div"}, {"0.5/3", "1/2 3 div"},
		// names
		{"pi*e", "pi e mul"}, {"π", "pi"}, {"E", "e"}, {"c0+c12", "c0 c12 add"}, {"`my col`*x", "`my col` x mul"}, {"µ−λ₀·x", "µ λ₀ x mul sub"},
		// functions
		{"sqrt(x)", "x sqrt"}, {"ln(x)", "x log"}, {"arcsin(x)", "x asin"}, {"pow(x,2)", "x 2 pow"}, {"add(x, y)", "x y add"},
		{"cot(x)", "1 x tan div"}, {"log(x,2)", "x log 2 log div"}, {"cbrt(x)", "x 1/3 pow"}, {"log10(x)", "x log 10 log div"},
		{"square(x)", "x square"}, {"inv(neg(x))", "x neg inv"},
	} {
		vars := []string{"x", "y", "z", "my col", "µ", "λ₀"}
		got, err := Parse(test.in, vars)
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
		} else if got.RPN(vars) != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got.RPN(vars), test.want)
		}
	}
}

// A column takes precedence over a constant, a free constant or a function of the same name.
func TestParseNames(t *testing.T) {
	vars := []string{"e", "pi", "E", "I", "exp", "c0", "π"}
	for _, name := range vars {
		got, err := Parse(name, vars)
		if err != nil || got.nodes[0].Op != Var {
			t.Errorf("%s: got %v, %v", name, got.nodes, err)
		}
	}
	tree, err := Parse("exp(exp)*c1", vars)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.Infix(vars); got != "exp(exp)*k1" { // c0 is a column, so free constants print as k
		t.Errorf("got %s", got)
	}
	for _, tree := range []Tree{Leaf(Pi), Leaf(Euler), C(0, 1)} {
		again, err := Parse(tree.Infix(vars), vars)
		if err != nil || !Equal(again, tree) {
			t.Errorf("%s: got %v, %v", tree.Infix(vars), again, err)
		}
	}
	if got, err := Parse("x0+x2", nil); err != nil || !cmp.Equal(got.Vars(), []int{0, 2}) {
		t.Errorf("without names: %v, %v", got, err)
	}
}

func TestParseErrors(t *testing.T) {
	deep := strings.Repeat("(", 1_000_000)
	for _, test := range []struct{ in, want string }{
		{"", "column 1: expected a number, a name or a parenthesis but the expression ends"},
		{"x+", "column 3: expected a number, a name or a parenthesis but the expression ends"},
		{"2x", `column 2: expected an operator before "x": to multiply write *x`},
		{"2(x)", "column 2: expected an operator before the parenthesis: to multiply write *"},
		{"x(y+1)", "column 2: x is not a function: to multiply write x*(…)"},
		{"x y", `column 3: expected an operator before "y": to multiply write *y`},
		{"velocty*2", `column 1: unknown name "velocty": did you mean velocity?`},
		{"sqr(x)", `column 1: unknown function "sqr": did you mean sqrt?`},
		{"sin", "column 1: sin is a function: write sin(…)"},
		{"(x", "column 3: the parenthesis opened in column 1 is not closed"},
		{"x)", "column 2: this parenthesis was never opened"},
		{"x,y", "column 2: unexpected comma"},
		{"2,5*x", "column 2: unexpected comma: decimal numbers are written with a point"},
		{"x/9.81[m/s^2]", "column 7: unexpected '[': numbers and names have no unit in a formula"},
		{"√x", "column 1: unexpected '√': write sqrt(…)"},
		{"x⁻", `column 2: "⁻" is not an exponent`},
		{"`x", "column 1: the name that starts here lacks its closing backquote"},
		{"`z`", "column 1: no column is named `z`"},
		{"pow(x)", "column 1: pow takes 2 operands"},
		{"sin(x,y)", "column 1: sin takes 1 operand"},
		{"sin()", `column 5: expected a number, a name or a parenthesis, not ")"`},
		{"x $ y", `column 3: unexpected '$'`},
		{"c123456*x", "column 1: free constants go up to c999"},
		{".", `column 1: "." is not a number`},
		{"µ ? x", "column 3: unexpected '?'"},
		{deep, "nested deeper than 1000"},
		{strings.Repeat("-", 1_000_000) + "x", "more than 1000 signs in a row"},
		{strings.Repeat("x**", 1_000_000) + "x", "powers nested deeper than 1000"},
		{strings.Repeat("sin(", 100_000), "nested deeper than 1000"},
		{strings.Repeat("x+", 1_000_000) + "x", "more than 100000 nodes"},
		{strings.Repeat("cot(", 900) + "x" + strings.Repeat(")", 900), ""},
	} {
		_, err := Parse(test.in, []string{"x", "y", "velocity", "µ"})
		var syntax *SyntaxError
		switch {
		case test.want == "":
			if err != nil {
				t.Errorf("%.20s: %v", test.in, err)
			}
		case !errors.As(err, &syntax) || !strings.Contains(err.Error(), test.want):
			t.Errorf("%.20s: got %v, want %s", test.in, err, test.want)
		case strings.Contains(err.Error(), "\n"):
			t.Errorf("%.20s: the error has more than one line", test.in)
		}
	}
}

// The deepest trees that Parse accepts can be printed and rewritten.
func TestLongTrees(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("x+", 20_000) + "x",
		strings.Repeat("sin(", 900) + "x" + strings.Repeat(")", 900),
		strings.Repeat("-(1+", 900) + "x" + strings.Repeat(")", 900),
	} {
		tree := parse(t, s)
		again := parse(t, tree.Infix(xyz))
		if !cmp.Equal(again.nodes, tree.nodes) {
			t.Errorf("%.20s does not parse back", s)
		}
		_, _, _ = tree.Canonical(), tree.Hash(), tree.LaTeX(xyz)
	}
}

// Parse reads the text of Infix and Format, and the values agree.
func TestPrintParses(t *testing.T) {
	vars := []string{"x", "my col", "pi"}
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 5, true)
		again, err := Parse(tree.Infix(vars), vars)
		if err != nil {
			t.Fatalf("%s: %v", tree.Infix(vars), err)
		}
		third, err := Parse(again.Infix(vars), vars) // the first Parse folds Neg and Div of numbers
		if err != nil || !cmp.Equal(third.nodes, again.nodes) {
			t.Fatalf("%s parses as %s and then as %s: %v", tree.Infix(vars), again.Infix(vars), third.Infix(vars), err)
		}
		if _, err := Parse(tree.Format(vars, 3), vars); err != nil {
			t.Fatalf("%s: %v", tree.Format(vars, 3), err)
		}
		x, c := []float64{1.3, 0.7, 2.1}, []float64{0.3, 1.1, -2, 0.8}
		if a, b := reference(tree, x, c), reference(again, x, c); a != b && !(math.IsNaN(a) && math.IsNaN(b)) && !agree(a, b, 0, 1e-12) {
			t.Fatalf("%s = %v, parsed %v", tree.Infix(vars), a, b)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"x", "-x**2+1/3", "sin(c0*x + `my col`)", "1e-5/(pi*e)", "((", "2x", "x^y^z", "log(x, 10)", "µ₀", "0/0", "1e999", "`a``b`", "x**-2"} {
		f.Add(s)
	}
	vars := []string{"x", "my col", "a`b", "µ₀", "pi"}
	f.Fuzz(func(t *testing.T, s string) {
		tree, err := Parse(s, vars)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(s, "\n") {
				t.Fatalf("%q: error of several lines", s)
			}
			return
		}
		if tree.Len() > 300 {
			return
		}
		printed := tree.Infix(vars)
		again, err := Parse(printed, vars)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", s, printed, err)
		}
		if again.Infix(vars) != printed || !Equal(tree, again) {
			t.Fatalf("%q prints as %q and then as %q", s, printed, again.Infix(vars))
		}
		tree.LaTeX(vars)
		tree.Simplify()
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("x*y/sqrt(1-y**2/z**2)+c0*exp(-x/(c1*y))", xyz); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInfix(b *testing.B) {
	tree := parse(b, "x*y/sqrt(1-y**2/z**2)+c0*exp(-x/(c1*y))")
	for b.Loop() {
		_ = tree.Infix(xyz)
	}
}
