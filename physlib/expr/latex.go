package expr

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// LaTeX writes t for LaTeX's math mode, with fractions and roots. x1 and omega_0 become x_{1} and
// \omega_{0}, log becomes \ln, and 1.5e-7 becomes 1.5 \times 10^{-7}.
func (t Tree) LaTeX(vars []string) string { return t.latex(vars, notation{}) }

// LaTeXDecimals returns LaTeX with short decimals in place of fractions (see Decimals).
func (t Tree) LaTeXDecimals(vars []string) string { return t.latex(vars, notation{decimals: true}) }

func (t Tree) latex(vars []string, number notation) string {
	if len(t.nodes) == 0 {
		return ""
	}
	prefix := paramPrefix(vars)
	w := latexWriter{nodes: t.nodes, sizes: t.sizes(), notation: number, name: func(n Node) string {
		if n.Op == Param {
			return LaTeXName(prefix + itoa(n.Index))
		}
		return LaTeXName(unquotedName(vars, int(n.Index)))
	}}
	w.write(len(t.nodes)-1, 0)
	return w.String()
}

type latexWriter struct {
	strings.Builder
	nodes    []Node
	sizes    []int32
	name     func(n Node) string
	notation notation
	bare     []int // nodes whose minus sign is already written, in front of a fraction
}

// minus returns the node that provides the leading minus sign of the product or quotient at node i,
// or -1 if there is none.
func (w *latexWriter) minus(i int) int {
	for {
		switch n := w.nodes[i]; {
		case n.Op == Mul || n.Op == Div:
			i -= 1 + int(w.sizes[i-1])
		case n.Op == Neg || n.Op == Number && n.Value < 0:
			return i
		default:
			return -1
		}
	}
}

// level returns how tightly a node binds when it is written in LaTeX. A fraction, for example,
// needs parentheses only as the base of a power.
func (w *latexWriter) level(i int) int {
	n := w.nodes[i]
	switch n.Op {
	case Number:
		if n.Value < 0 && !slices.Contains(w.bare, i) {
			return levelNeg
		}
		if strings.ContainsAny(w.number(n.Value), "\\") {
			return levelPow
		}
		return levelAtom
	case Neg:
		if slices.Contains(w.bare, i) {
			return w.level(i - 1)
		}
		return levelNeg
	case Add, Sub:
		return levelAdd
	case Mul:
		return levelMul
	case Div:
		if w.minus(i-1-int(w.sizes[i-1])) >= 0 {
			return levelNeg
		}
		return levelPow
	case Inv, Pow, Square, Cube, Exp:
		return levelPow
	}
	return levelAtom
}

func (w *latexWriter) number(v float64) string {
	text, level := w.notation.number(v)
	if level == levelMul {
		p, q, _ := strings.Cut(text, "/")
		p, minus := strings.CutPrefix(p, "-")
		return map[bool]string{true: "-"}[minus] + `\frac{` + p + "}{" + q + "}"
	}
	switch text {
	case "1e999":
		return `\infty`
	case "-1e999":
		return `-\infty`
	case "(0/0)":
		return `\mathrm{NaN}`
	}
	if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
		power := "10^{" + exponent + "}"
		switch mantissa {
		case "1":
			return power
		case "-1":
			return "-" + power
		}
		return mantissa + ` \times ` + power
	}
	return text
}

