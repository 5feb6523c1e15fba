package figure

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/expr"
)

// MathML returns the equation target = t as MathML, which browsers draw without a script. vars
// holds the names of the columns of t. Names of Greek letters become the letters, and the text
// after an underscore becomes a subscript. Free constants are shown as c with their index.
func MathML(target string, t expr.Tree, vars []string) string {
	var b strings.Builder
	b.WriteString(`<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">`)
	writeMathML(&b, equation(target, t, vars))
	b.WriteString("</math>")
	return b.String()
}

func writeMathML(b *strings.Builder, f formula) {
	inner := func(tag string, parts ...formula) {
		b.WriteString("<" + tag + ">")
		for _, p := range parts {
			writeMathML(b, p)
		}
		b.WriteString("</" + tag + ">")
	}
	switch f.kind {
	case number:
		b.WriteString("<mn>" + f.text + "</mn>")
	case name:
		writeName(b, f.text)
	case operator:
		b.WriteString("<mo>" + f.text + "</mo>")
	case row:
		inner("mrow", f.parts...)
	case product:
		writeProduct(b, f.parts)
	case fraction:
		inner("mfrac", f.parts...)
	case power:
		b.WriteString("<msup>")
		writeMathML(b, f.parts[0])
		writeExponent(b, f.parts[1])
		b.WriteString("</msup>")
	case root:
		inner("msqrt", f.parts...)
	case call:
		b.WriteString("<mrow><mi>" + f.text + "</mi><mo>&#x2061;</mo>")
		writeMathML(b, formula{kind: fence, parts: f.parts})
		b.WriteString("</mrow>")
	case fence, bars:
		open, shut := "(", ")"
		if f.kind == bars {
			open, shut = "|", "|"
		}
		b.WriteString(`<mrow><mo stretchy="true">` + open + "</mo>")
		writeMathML(b, f.parts[0])
		b.WriteString(`<mo stretchy="true">` + shut + "</mo></mrow>")
	}
}

// writeExponent writes a fraction of numbers on one line, as 3/2, which is legible at a small size.
func writeExponent(b *strings.Builder, f formula) {
	if over, under, ok := plainFraction(f); ok {
		b.WriteString("<mrow><mn>" + over + `</mn><mo lspace="0" rspace="0">/</mo><mn>` + under + "</mn></mrow>")
		return
	}
	writeMathML(b, f)
}

// writeProduct writes factors side by side, with × between two numbers and a thin space elsewhere.
func writeProduct(b *strings.Builder, parts []formula) {
	b.WriteString("<mrow>")
	for i, p := range parts {
		switch {
		case i > 0 && bothNumbers(parts[i-1], p):
			b.WriteString("<mo>×</mo>")
		case i > 0:
			b.WriteString(`<mo>&#x2062;</mo><mspace width="0.17em"/>`)
		}
		writeMathML(b, p)
	}
	b.WriteString("</mrow>")
}

// bothNumbers reports whether two neighbouring factors could be read as one number.
func bothNumbers(a, b formula) bool {
	digits := func(f formula) bool {
		if f.kind == product {
			f = f.parts[len(f.parts)-1]
		}
		if f.kind == power || f.kind == fraction {
			f = f.parts[0]
		}
		return f.kind == number && f.text != "π" && f.text != "e"
	}
	return digits(a) && digits(b)
}

// writeName writes a column's name: a single letter in italics, a word upright, and the part after
// an underscore as a subscript.
func writeName(b *strings.Builder, s string) {
	base, sub, has := strings.Cut(s, "_")
	if base == "" || sub == "" {
		base, sub, has = s, "", false
	}
	if has {
		b.WriteString("<msub>")
	}
	for _, part := range []string{base, sub} {
		if part == "" {
			continue
		}
		if g, ok := greek[part]; ok {
			part = g
		}
		if utf8.RuneCountInString(part) == 1 {
			b.WriteString("<mi>" + html.EscapeString(part) + "</mi>")
		} else {
			b.WriteString(`<mi mathvariant="normal">` + html.EscapeString(part) + "</mi>")
		}
	}
	if has {
		b.WriteString("</msub>")
	}
}

// greek maps the names of Greek letters to the letters.
var greek = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"kappa": "κ", "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
	"tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
	"Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "hbar": "ħ",
}
