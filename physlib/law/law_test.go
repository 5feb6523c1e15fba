package law_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// fitted returns a law with the given constants.
func fitted(t testing.TB, text string, vars []string, constants ...law.Constant) law.Law {
	t.Helper()
	tree, err := expr.Parse(text, vars)
	if err != nil {
		t.Fatal(err)
	}
	return law.Law{Tree: tree, Vars: vars, Target: "y", Constants: constants}
}

func TestPrint(t *testing.T) {
	number := func(v, stderr float64) law.Constant { return law.Constant{Value: v, StdErr: stderr} }
	exact := func(v float64, text string) law.Constant { return law.Constant{Value: v, Exact: text} }
	tests := []struct {
		law                   string
		constants             []law.Constant
		infix, display, latex string
	}{
		{"c0*sqrt(l/g)", []law.Constant{exact(6.2831, "2*pi")}, "2*pi*sqrt(l/g)", "2*pi*sqrt(l/g)", `2 \pi \sqrt{\frac{l}{g}}`},
		{"c0*l**c1", []law.Constant{number(365.0341234, 0.012), exact(1.4999, "3/2")},
			"365.0341234*l**(3/2)", "365.034*l**(3/2)", `365.034 l^{\frac{3}{2}}`},
		{"l*c0/g", []law.Constant{exact(0.119, "3/(8*pi)")}, "3*l/(8*pi*g)", "3*l/(8*pi*g)", `\frac{3 l}{8 \pi g}`},
		// constants are rounded according to their errors, or else to six digits
		{"c0 + c1*l", []law.Constant{number(1.23456789, 0.1), number(-2.3456789012, 0)}, "1.23456789 - 2.3456789012*l", "1.23 - 2.34568*l", `1.23 - 2.34568 l`},
		{"c0*l", []law.Constant{number(6.67430e-11, 1.5e-15)}, "6.6743e-11*l", "6.6743e-11*l", `6.6743 \times 10^{-11} l`},
		// minus signs, ones and zeros
		{"c0*l + c1*g", []law.Constant{number(-1, 0), number(1, 0)}, "g - l", "g - l", `g - l`},
		{"l - c0", []law.Constant{number(-2.5, 0)}, "l + 5/2", "l + 5/2", `l + \frac{5}{2}`},
		{"c0 + l", []law.Constant{number(0, 0)}, "l", "l", `l`},
		{"c0*exp(c1*l)", []law.Constant{number(-3, 0), number(-0.25, 0)}, "-3*exp(-1/4*l)", "-3*exp(-1/4*l)", `-3 e^{-\frac{1}{4} l}`},
		{"l**c0*g**c1", []law.Constant{exact(-2, "-2"), exact(0.5, "1/2")}, "sqrt(g)/l**2", "sqrt(g)/l**2", `\frac{\sqrt{g}}{l^{2}}`},
		// powers and roots
		{"cube(sqrt(l))/sqrt(g**3)", nil, "l**(3/2)/g**(3/2)", "l**(3/2)/g**(3/2)", `\frac{l^{\frac{3}{2}}}{g^{\frac{3}{2}}}`},
		{"sqrt(l**2) + square(g) + sqrt(g)**-1", nil, "sqrt(l**2) + g**2 + 1/sqrt(g)", "sqrt(l**2) + g**2 + 1/sqrt(g)", `\sqrt{l^{2}} + g^{2} + \frac{1}{\sqrt{g}}`},
		{"c0*inv(l)**c1", []law.Constant{number(7, 0), exact(1, "1")}, "7/l", "7/l", `\frac{7}{l}`},
		{"c0*sqrt(1/l)*square(inv(g))", []law.Constant{number(7, 0)}, "7/(sqrt(l)*g**2)", "7/(sqrt(l)*g**2)", `\frac{7}{\sqrt{l} g^{2}}`},
		{"l*exp(c0*g**2) + c1*g", []law.Constant{exact(1e-9, "0"), exact(1e-9, "0")}, "l", "l", "l"},
		{"c0*l", []law.Constant{number(0, 0)}, "0", "0", "0"},
		{"c0*l/c0", []law.Constant{number(0, 0)}, "0*l/0", "0*l/0", `\frac{0 l}{0}`},
		// without Constants, the starting values in the tree are used, which are 1
		{"c0*l", nil, "l", "l", `l`},
		// a closed form that cannot be parsed is ignored
		{"c0*l", []law.Constant{exact(7, "7*")}, "7*l", "7*l", `7 l`},
		{"c0*l", []law.Constant{exact(7, "c3")}, "7*l", "7*l", `7 l`},
		// a number added to a constant
		{"l*(c0 - 1)**2", []law.Constant{number(122.7, 0.3)}, "(122.7 - 1)**2*l", "121.7**2*l", `121.7^{2} l`},
		{"l/(1 - c0)", []law.Constant{number(122.7, 0.3)}, "l/(1 - 122.7)", "-l/121.7", `-\frac{l}{121.7}`},
		{"l*(1/3 + c0)", []law.Constant{number(1.25, 0)}, "(1/3 + 5/4)*l", "(1/3 + 5/4)*l", `\left(\frac{1}{3} + \frac{5}{4}\right) l`},
		// a fitted constant that would be rounded to a fraction
		{"exp(c0*l)", []law.Constant{number(1.7504, 0.03)}, "exp(1.7504*l)", "exp(1.7504*l)", `e^{1.7504 l}`},
		{"l/(l + c0)", []law.Constant{number(124.2472, 0.66)}, "l/(l + 124.2472)", "l/(l + 124.247)", `\frac{l}{l + 124.247}`},
		// one constant that occurs twice
		{"c0*l + c0", []law.Constant{exact(2, "2")}, "2*l + 2", "2*l + 2", `2 l + 2`},
	}
	vars := []string{"l", "g"}
	for _, test := range tests {
		l := fitted(t, test.law, vars, test.constants...)
		if got := l.Infix(); got != test.infix {
			t.Errorf("%s: Infix %q, want %q", test.law, got, test.infix)
		}
		if got := l.Display(0); got != test.display {
			t.Errorf("%s: Display %q, want %q", test.law, got, test.display)
		}
		if got := l.LaTeX(); got != test.latex {
			t.Errorf("%s: LaTeX %q, want %q", test.law, got, test.latex)
		}
		back, err := expr.Parse(l.Infix(), vars)
		if err != nil || back.Hash() != l.Bound().Hash() {
			t.Errorf("%s: %s does not read back: %v", test.law, l.Infix(), err)
		}
	}
}

