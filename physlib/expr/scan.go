package expr

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenNumber
	tokenName
	tokenQuoted // a name in backquotes
	tokenSign   // an operator, a parenthesis, a comma
	tokenRaised // an exponent in superscripts, as in x²
)

// next reads the next token.
func (p *parser) next() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	p.start = p.pos
	if p.pos == len(p.text) {
		p.kind, p.word = tokenEnd, ""
		return
	}
	rest := p.text[p.pos:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case '0' <= r && r <= '9' || r == '.':
		p.readNumber(rest)
	case r == '`':
		p.readQuoted(rest)
	case isNameStart(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return !isNamePart(r) })
		if n < 0 {
			n = len(rest)
		}
		p.kind, p.word = tokenName, rest[:n]
		p.pos += n
	case strings.ContainsRune(superscripts, r):
		p.readRaised(rest)
	default:
		p.kind, p.word = tokenSign, sign(rest, r)
		if p.word == "" {
			p.fail(p.start, "unexpected %q%s", r, instead[r])
		}
		if p.word == "**" && r == '*' {
			size = 2
		}
		p.pos += size
	}
}

// superscripts are the signs and digits of an exponent such as x⁻².
const superscripts = "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹"

// instead holds the end of the error message for some unexpected characters.
var instead = map[rune]string{'[': ": numbers and names have no unit in a formula", '√': ": write sqrt(…)", '÷': ": write /"}

// readRaised reads an exponent in superscripts.
func (p *parser) readRaised(rest string) {
	n := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune(superscripts, r) })
	if n < 0 {
		n = len(rest)
	}
	plain := strings.Map(func(r rune) rune {
		i := strings.Index(superscripts, string(r))
		return []rune("-+0123456789")[utf8.RuneCountInString(superscripts[:i])]
	}, rest[:n])
	v, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		p.fail(p.start, "%q is not an exponent", rest[:n])
	}
	p.kind, p.word, p.number = tokenRaised, rest[:n], v
	p.pos += n
}

// sign returns the operator that begins with r, the first rune of rest, or "".
func sign(rest string, r rune) string {
	switch r {
	case '^':
		return "**"
	case '−':
		return "-"
	case '×', '·', '⋅':
		return "*"
	case '+', '-', '/', '(', ')', ',':
		return string(r)
	case '*':
		if strings.HasPrefix(rest, "**") {
			return "**"
		}
		return "*"
	}
	return ""
}

func (p *parser) readNumber(rest string) {
	n := 0
	digits := func() {
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
	}
	digits()
	if n < len(rest) && rest[n] == '.' {
		n++
		digits()
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		mantissa := n
		n++
		if n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
			n++
		}
		first := n
		digits()
		if n == first { // 2e is the number 2 followed by a name
			n = mantissa
		}
	}
	v, err := strconv.ParseFloat(rest[:n], 64)
	// Numbers out of range are accepted, since Inf is printed as 1e999.
	if err != nil && !math.IsInf(v, 0) {
		p.fail(p.start, "%q is not a number", rest[:n])
	}
	p.kind, p.word, p.number = tokenNumber, rest[:n], v
	p.pos += n
}

func (p *parser) readQuoted(rest string) {
	var name strings.Builder
	for i := 1; i < len(rest); i++ {
		if rest[i] != '`' {
			name.WriteByte(rest[i])
			continue
		}
		if i+1 < len(rest) && rest[i+1] == '`' {
			name.WriteByte('`')
			i++
			continue
		}
		p.kind, p.word = tokenQuoted, name.String()
		p.pos += i + 1
		return
	}
	p.fail(p.start, "the name that starts here lacks its closing backquote")
}

func (p *parser) is(sign string) bool { return p.kind == tokenSign && p.word == sign }
