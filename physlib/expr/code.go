package expr

import (
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// SymPy writes t for sympy.sympify. The locals of sympify should contain a Symbol for each of
// SymPyNames(vars). Then a column may have the name of a SymPy function, such as gamma. Free
// constants are printed as c0, c1, …, and fractions exactly as p/q. The number e is printed as
// exp(1), so that E can be an energy.
func (t Tree) SymPy(vars []string) string {
	call := func(op Op, args ...string) string {
		text, _ := op.Operator().Spell("sympy", args...) // every function has a name in SymPy
		return strings.ReplaceAll(text, "sp.", "")
	}
	return t.code(SymPyNames(vars), paramPrefix(vars), sympyNumber, call, map[Op]string{Pi: "pi", Euler: "exp(1)"}, sympyShapes)
}

// sympyShapes are the forms of the operators that have no name in SymPy.
var sympyShapes = map[Op]shape{Inv: {"1/", levelMul, levelPow}, Square: {"**2", levelPow, levelAtom}, Cube: {"**3", levelPow, levelAtom}}

func sympyNumber(v float64) (string, int) {
	switch {
	case math.IsNaN(v):
		return "nan", levelAtom
	case math.IsInf(v, 1):
		return "oo", levelAtom
	case math.IsInf(v, -1):
		return "-oo", levelNeg
	}
	return notation{exact: true}.number(v)
}

// SymPyName returns a name that sympify reads as a symbol and that is not among taken. This is name
// itself if possible. Otherwise:
//
//   - Characters other than letters, digits and _ become _.
//   - An _ is appended to keywords of Python (lambda), to functions and constants that SymPy prints
//     (exp, pi), and to names in taken.
//   - Letters that Python would normalize to other letters, such as the micro sign, are spelt out.
func SymPyName(name string, taken ...string) string {
	return identifier(name, func(s string) bool { return pythonReserved[s] }, taken)
}

// SymPyNames returns the SymPyName of each of vars. All names are different.
func SymPyNames(vars []string) []string { return identifiers(vars, SymPyName) }

// GoName is like SymPyName, but for Go. It returns a valid identifier that is not a keyword, a
// predeclared name or a package.
func GoName(name string, taken ...string) string {
	return identifier(name, func(s string) bool { return token.IsKeyword(s) || goReserved[s] }, taken)
}

// GoNames returns the GoName of each of vars. All names are different.
func GoNames(vars []string) []string { return identifiers(vars, GoName) }

// Go writes t as a Go expression of float64 values that uses package math. Columns have the names
// GoNames(vars), and free constants the names c0, c1, ….
func (t Tree) Go(vars []string) string {
	call := func(op Op, args ...string) string {
		text, err := op.Operator().Spell("go", args...)
		if err != nil {
			// Package math has no such function; the code that uses the text must define it.
			return op.String() + "(" + strings.Join(args, ", ") + ")"
		}
		return text
	}
	return t.code(GoNames(vars), paramPrefix(vars), goNumber, call, map[Op]string{Pi: "math.Pi", Euler: "math.E"}, map[Op]shape{Inv: {"1/", levelMul, levelPow}})
}

func goNumber(v float64) (string, int) {
	switch {
	case math.IsNaN(v):
		return "math.NaN()", levelAtom
	case math.IsInf(v, 0):
		return map[bool]string{true: "math.Inf(1)", false: "math.Inf(-1)"}[v > 0], levelAtom
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") { // in Go, 1/2 would be 0
		s += ".0"
	}
	if s[0] == '-' {
		return s, levelNeg
	}
	return s, levelAtom
}

var goReserved = words("bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 " +
	"uint64 uintptr any comparable true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real " +
	"recover math _ init main")

var pythonReserved = words("False None True and as assert async await break class continue def del elif else except finally for from global if import " +
	"in is lambda nonlocal not or pass raise return try while with yield print exec " +
	"pi nan oo sqrt exp log Abs sin cos tan asin acos atan sinh cosh tanh")

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// identifiers returns a name for each of vars, chosen by rule. Columns whose names rule does not
// change are named first, so that no other column gets one of these names.
func identifiers(vars []string, rule func(name string, taken ...string) string) []string {
	names := make([]string, len(vars))
	var taken []string
	for _, keep := range []bool{true, false} {
		for i := range vars {
			name := unquotedName(vars, i)
			if names[i] == "" && (!keep || rule(name) == name && !slices.Contains(taken, name)) {
				names[i] = rule(name, taken...)
				taken = append(taken, names[i])
			}
		}
	}
	return names
}

func identifier(name string, reserved func(string) bool, taken []string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)), r == '_', isStableLetter(r):
			b.WriteRune(r)
		case '₀' <= r && r <= '₉':
			b.WriteRune(asciiDigit(r))
		case greek[string(r)] != "":
			b.WriteString(greek[string(r)][1:])
		case unicode.IsLetter(r):
			b.WriteString("u" + strconv.FormatInt(int64(r), 16))
		default:
			b.WriteByte('_')
		}
	}
	s := b.String()
	if s == "" || unicode.IsDigit(rune(s[0])) {
		s = "_" + s
	}
	for reserved(s) || slices.Contains(taken, s) {
		s += "_"
	}
	return s
}

