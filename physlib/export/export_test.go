package export_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/export"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// sample is a law, together with points at which the values of all exports are compared.
type sample struct {
	law    law.Law
	known  map[string]float64
	points [][]float64 // for each point, the values of the inputs, except known constants, in order
}

// samples returns laws that are difficult to export. They contain names with another meaning in
// some language, powers of powers, signs before powers, and every function.
func samples(t *testing.T) (all []sample) {
	t.Helper()
	for _, s := range []struct {
		formula string
		vars    []string
		values  []float64
		known   map[string]float64
		points  [][]float64
	}{
		// this one comes first, since scripts may later define their own function gamma
		{"special = erf(x/3) + erfc(x/3) + gamma(x) + lgamma(x) + sign(x) - sign(x - 1) + j0(x) + j1(x) + sinc(x) + min(x, 1) + max(x, 1) + min(2, gamma + min)",
			[]string{"x", "gamma", "min"}, nil, nil, [][]float64{{0.7, 1, 0.5}, {2.5, 3, 4}}},
		{"y = sinc(x) + j1(-x) + sign(x*0)*j0(sign(-x) + x) + erf(-x)**2*erfc(-x)", []string{"x"}, nil, nil, [][]float64{{0}, {1.5}}},
		{"T = c0*a**c1", []string{"a"}, []float64{365.25, 1.4996}, nil, [][]float64{{0.387}, {1}, {30}}},
		{"y = I*E + N/S - Q", []string{"I", "E", "N", "S", "Q"}, nil, nil, [][]float64{{1.5, 2, 3, 4, 5}, {-1, 0.3, 7, 2, 1}}},
		{"gamma = beta**2 - zeta*exp(-lambda*alpha)", []string{"beta", "zeta", "lambda"}, []float64{0.7}, nil, [][]float64{{2, 3, 0.1}, {5, 1, 2}}},
		{"E = 1/lambda + pi*e", []string{"lambda"}, nil, nil, [][]float64{{2}, {0.25}}},
		{"f = -x**2 + (-x)**2 - 2**-x + 2**3**0.5 + (x**2)**1.5 - x**-2", []string{"x"}, nil, nil, [][]float64{{3}, {1.25}}},
		{"z = a - (b - c) - a/(b/c) - a/(b*c) + 2*(-b) - -c", []string{"a", "b", "c"}, nil, nil, [][]float64{{1, 2, 3}, {-4, 5, 0.5}}},
		{"s = sqrt(x) + abs(-x) + log(x) + sin(x) + cos(x) + tan(x) + asin(x/9) + acos(x/9) + atan(x) + sinh(x) + cosh(x) + tanh(x) + inv(x) + square(x) + cube(x)",
			[]string{"x"}, nil, nil, [][]float64{{0.5}, {2.25}}},
		{"sin = log*exp(if/100) + end + in*_x", []string{"log", "if", "end", "in", "_x"}, nil, nil, [][]float64{{1, 2, 3, 4, 5}}},
		{"d = 1e-30*x + 6.02214076e23/x - 1/3", []string{"x"}, nil, nil, [][]float64{{1e23}, {3e22}}},
		{"λ = ħ/(m₀*c)*`wave length`", []string{"m₀", "c", "wave length"}, []float64{1.0545718e-34}, map[string]float64{"c": 299792458}, [][]float64{{9.1e-31, 2}}},
		{"y = 2*x", []string{"x"}, nil, nil, [][]float64{{2}}},
		{"gamma = x**(c0/2)", []string{"x", "gamma_"}, []float64{3}, nil, [][]float64{{4}}},
	} {
		l, err := law.Parse(s.formula, s.vars)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range s.values {
			l.Constants[i].Value, l.Constants[i].StdErr = v, 0.01
		}
		all = append(all, sample{l, s.known, s.points})
	}
	exact, _ := law.Parse("T = c0*sqrt(l/g) + c1", []string{"l", "g"})
	exact.Constants[0] = law.Constant{Name: "c0", Value: 6.2830, Exact: "2*pi", Unit: "s"}
	exact.Constants[1].Value = -0.25
	return append(all, sample{exact, nil, [][]float64{{1, 9.81}, {2, 1.6}}})
}

// source returns the sample as a Source.
func (s sample) source() export.Source {
	return export.Source{Law: s.law, Known: s.known, Units: map[string]string{"a": "AU", "T": "s", "x": "m/s"}}
}

// want returns the values of the law at the points.
func (s sample) want() (values []float64) {
	for _, p := range s.points {
		var all []float64
		next := 0
		for _, v := range s.law.Inputs() {
			if k, ok := s.known[s.law.Vars[v]]; ok {
				all = append(all, k)
				continue
			}
			all, next = append(all, p[next]), next+1
		}
		l := s.law
		if len(l.Constants) > 0 && l.Constants[0].Exact != "" {
			l.Constants = append([]law.Constant(nil), l.Constants...)
			l.Constants[0].Value = 2 * math.Pi
		}
		values = append(values, l.Eval(all...))
	}
	return values
}