// Signs, powers of powers and whole numbers are merged.
func TestPrintShort(t *testing.T) {
	for law, want := range map[string]string{
		"(x**2 + y)/(1 + 3)":       "(x**2 + y)/4",
		"2*x*3*y":                  "6*x*y",
		"x/(2*(1 + 3)*y)":          "x/(8*y)",
		"x + 1 - 3":                "x + 1 - 3", // terms keep their order
		"(1 - 3)*x":                "-2*x",
		"y*(-(x**2 + c0))**2":      "y*(x**2 + 5/2)**2",
		"(-(x + y))**3":            "-(x + y)**3",
		"exp(x*(y**2)**2)":         "exp(x*y**4)",
		"((x**2)**3)**(-1)":        "1/x**6",
		"0.3*x*2":                  "0.3*2*x", // only whole numbers are multiplied
		"(c0*x)**2*(y*(x - 1))**2": "(5/2*x)**2*(y*(x - 1))**2",
	} {
		if got := fitted(t, law, []string{"x", "y"}, lawConstant(2.5)).Infix(); got != want {
			t.Errorf("%s is written %s, want %s", law, got, want)
		}
	}
}

func lawConstant(v float64) law.Constant { return law.Constant{Value: v} }

func TestPrintAwkward(t *testing.T) {
	var empty law.Law
	for _, text := range []string{empty.Infix(), empty.SymPy(), empty.LaTeX(), empty.Go(), empty.Display(3)} {
		if text != "" {
			t.Errorf("the empty law prints %q", text)
		}
	}
	if empty.Bound().Len() != 0 || empty.Exacted().Len() != 0 {
		t.Error("the empty law is something")
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e308, -1e308, 5e-324} {
		l := fitted(t, "c0*x + 1", []string{"x"}, law.Constant{Value: v, StdErr: math.NaN()})
		for _, text := range []string{l.Infix(), l.SymPy(), l.LaTeX(), l.Go(), l.Display(0)} {
			if text == "" {
				t.Errorf("nothing printed for the constant %v", v)
			}
		}
		if _, err := expr.Parse(l.Infix(), l.Vars); err != nil {
			t.Errorf("constant %v: %v", v, err)
		}
	}
}

func TestExacted(t *testing.T) {
	l := fitted(t, "c0*x**c1 + c2", []string{"x"},
		law.Constant{Value: 3.1}, law.Constant{Value: 1.499, Exact: "3/2"}, law.Constant{Value: -7})
	e := l.Exacted()
	if got := e.Infix(l.Vars); got != "c0*x**(3/2) + c1" {
		t.Error(got)
	}
	if p := e.Params(); len(p) != 2 || p[0] != 3.1 || p[1] != -7 {
		t.Error(p)
	}
}