// isStableLetter reports whether r is a non-ASCII letter that the normalization NFKC does not
// change. Python applies this normalization to names. Only some Latin, Greek, Cyrillic and Chinese
// letters are recognized.
func isStableLetter(r rune) bool {
	return unicode.IsLetter(r) && (r >= 0xc0 && r <= 0x17f && r != 'ĳ' && r != 'Ĳ' && r != 'ŀ' && r != 'Ŀ' && r != 'ŉ' && r != 'ſ' ||
		r >= 0x391 && r <= 0x3c9 || r >= 0x410 && r <= 0x44f || r >= 0x4e00 && r <= 0x9fa5)
}

// shape describes how an operator with one operand is written. If the text begins with *, it
// follows the operand. Otherwise it precedes the operand.
type shape struct {
	text          string
	level, inside int // how tightly the result binds, and how tightly the operand must bind
}

// code writes t in a programming language. names are the names of the columns, and prefix begins
// the names of free constants. number, call and constant give the text of numbers, functions, and
// leaves such as π. shapes describes the operators that are not functions in the language.
func (t Tree) code(names []string, prefix string, number func(float64) (string, int), call func(Op, ...string) string, constant map[Op]string, shapes map[Op]shape) string {
	if len(t.nodes) == 0 {
		return ""
	}
	goPower := shapes[Square] == shape{} // Go has no operator for powers
	w := infixWriter{nodes: t.nodes, sizes: t.sizes(), call: call}
	w.leaf = func(n Node) (string, int) {
		switch n.Op {
		case Number:
			return number(n.Value)
		case Var:
			if int(n.Index) < len(names) {
				return names[n.Index], levelAtom
			}
			return "x" + itoa(n.Index), levelAtom
		case Param:
			return prefix + itoa(n.Index), levelAtom
		}
		return constant[n.Op], levelAtom
	}
	w.other = func(w *infixWriter, i, level int) bool {
		n := w.nodes[i]
		if s, ok := shapes[n.Op]; ok {
			w.shaped(s, i-1, level)
			return true
		}
		if goPower {
			return w.goPower(n, i, level)
		}
		return false
	}
	w.write(len(t.nodes)-1, 0)
	return w.String()
}

func (w *infixWriter) shaped(s shape, operand, level int) {
	if s.level < level {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	if s.text[0] != '*' {
		w.WriteString(s.text)
	}
	w.write(operand, s.inside)
	if s.text[0] == '*' {
		w.WriteString(s.text)
	}
}

// goPower writes small powers of a leaf as x*x or x*x*x, and other powers with math.Pow.
func (w *infixWriter) goPower(n Node, i, level int) bool {
	base, times := i-1, 0
	switch {
	case n.Op == Square:
		times = 2
	case n.Op == Cube:
		times = 3
	case n.Op != Pow:
		return false
	default:
		base -= int(w.sizes[i-1])
		if e := w.nodes[i-1]; e.Op == Number && (e.Value == 2 || e.Value == 3) {
			times = int(e.Value)
		}
	}
	if leaf := w.nodes[base].Op; times > 0 && (leaf == Var || leaf == Param || leaf == Pi) {
		text, _ := w.leaf(w.nodes[base])
		w.shaped(shape{strings.Repeat(text+"*", times-1), levelMul, 0}, base, level)
		return true
	}
	w.WriteString("math.Pow(")
	w.write(base, 0)
	w.WriteString(", ")
	if n.Op == Pow {
		w.write(i-1, 0)
	} else {
		w.WriteString(strconv.Itoa(times))
	}
	w.WriteByte(')')
	return true
}