// runner prepares a run of the exports in one language. It writes files into a folder and returns
// the command that runs them.
type runner func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// called returns the name of the function that code defines. The name is between the texts before
// and after.
func called(code, before, after string) string {
	_, rest, _ := strings.Cut(code, before)
	name, _, _ := strings.Cut(rest, after)
	return strings.TrimSpace(name)
}

func arguments(p []float64) string {
	var parts []string
	for _, v := range p {
		parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(parts, ", ")
}

// python returns the path of a Python interpreter that has the given modules, or "" if there is
// none.
func python(modules string) string {
	local, _ := filepath.Abs("../../.venv/bin/python3")
	for _, p := range []string{local, "python3"} {
		if exec.Command(p, "-c", "import "+modules).Run() == nil {
			return p
		}
	}
	return ""
}

var runners = map[string]runner{
	"numpy": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		p := python("numpy, scipy")
		if p == "" {
			return nil
		}
		var b strings.Builder
		for i, c := range code {
			b.WriteString(c)
			for _, x := range all[i].points {
				fmt.Fprintf(&b, "print(repr(float(%s(*[np.float64(v) for v in (%s,)]))))\n", called(c, "def ", "("), arguments(x))
			}
		}
		return exec.Command(p, write(t, dir, "law.py", b.String()))
	},
	"sympy": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		p := python("sympy")
		if p == "" {
			return nil
		}
		var b strings.Builder
		for i, c := range code {
			lines := strings.Split(strings.TrimSpace(c), "\n")
			name := strings.TrimSpace(strings.SplitN(lines[len(lines)-1], "=", 2)[0])
			var symbols []string
			for _, line := range lines {
				if strings.Contains(line, "sp.Symbol(") {
					symbols = append(symbols, strings.TrimSpace(strings.SplitN(line, "=", 2)[0]))
				}
			}
			b.WriteString(c)
			for _, x := range all[i].points {
				fmt.Fprintf(&b, "print(repr(float(sp.N(%s.subs(dict(zip((%s,), (%s,)))), 20))))\n", name, strings.Join(symbols, ", "), arguments(x))
			}
		}
		return exec.Command(p, write(t, dir, "law.py", b.String()))
	},
	"c": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		if _, err := exec.LookPath("gcc"); err != nil {
			return nil
		}
		args := []string{"-std=c11", "-Wall", "-Werror", "-o", filepath.Join(dir, "law")}
		main, calls := "#include <stdio.h>\n", ""
		for i, c := range code {
			args = append(args, write(t, dir, fmt.Sprintf("law%d.c", i), strings.Replace(c, called(c, "\ndouble ", "(")+"(", fmt.Sprintf("f%d(", i), 1)))
			main += fmt.Sprintf("double f%d();\n", i)
			for _, x := range all[i].points {
				var doubles []string
				for _, v := range x {
					doubles = append(doubles, fmt.Sprintf("(double)%g", v))
				}
				calls += fmt.Sprintf("printf(\"%%.17g\\n\", f%d(%s));\n", i, strings.Join(doubles, ", "))
			}
			// the function must also compile under its own name
			if out, err := exec.Command("gcc", "-std=c11", "-Wall", "-Werror", "-c", "-o", filepath.Join(dir, "own.o"), write(t, dir, "own.c", c)).CombinedOutput(); err != nil {
				t.Errorf("%s\n%s", out, c)
			}
		}
		args = append(args, write(t, dir, "main.c", main+"int main(void) {\n"+calls+"return 0; }\n"), "-lm")
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v: %s", err, out)
		}
		return exec.Command(filepath.Join(dir, "law"))
	},
	"go": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		write(t, dir, "go.mod", "module export\n\ngo 1.21\n")
		imports, calls := "import \"fmt\"\n", ""
		for i, c := range code {
			name := called(c, "\nfunc ", "(")
			os.Mkdir(filepath.Join(dir, fmt.Sprintf("law%d", i)), 0o755)
			exported := fmt.Sprintf("\n\nfunc Value(v []float64) float64 { return %s(%s) }\n", name, indices(len(all[i].points[0])))
			write(t, dir, fmt.Sprintf("law%d/law.go", i), c+exported)
			imports += fmt.Sprintf("import law%d \"export/law%d\"\n", i, i)
			for _, x := range all[i].points {
				calls += fmt.Sprintf("fmt.Println(law%d.Value([]float64{%s}))\n", i, arguments(x))
			}
		}
		write(t, dir, "main.go", "package main\n"+imports+"func main() {\n"+calls+"}\n")
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		return cmd
	},
	"julia": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		return script(t, dir, "julia", "law.jl", code, all, func(c string) string { return called(c, "\nfunction ", "(") }, "println(%s(%s))\n")
	},
	"r": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		return script(t, dir, "Rscript", "law.R", code, all, func(c string) string { return called(c, "\n", " <-") }, "cat(format(%s(%s), digits = 17), \"\\n\")\n")
	},
	"matlab": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		return script(t, dir, "octave-cli", "law.m", append([]string{"1;\n"}, code...), append([]sample{{}}, all...),
			func(c string) string { return called(c, "value_ = ", "(") }, "printf(\"%%.17g\\n\", %s(%s));\n")
	},
	"excel": func(t *testing.T, dir string, code []string, all []sample) *exec.Cmd {
		p := python("formulas")
		if p == "" {
			return nil
		}
		b := "import formulas\ndef value(text, cells):\n    f = formulas.Parser().ast(text)[1].compile()\n" +
			"    return float(f(*[cells[str(n)] for n in f.inputs]))\n"
		for i, c := range code {
			lines := strings.Split(strings.TrimSpace(c), "\n")
			_, formula, _ := strings.Cut(lines[len(lines)-1], "\t")
			for _, x := range all[i].points {
				var cells []string
				for k, v := range x {
					cells = append(cells, fmt.Sprintf("'%c2': %v", 'A'+k, strconv.FormatFloat(v, 'g', -1, 64)))
				}
				b += fmt.Sprintf("print(repr(value(%q, {%s})))\n", formula, strings.Join(cells, ", "))
			}
		}
		return exec.Command(p, write(t, dir, "law.py", b))
	},
}

