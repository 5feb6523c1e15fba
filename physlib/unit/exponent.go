package unit

import (
	"fmt"
	"strconv"
	"strings"
)

// exponent reads an exponent: ^2, **2, ^(1/2), ^-1.5, ² or ⁻¹. After a name (named is true), it
// also reads a plain 2 or -1. raised reports whether there is an exponent.
func (p *parser) exponent(named bool) (e Ratio, raised bool, err error) {
	if digits := p.superscript(); digits != "" {
		e, err = p.ratio(p.pos-len(digits), digits)
		return e, true, err
	}
	c, next := p.peek(0), p.peek(1)
	if named && (isDigit(c) || (c == '-' || c == '+') && isDigit(next)) {
		e, err = p.signed(false)
		return e, true, err
	}
	back := p.pos
	p.skip()
	switch {
	case p.peek(0) == '^':
		p.pos++
	case p.peek(0) == '*' && p.peek(1) == '*':
		p.pos += 2
	default:
		p.pos = back
		return Ratio{}, false, nil
	}
	p.skip()
	if p.peek(0) != '(' {
		e, err = p.signed(true)
		return e, true, err
	}
	e, err = p.fraction()
	return e, true, err
}

// fraction reads an exponent in parentheses: (2), (-1/2), (0.5).
func (p *parser) fraction() (e Ratio, err error) {
	open := p.pos
	p.pos++
	p.skip()
	if e, err = p.signed(true); err != nil {
		return e, err
	}
	p.skip()
	if p.peek(0) == '/' {
		p.pos++
		p.skip()
		at := p.pos
		d, err := p.signed(true)
		if err != nil {
			return e, err
		}
		if d.IsZero() {
			return e, p.fail(at, "exponent with denominator 0", "")
		}
		e = e.Mul(Rat(d.Den(), d.Num()))
		p.skip()
	}
	if p.peek(0) != ')' {
		return e, p.fail(open, "parenthesis never closed", "write a fractional exponent as m^(1/2)")
	}
	p.pos++
	return e, nil
}

// signed reads a whole number or, if decimals is true, a decimal such as 0.5.
func (p *parser) signed(decimals bool) (Ratio, error) {
	start := p.pos
	if c := p.peek(0); c == '-' || c == '+' {
		p.pos++
	}
	p.digits(decimals)
	return p.ratio(start, string(p.text[start:p.pos]))
}

// ratio returns the exponent in text. pos is the position of the text, for errors.
func (p *parser) ratio(pos int, text string) (Ratio, error) {
	whole, decimals, _ := strings.Cut(text, ".")
	n, err := strconv.Atoi(whole + decimals)
	d := 1
	for range decimals {
		d = min(10*d, 1e6)
	}
	if err != nil {
		return Ratio{}, p.fail(pos, "no whole number or fraction as an exponent", "write m^2, m^-1 or m^(1/2)")
	}
	if n > maxExponent*d || n < -maxExponent*d || d > 1000 {
		return Ratio{}, p.fail(pos, "exponent out of range", fmt.Sprintf("use at most %d, with three decimals", maxExponent))
	}
	return Rat(n, d), nil
}

// superscript consumes superscript digits and signs, and returns them as ASCII characters.
func (p *parser) superscript() string {
	var b strings.Builder
	for {
		i := strings.IndexRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", p.peek(0))
		if i < 0 || p.peek(0) == 0 {
			return b.String()
		}
		b.WriteByte("0123456789-+"[len([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"[:i]))])
		p.pos++
	}
}
