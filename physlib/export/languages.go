package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/expr"
)

// languages describes the languages in which a law is exported as a function. The names of
// operators in each language are in package expr's table of operators.
var languages = map[string]*language{
	"numpy": {plus: " + ", minus: " - ", times: "*", over: "/", power: "**", pi: "np.pi", e: "np.e", number: digits,
		reserved: words(python + " np"), definition: numpy},
	"sympy": {plus: " + ", minus: " - ", times: "*", over: "/", power: "**", pi: "sp.pi", e: "sp.E", number: rational,
		reserved: words(python + " sp"), definition: sympy},
	"c": {plus: " + ", minus: " - ", times: "*", over: "/", pow: "pow", pi: "3.141592653589793", e: "2.718281828459045", number: digits,
		reserved: words(cWords), ascii: true, definition: c},
	"go": {plus: " + ", minus: " - ", times: "*", over: "/", pow: "math.Pow", pi: "math.Pi", e: "math.E", number: digits,
		reserved: words(goWords), definition: golang},
	"julia": {plus: " + ", minus: " - ", times: "*", over: "/", power: "^", pi: "3.141592653589793", e: "2.718281828459045", number: digits,
		reserved: words(juliaWords), definition: julia},
	"matlab": {plus: " + ", minus: " - ", times: ".*", over: "./", power: ".^", pi: "pi", e: "exp(1)", number: digits,
		reserved: words(matlabWords), ascii: true, start: 'x', definition: matlab},
	"r": {plus: " + ", minus: " - ", times: "*", over: "/", power: "^", pi: "pi", e: "exp(1)", number: digits,
		reserved: words(rWords), ascii: true, start: 'x', definition: r},
}

func init() {
	for name, l := range languages {
		l.name = name
	}
}

// For each language, its reserved names and the names of functions that the exported code calls.
const (
	functions = " sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs pi"
	python    = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"
	cWords    = "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
		"acosh asinh atan2 atanh cbrt ceil copysign erf erfc exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma log10 log1p log2 logb lrint modf nan nearbyint pow remainder rint round scalb signgam tgamma trunc y0 y1 yn main I NAN INFINITY asm index" + functions
	goWords     = "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var math float64 init main _ nil true false"
	juliaWords  = "baremodule begin break catch const continue do else elseif end export false finally for function global if import let local macro module quote return struct true try using while im" + functions
	matlabWords = "break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd switch try while i j ans eps" + functions
	rWords      = "if else repeat while function for next break TRUE FALSE NULL Inf NaN NA in T F" + functions
)

// words returns the set of words in s.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// identifiers returns valid identifiers for the wanted names, all different. Names that are already
// valid are kept.
func (l *language) identifiers(wanted []string, t expr.Tree) []string {
	out := make([]string, len(wanted))
	taken := l.called(t)
	for _, keep := range []bool{true, false} {
		for i, name := range wanted {
			id := l.identifier(name)
			if out[i] != "" || keep && (id != name || taken[id]) {
				continue
			}
			for taken[id] {
				id += "_"
			}
			out[i], taken[id] = id, true
		}
	}
	return out
}

// called returns the words that occur in the code of the rare functions of t. No identifier may be
// one of these. Words in the code of other functions are always reserved.
func (l *language) called(t expr.Tree) map[string]bool {
	taken := map[string]bool{}
	for _, n := range t.Nodes() {
		if o := n.Op.Operator(); o.Rare {
			for _, w := range strings.FieldsFunc(o.Code[l.name], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				taken[w] = true
			}
		}
	}
	return taken
}

// identifier returns a valid identifier for a name. If the language requires it, letters beyond
// ASCII are spelt out.
func (l *language) identifier(name string) string {
	id := expr.SymPyName(name)
	if base := strings.TrimRight(id, "_"); base != "" && strings.TrimRight(name, "_") == base {
		id = name // names that are reserved only in SymPy or Python are allowed in other languages
	}
	if l.ascii {
		var b strings.Builder
		for _, r := range id {
			switch {
			case r < 0x80:
				b.WriteRune(r)
			case expr.LaTeXName(string(r))[0] == '\\' && !strings.Contains(expr.LaTeXName(string(r)), "{"):
				b.WriteString(expr.LaTeXName(string(r))[1:])
			default:
				b.WriteString("u" + strconv.FormatInt(int64(r), 16))
			}
		}
		id = b.String()
	}
	if l.start != 0 && (id[0] == '_' || id[0] >= '0' && id[0] <= '9') {
		id = string(l.start) + id
	}
	for l.reserved[id] {
		id += "_"
	}
	return id
}