// grow returns a random tree over x, y and numbers.
func grow(rng *rand.Rand, size int) expr.Tree {
	if size <= 1 {
		switch rng.IntN(4) {
		case 0:
			return expr.Num([]float64{-2, -1, -0.5, 0, 1, 2.5, 3}[rng.IntN(7)])
		case 1:
			return expr.Leaf(expr.Pi)
		}
		return expr.X(rng.IntN(2))
	}
	switch op := []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Mul, expr.Div, expr.Neg, expr.Inv, expr.Exp, expr.Sin, expr.Pow, expr.Sqrt, expr.Cube, expr.Square}[rng.IntN(13)]; {
	case op == expr.Pow:
		return expr.Apply(op, expr.Apply(expr.Abs, grow(rng, size-2)), expr.Num([]float64{-2, -1, -0.5, 0.5, 1, 3}[rng.IntN(6)]))
	case op.Arity() == 1:
		return expr.Apply(op, grow(rng, size-1))
	default:
		left := 1 + rng.IntN(size-1)
		return expr.Apply(op, grow(rng, left), grow(rng, size-left))
	}
}

// The law that is printed has the same values.
func TestBoundKeepsValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	cols := [][]float64{{0.7, 1.3, 2.9}, {1.1, 0.4, 3.7}}
	want, got := make([]float64, 3), make([]float64, 3)
	for range 3000 {
		tree := grow(rng, 2+rng.IntN(14))
		l := law.Law{Tree: tree, Vars: []string{"x", "y"}}
		expr.Compile(tree).Eval(want, cols, nil)
		expr.Compile(l.Bound()).Eval(got, cols, nil)
		for i := range want {
			finite := !math.IsNaN(want[i]) && math.Abs(want[i]) < 1e100
			if finite && math.Abs(got[i]-want[i]) > 1e-9*math.Max(1, math.Abs(want[i])) && tree.Hash() != l.Bound().Hash() {
				t.Fatalf("%s = %v became %s = %v", tree.Infix(l.Vars), want, l.Infix(), got)
			}
		}
		if back, err := expr.Parse(l.Infix(), l.Vars); err != nil || back.Hash() != l.Bound().Hash() {
			t.Fatalf("%s does not read back: %v", l.Infix(), err)
		}
	}
}

func TestNewConstants(t *testing.T) {
	c := law.NewConstants([]float64{1, 2, 3}, []float64{0.1, math.Inf(1)})
	if len(c) != 3 || c[2].Name != "c2" || c[0].StdErr != 0.1 || c[1].StdErr != 0 || c[2].StdErr != 0 || c[2].Value != 3 {
		t.Errorf("%+v", c)
	}
}

func TestOver(t *testing.T) {
	l := fitted(t, "a*b**2", []string{"a", "b"})
	moved, err := l.Over([]string{"b", "z", "a"})
	if err != nil || moved.Infix() != "a*b**2" {
		t.Error(moved.Infix(), err)
	}
	if _, err := l.Over([]string{"b"}); err == nil {
		t.Error("a missing column went unnoticed")
	}
	if _, err := (law.Law{}).Over(nil); err != nil {
		t.Error(err)
	}
}

// The time to print a deeply nested law grows no faster than the length of the law.
func TestPrintDeep(t *testing.T) {
	tree := expr.X(0)
	for range 200 {
		tree = expr.Apply(expr.Pow, expr.Apply(expr.Add, expr.Num(1), tree), expr.Num(-1.5))
	}
	l := law.Law{Tree: tree, Vars: []string{"x"}}
	if back, err := expr.Parse(l.Infix(), l.Vars); err != nil || back.Depth() < 200 {
		t.Error(l.Infix(), err)
	}
}

func TestConstantName(t *testing.T) {
	for _, c := range []struct {
		vars []string
		slot int
		want string
	}{
		{nil, 0, "c0"},
		{[]string{"c", "c1x", "cold", "const"}, 1, "c1"},
		{[]string{"x", "c12"}, 3, "const3"},
		{[]string{"x"}, 12, "c12"},
		{[]string{"c0"}, 10, "const10"},
	} {
		if got := law.ConstantName(c.vars, c.slot); got != c.want {
			t.Errorf("slot %d beside %q is called %s, want %s", c.slot, c.vars, got, c.want)
		}
	}
}