func indices(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf("v[%d]", i))
	}
	return strings.Join(parts, ", ")
}

// script writes a file with all functions, each followed by its calls, and returns the command that
// runs it.
func script(t *testing.T, dir, program, file string, code []string, all []sample, name func(string) string, call string) *exec.Cmd {
	if _, err := exec.LookPath(program); err != nil {
		return nil
	}
	var b strings.Builder
	for i, c := range code {
		b.WriteString(c)
		for _, x := range all[i].points {
			fmt.Fprintf(&b, call, name(c), arguments(x))
		}
	}
	return exec.Command(program, write(t, dir, file, b.String()))
}

// Each export is run and gives the same values as the law.
func TestExecuted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts compilers and interpreters")
	}
	all := samples(t)
	for _, language := range export.Languages {
		run := runners[language]
		if run == nil {
			continue // latex and json have tests of their own
		}
		t.Run(language, func(t *testing.T) {
			var code []string
			for _, s := range all {
				text, err := export.To(language, s.source())
				if err != nil {
					t.Fatal(err)
				}
				code = append(code, text)
			}
			cmd := run(t, t.TempDir(), code, all)
			if cmd == nil {
				t.Skip("nothing that runs it is on this machine")
			}
			out, err := cmd.Output()
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				t.Fatalf("%v: %s", err, exit.Stderr)
			} else if err != nil {
				t.Fatal(err)
			}
			lines := strings.Fields(string(out))
			for i, s := range all {
				for k, want := range s.want() {
					if len(lines) == 0 {
						t.Fatalf("too few values:\n%s", out)
					}
					got, err := strconv.ParseFloat(lines[0], 64)
					lines = lines[1:]
					if err != nil || !(math.Abs(got-want) <= 1e-12*math.Max(math.Abs(want), 1e-40)) {
						t.Errorf("%s at %v: %v, want %v\n%s", s.law.Formula(), s.points[k], got, want, code[i])
					}
				}
			}
		})
	}
}

// For each function in the table of operators, a language either has the function, or the error
// names the languages that have it.
func TestEveryFunction(t *testing.T) {
	lacking := map[string][]string{"digamma": {"c", "go", "excel"}}
	for _, o := range expr.Operators() {
		if len(o.Code) == 0 {
			continue // the operator is written as a sign in all languages
		}
		operands := []string{"x/7", "(x + 2)/9"}[:o.Arity]
		l, err := law.Parse(fmt.Sprintf("y = %s(%s)", o.Name, strings.Join(operands, ", ")), []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, language := range export.Languages {
			text, err := export.To(language, export.Source{Law: l})
			switch {
			case slices.Contains(lacking[o.Name], language):
				if err == nil || !strings.Contains(err.Error(), language+" has no function "+o.Name+"; try one of ") {
					t.Errorf("%s in %s: %v\n%s", o.Name, language, err, text)
				}
			case err != nil || strings.Contains(text, "$"):
				t.Errorf("%s in %s: %v\n%s", o.Name, language, err, text)
			}
		}
	}
}

func TestBad(t *testing.T) {
	l, _ := law.Parse("y = 2*x", []string{"x"})
	if _, err := export.To("fortran", export.Source{Law: l}); err == nil || !strings.Contains(err.Error(), "numpy") {
		t.Error(err)
	}
	if _, err := export.To("c", export.Source{}); err == nil {
		t.Error("no law was written")
	}
	infinite, _ := law.Parse("y = 1e999*x", []string{"x"})
	if _, err := export.To("c", export.Source{Law: infinite}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Error(err)
	}
}

func ExampleTo() {
	l, err := law.Parse("y = A*exp(-lambda*t)", []string{"t"})
	if err != nil {
		fmt.Println(err)
		return
	}
	l.Constants[0].Value, l.Constants[1].Value, l.Constants[1].StdErr = 2.5, 0.3, 0.01
	text, err := export.To("r", export.Source{Law: l, Units: map[string]string{"t": "s"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// # y from t [s]
	// y <- function(t) {
	//   A <- 2.5
	//   lambda <- 0.3  # ± 0.01
	//   A*exp(-lambda*t)
	// }
}