// write writes the subtree of node i, in parentheses if it binds less tightly than level.
func (w *latexWriter) write(i, level int) {
	if w.level(i) < level {
		w.WriteString(`\left(`)
		defer w.WriteString(`\right)`)
	}
	n, right, left := w.nodes[i], i-1, 0
	if n.Op.Arity() == 2 {
		left = right - int(w.sizes[right])
	}
	switch n.Op {
	case Number:
		text := w.number(n.Value)
		if slices.Contains(w.bare, i) {
			text = strings.TrimPrefix(text, "-")
		}
		w.WriteString(text)
	case Var, Param:
		w.WriteString(w.name(n))
	case Pi:
		w.WriteString(`\pi`)
	case Euler:
		w.WriteString("e")
	case Neg:
		if slices.Contains(w.bare, i) {
			w.write(right, level)
			return
		}
		w.wrap("-", right, levelMul, "")
	case Square:
		w.power(right, func() { w.WriteString("2") })
	case Cube:
		w.power(right, func() { w.WriteString("3") })
	case Add:
		w.binary(left, " + ", right, levelAdd, levelMul)
	case Sub:
		w.binary(left, " - ", right, levelAdd, levelMul)
	case Mul:
		w.product(left, right)
	case Div:
		w.fraction(left, right)
	case Pow:
		w.power(left, func() { w.write(right, 0) })
	default:
		w.call(n.Op, left, right)
	}
}

// fraction writes left over right. A minus sign of left is written before the fraction.
func (w *latexWriter) fraction(left, right int) {
	if minus := w.minus(left); minus >= 0 && !slices.Contains(w.bare, minus) {
		w.bare = append(w.bare, minus)
		w.WriteByte('-')
	}
	w.wrap(`\frac{`, left, 0, "}{")
	w.wrap("", right, 0, "}")
}

// call writes a function with the operand right, or with the operands left and right.
func (w *latexWriter) call(op Op, left, right int) {
	switch op {
	case Inv:
		w.wrap(`\frac{1}{`, right, 0, "}")
	case Abs:
		w.wrap(`\left|`, right, 0, `\right|`)
	case Sqrt:
		w.wrap(`\sqrt{`, right, 0, "}")
	case Exp:
		w.wrap("e^{", right, 0, "}")
	default:
		w.WriteString(operators[op].LaTeX)
		w.WriteString(`\left(`)
		if op.Arity() == 2 {
			w.wrap("", left, 0, ", ")
		}
		w.wrap("", right, 0, `\right)`)
	}
}

func (w *latexWriter) wrap(before string, i, level int, after string) {
	w.WriteString(before)
	w.write(i, level)
	w.WriteString(after)
}

func (w *latexWriter) binary(left int, sign string, right, leftLevel, rightLevel int) {
	w.write(left, leftLevel)
	w.WriteString(sign)
	if w.opensWithMinus(right) {
		rightLevel = levelAtom
	}
	w.write(right, rightLevel)
}

// product writes the factors left and right side by side. It puts a dot between them if right
// begins with a digit.
func (w *latexWriter) product(left, right int) {
	sign := " "
	if w.opensWithDigit(right) {
		sign = ` \cdot `
	}
	rightLevel := levelPow
	if w.opensWithMinus(right) {
		rightLevel = levelAtom
	}
	w.write(left, levelMul)
	w.WriteString(sign)
	w.write(right, rightLevel)
}

// first returns the node that is written first in the subtree of node i.
func (w *latexWriter) first(i int) Node {
	for {
		switch n := w.nodes[i]; n.Op {
		case Add, Sub, Mul, Pow, Div:
			if j := w.minus(i); n.Op == Div && j < 0 {
				return n
			}
			i -= 1 + int(w.sizes[i-1])
		case Square, Cube:
			i--
		default:
			return n
		}
	}
}

func (w *latexWriter) opensWithMinus(i int) bool {
	n := w.first(i)
	return n.Op == Neg || n.Op == Number && n.Value < 0
}

func (w *latexWriter) opensWithDigit(i int) bool {
	return w.level(i) >= levelPow && w.first(i).Op == Number
}

// power writes a power of node i. The exponent of an elementary function follows its name:
// \sin^{2}\left(x\right).
func (w *latexWriter) power(i int, exponent func()) {
	if o := &operators[w.nodes[i].Op]; o.LaTeX != "" && !o.Rare {
		w.WriteString(o.LaTeX + "^{")
		exponent()
		w.wrap(`}\left(`, i-1, 0, `\right)`)
		return
	}
	w.wrap("", i, levelAtom, "^{")
	exponent()
	w.WriteString("}")
}

