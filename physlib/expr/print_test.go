package expr

import (
	"encoding/json"
	"fmt"
	goparser "go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInfix(t *testing.T) {
	for _, test := range []struct {
		tree Tree
		want string
	}{
		{Tree{}, ""},
		{Apply(Mul, Num(0.5), X(0)), "1/2*x"}, {Apply(Mul, X(0), Num(0.5)), "x*(1/2)"}, {Apply(Pow, Num(-2), Num(2)), "(-2)**2"},
		{Apply(Neg, Apply(Pow, X(0), Num(2))), "-x**2"}, {Apply(Pow, Apply(Neg, X(0)), Num(2)), "(-x)**2"}, {Apply(Neg, Num(-2)), "-(-2)"},
		{Apply(Sub, X(0), Apply(Add, X(1), X(2))), "x - (y + z)"}, {Apply(Div, X(0), Apply(Mul, X(1), X(2))), "x/(y*z)"},
		{Apply(Pow, Apply(Pow, X(0), X(1)), X(2)), "(x**y)**z"}, {Apply(Pow, X(0), Apply(Pow, X(1), X(2))), "x**y**z"},
		{Apply(Add, X(0), Num(-2)), "x + -2"}, {Apply(Square, X(0)), "square(x)"}, {Apply(Inv, X(0)), "inv(x)"},
		{Num(0.1), "0.1"}, {Num(9.81), "9.81"}, {Num(1. / 3), "1/3"}, {Num(2. / 97), "2/97"}, {Num(1066.75), "1066.75"}, {Num(14.25), "14.25"}, {Num(125. / 8), "125/8"}, {Num(6.02214076e23), "6.02214076e23"},
		{Num(1e-5), "1e-5"}, {Num(299792458), "299792458"}, {Num(0.001), "0.001"}, {Num(-1.5), "-3/2"}, {Num(1e15), "1e15"},
	} {
		if got := test.tree.Infix(xyz); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if got := parse(t, "6.2831853*sqrt(x/9.80665)+1/3").Format(xyz, 4); got != "6.283*sqrt(x/9.807) + 1/3" {
		t.Errorf("Format: %s", got)
	}
	if got := parse(t, "x*y**2").Prefix(nil); got != "mul x0 pow x1 2" {
		t.Errorf("Prefix: %s", got)
	}
}

func TestLaTeX(t *testing.T) {
	vars := []string{"x1", "omega_0", "alpha", "Volt", "k_spring", "T", "n_rho", "my col", "λ", "domega_0_dt", "d2x_dt2", "depth_dust", "counts_per_10_s"}
	for _, test := range []struct{ in, want string }{
		{"x1/omega_0", `\frac{x_{1}}{\omega_{0}}`}, {"sqrt(alpha)", `\sqrt{\alpha}`}, {"1.5e-7*T", `1.5 \times 10^{-7} T`},
		{"1e20*T", `10^{20} T`}, {"1/2*k_spring*x1**2", `\frac{1}{2} k_{\mathrm{spring}} x_{1}^{2}`}, {"-x1/T", `-\frac{x_{1}}{T}`},
		{"exp(-T/Volt)", `e^{-\frac{T}{\mathrm{Volt}}}`}, {"sin(T)**2", `\sin^{2}\left(T\right)`}, {"T*2", `T \cdot 2`},
		{"(T+x1)*alpha", `\left(T + x_{1}\right) \alpha`}, {"(x1/T)**2", `\left(\frac{x_{1}}{T}\right)^{2}`}, {"n_rho", `n_{\rho}`},
		{"`my col`", `\mathrm{my\ col}`}, {"λ*pi", `\lambda \pi`}, {"2*3**T", `2 \cdot 3^{T}`}, {"x1-(-T)", `x_{1} - \left(-T\right)`},
		{"2*(T-1)", `2 \left(T - 1\right)`}, {"c0*log(T)", `c_{0} \ln\left(T\right)`}, {"abs(-T)", `\left|-T\right|`},
		{"x1*(-2*T/alpha)", `x_{1} \left(-\frac{2 T}{\alpha}\right)`}, {"(-T/alpha)**2", `\left(-\frac{T}{\alpha}\right)^{2}`},
		{"domega_0_dt**2", `\dot{\omega_{0}}^{2}`}, {"d2x_dt2", `\ddot{x}`}, {"depth_dust", `\mathrm{depth}_{\mathrm{dust}}`}, {"counts_per_10_s", `\mathrm{counts\ per\ 10\ s}`},
	} {
		tree, err := Parse(test.in, vars)
		if err != nil {
			t.Fatal(err)
		}
		if got := tree.LaTeX(vars); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
}

func TestGo(t *testing.T) {
	vars := []string{"x", "my col", "range", "math", "x"}
	tree, err := Parse("1/2*x**2*sqrt(`my col`)/range**1.5 - pi*abs(math)**3 + inv(x)*square(x+1)*cube(math)", vars)
	if err != nil {
		t.Fatal(err)
	}
	want := "0.5*(x*x)*math.Sqrt(my_col)/math.Pow(range_, 1.5) - math.Pi*math.Pow(math.Abs(math_), 3.0) + 1/x*math.Pow(x + 1.0, 2)*(math_*math_*math_)"
	if got := tree.Go(vars); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, law := range benchmarkLaws(t) {
		if _, err := goparser.ParseExpr(law.Go(nil)); err != nil {
			t.Errorf("%s: %v", law, err)
		}
	}
	if got, err := types.Eval(token.NewFileSet(), nil, token.NoPos, parse(t, "7/2*3-1/4").Go(nil)); err != nil || got.Value.String() != "10.25" {
		t.Errorf("constant: %v, %v", got.Value, err)
	}
}

func TestNames(t *testing.T) {
	vars := []string{"lambda", "lambda_", "pi", "x y", "x_y", "1st", "µ", "λ", "m₀", "", "I", "ℏ", "E"}
	want := []string{"lambda__", "lambda_", "pi_", "x_y_", "x_y", "_1st", "mu", "λ", "m0", "x9", "I", "hbar", "E"}
	if got := SymPyNames(vars); !cmp.Equal(got, want) {
		t.Errorf("SymPy: %v", cmp.Diff(want, got))
	}
	if got := GoNames([]string{"func", "len", "x", "x-1"}); !cmp.Equal(got, []string{"func_", "len_", "x", "x_1"}) {
		t.Errorf("Go: %v", got)
	}
}

// SymPy's sympify reads the text of Tree.SymPy and gets the same value.
func TestSymPyReads(t *testing.T) {
	if testing.Short() {
		t.Skip("starts python3")
	}
	if err := exec.Command("python3", "-c", "import sympy").Run(); err != nil {
		t.Skip("no python3 with sympy here:", err)
	}
	vars := []string{"x", "lambda", "pi", "my col", "I", "λ", "µ", "exp", "E"}
	exprs := strings.Fields("x -x**2 2**-x x/lambda/pi 1/3*x 0.1*x 9.81*`my_col` sqrt(x)*I λ**µ exp(exp) E*x square(x+1) cube(-x) inv(x*lambda) abs(x-2) " +
		"log(x)/log(2) sin(x)**2+cos(x)**2 tan(x)-asin(x/9) acos(x/9)*atan(x) sinh(x)/cosh(x)+tanh(x) 1e-7*x 6.02e23*x (x+lambda)*(x-pi) x-(pi-I) " +
		"x/(pi*I) x**pi**-1 (x**2)**0.5 neg(neg(x)) -(-2)*x x**(1/3) 2/3*x**-2 x*-2 x+-2 -(x+1) -x*-lambda log(x,10) cot(x) sec(x) csc(x) inv(inv(x))**2 inv(x)**inv(2)")
	x := []float64{0.7, 1.3, 2.1, 0.4, 1.9, 0.6, 1.1, 0.9, 1.7}
	names := SymPyNames(vars)
	var want []float64
	var lines []string
	for _, s := range exprs {
		tree, err := Parse(strings.ReplaceAll(s, "my_col", "my col"), vars)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, reference(tree, x, nil))
		lines = append(lines, tree.SymPy(vars))
	}
	for _, law := range []Tree{Apply(Mul, Leaf(Pi), Leaf(Euler)), Apply(Pow, Num(-2), Num(2))} {
		want = append(want, reference(law, x, nil))
		lines = append(lines, law.SymPy(vars))
	}
	input, _ := json.Marshal(map[string]any{"exprs": lines, "names": names, "values": x})
	const script = `
import json, sys, sympy
d = json.load(sys.stdin)
symbols = {n: sympy.Symbol(n) for n in d["names"]}
values = {symbols[n]: v for n, v in zip(d["names"], d["values"])}
out = []
for s in d["exprs"]:
    e = sympy.sympify(s, locals=symbols)
    assert e.free_symbols <= set(values), (s, e.free_symbols)
    out.append(float(e.subs(values)))
print(json.dumps(out))`
	cmdline := exec.Command("python3", "-c", script)
	cmdline.Stdin = strings.NewReader(string(input))
	cmdline.Stderr = &strings.Builder{}
	output, err := cmdline.Output()
	if err != nil {
		t.Fatalf("%v: %v", err, cmdline.Stderr)
	}
	var got []float64
	if err := json.Unmarshal(output, &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !agree(got[i], want[i], 0, 1e-12) {
			t.Errorf("%s: SymPy has %v, want %v", lines[i], got[i], want[i])
		}
	}
	fmt.Fprintln(t.Output(), len(want), "expressions read by SymPy")
}