// rational returns v as a SymPy number, which is exact if v is a simple fraction.
func rational(v float64) string {
	for q := 1.0; q <= 1000; q++ {
		p := math.Round(v * q)
		if v == p/q && math.Abs(p) < 1e9 {
			if q == 1 {
				return fmt.Sprintf("sp.Integer(%.0f)", p)
			}
			return fmt.Sprintf("sp.Rational(%.0f, %.0f)", p, q)
		}
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// declared returns the declarations of the constants, one on each line. A line consists of indent,
// before, the name, assign, the value, and after. If the constant has a note, it follows as a
// comment, which begins with comment.
func (f function) declared(indent, before, assign, after, comment string) string {
	var b strings.Builder
	for _, k := range f.constants {
		b.WriteString(indent + before + k.name + assign + k.value + after)
		if k.note != "" {
			b.WriteString("  " + comment + " " + k.note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func numpy(f function) string {
	imports := "import numpy as np\n"
	if strings.Contains(f.body, "special.") {
		imports += "from scipy import special\n"
	}
	return fmt.Sprintf("%s\n\ndef %s(%s):\n    \"\"\"%s\"\"\"\n%s    return %s\n",
		imports, f.name, strings.Join(f.inputs, ", "), strings.ReplaceAll(f.title(), `"`, `'`), f.declared("    ", "", " = ", "", "#"), f.body)
}

func sympy(f function) string {
	var b strings.Builder
	fmt.Fprintf(&b, "import sympy as sp\n\n# %s\n", f.title())
	for i, in := range f.inputs {
		fmt.Fprintf(&b, "%s = sp.Symbol(%q, real=True)\n", in, f.wanted[i].Name)
	}
	fmt.Fprintf(&b, "%s%s = %s\n", f.declared("", "", " = ", "", "#"), f.name, f.body)
	return b.String()
}

func c(f function) string {
	params := "double " + strings.Join(f.inputs, ", double ")
	if len(f.inputs) == 0 {
		params = "void"
	}
	posix := ""
	if strings.Contains(f.body, "j0(") || strings.Contains(f.body, "j1(") {
		posix = "#define _XOPEN_SOURCE 600 /* for j0 and j1 */\n"
	}
	return posix + fmt.Sprintf("#include <math.h>\n\n/* %s */\ndouble %s(%s) {\n%s    return %s;\n}\n", strings.ReplaceAll(f.title(), "*/", "* /"), f.name, params,
		f.declared("    ", "const double ", " = ", ";", "//"), f.body)
}

// The beginning of a Go file, and the import of package math.
const (
	goPackage = "package law\n\n"
	goMath    = "import \"math\"\n\n"
)

func golang(f function) string {
	imported := ""
	if strings.Contains(f.body, "math.") {
		imported = goMath
	}
	params := ""
	if len(f.inputs) > 0 {
		params = strings.Join(f.inputs, ", ") + " float64"
	}
	return fmt.Sprintf(goPackage+"%s// %s returns %s.\nfunc %s(%s) float64 {\n%s\treturn %s\n}\n", imported, f.name, f.title(), f.name, params,
		f.declared("\t", "const ", " = ", "", "//"), f.body)
}

// oneFile returns the functions of several Go files as one file.
func oneFile(files []string) string {
	imported := ""
	functions := make([]string, len(files))
	for i, text := range files {
		text = strings.TrimPrefix(text, goPackage)
		if rest, ok := strings.CutPrefix(text, goMath); ok {
			imported, text = goMath, rest
		}
		functions[i] = text
	}
	return goPackage + imported + strings.Join(functions, "\n")
}

func julia(f function) string {
	imports := ""
	if strings.Contains(f.body, "SpecialFunctions.") {
		imports = "import SpecialFunctions\n\n"
	}
	return imports + fmt.Sprintf("# %s\nfunction %s(%s)\n%s    return %s\nend\n", f.title(), f.name, strings.Join(f.inputs, ", "), f.declared("    ", "", " = ", "", "#"), f.body)
}

func matlab(f function) string {
	return fmt.Sprintf("function value_ = %s(%s)\n%% %s\n%s    value_ = %s;\nend\n", f.name, strings.Join(f.inputs, ", "), f.title(),
		f.declared("    ", "", " = ", ";", "%"), f.body)
}

func r(f function) string {
	return fmt.Sprintf("# %s\n%s <- function(%s) {\n%s  %s\n}\n", f.title(), f.name, strings.Join(f.inputs, ", "), f.declared("  ", "", " <- ", "", "#"), f.body)
}