// LaTeXName returns a column's name for math mode: alpha → \alpha, omega_0 → \omega_{0}, x1 →
// x_{1}, k_spring → k_{\mathrm{spring}}, Volt → \mathrm{Volt}, time_after_rain →
// \mathrm{time\ after\ rain}. Rates get dots: dx_dt → \dot{x}, d2x_dt2 → \ddot{x}.
func LaTeXName(name string) string {
	if m := rate.FindStringSubmatch(name); m != nil && m[1] == m[3] {
		dot := `\dot{`
		if m[1] != "" {
			dot = `\ddot{`
		}
		return dot + LaTeXName(m[2]) + "}"
	}
	base, sub, cut := strings.Cut(name, "_")
	if base == "" || !cut {
		base, sub = strings.Trim(name, "_"), ""
	}
	if letters := strings.TrimRight(base, "0123456789₀₁₂₃₄₅₆₇₈₉"); letters != "" && letters != base && !strings.ContainsAny(letters, " 0123456789") {
		digits := strings.Map(asciiDigit, base[len(letters):])
		base = letters
		if sub = strings.TrimRight(sub, "_"); sub != "" {
			digits += "," + sub
		}
		sub = digits
	}
	if base == "" {
		base = name
	}
	if sub = strings.TrimRight(sub, "_"); sub == "" {
		return latexWord(base)
	}
	parts := strings.FieldsFunc(sub, func(r rune) bool { return r == '_' || r == ',' })
	if strings.HasPrefix(latexWord(base), `\mathrm`) && len(parts) > 1 { // a phrase, not a symbol
		return `\mathrm{` + latexEscape.Replace(base+" "+strings.Join(parts, " ")) + "}"
	}
	for i, p := range parts {
		parts[i] = latexWord(strings.Map(asciiDigit, p))
	}
	return latexWord(base) + "_{" + strings.Join(parts, ",") + "}"
}

// rate matches the names of rates, as package motion writes them. Other names of the time would
// also match names such as depth_dust.
var rate = regexp.MustCompile(`^d(2?)(\p{L}.*)_d(?:t|time|tau|τ)(2?)$`)

func asciiDigit(r rune) rune {
	if '₀' <= r && r <= '₉' {
		return r - '₀' + '0'
	}
	return r
}

// greek maps names and letters to LaTeX commands. lambd is what Python programs use for lambda.
var greek = func() map[string]string {
	m := map[string]string{"lambd": `\lambda`, "omicron": "o", "hbar": `\hbar`, "ħ": `\hbar`, "ℏ": `\hbar`, "µ": `\mu`}
	letters := []rune("αβγδεζηθικλμνξ_πρ_στυφχψω")
	for i, name := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi _ pi rho _ sigma tau upsilon phi chi psi omega") {
		if name != "_" {
			m[name], m[string(letters[i])] = `\`+name, `\`+name
		}
	}
	capitals := []rune("ΓΔΘΛΞΠΣΥΦΨΩ")
	for i, name := range strings.Fields("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega") {
		m[name], m[string(capitals[i])] = `\`+name, `\`+name
	}
	return m
}()

func latexWord(word string) string {
	if command, ok := greek[word]; ok {
		return command
	}
	runes := []rune(word)
	if _, err := strconv.Atoi(word); err == nil || len(runes) == 1 && unicode.IsLetter(runes[0]) {
		return word
	}
	return `\mathrm{` + latexEscape.Replace(word) + "}"
}

var latexEscape = strings.NewReplacer(" ", `\ `, "_", `\_`, "%", `\%`, "#", `\#`, "$", `\$`, "&", `\&`, "{", `\{`, "}", `\}`,
	`\`, `\backslash `, "^", `\hat{}`, "~", `\sim `)
