package figure

import (
	"strings"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/expr"
)

// Text returns the equation target = t as lines of text for a terminal, with stacked fractions,
// raised powers and roots:
//
//	         3/2
//	T = 365·a
//
// Names are as in the table. No line ends with a space.
func Text(target string, t expr.Tree, vars []string) []string {
	b := layOut(equation(target, t, vars))
	for i := range b.lines {
		b.lines[i] = strings.TrimRight(b.lines[i], " ")
	}
	return b.lines
}

// block is a rectangle of text. base is the index of its baseline.
type block struct {
	lines []string
	base  int
}

func word(s string) block { return block{lines: []string{s}} }

func (b block) width() int {
	w := 0
	for _, l := range b.lines {
		w = max(w, utf8.RuneCountInString(l))
	}
	return w
}

func pad(s string, w int) string { return s + strings.Repeat(" ", max(0, w-utf8.RuneCountInString(s))) }

func centre(s string, w int) string {
	return pad(strings.Repeat(" ", max(0, w-utf8.RuneCountInString(s))/2)+s, w)
}

// inline joins blocks side by side, with their baselines aligned.
func inline(blocks ...block) block {
	up, down := 0, 0
	for _, b := range blocks {
		up, down = max(up, b.base), max(down, len(b.lines)-1-b.base)
	}
	out := block{lines: make([]string, up+1+down), base: up}
	for _, b := range blocks {
		w := b.width()
		for i := range out.lines {
			l := ""
			if k := i - up + b.base; k >= 0 && k < len(b.lines) {
				l = b.lines[k]
			}
			out.lines[i] += pad(l, w)
		}
	}
	return out
}

// layOut returns the formula as a block.
func layOut(f formula) block {
	switch f.kind {
	case operator:
		return word(" " + f.text + " ")
	case row:
		return layOutRow(f.parts)
	case product:
		var bs []block
		for i, p := range f.parts {
			if i > 0 {
				bs = append(bs, word("·"))
			}
			bs = append(bs, layOut(p))
		}
		return inline(bs...)
	case fraction:
		return layOutFraction(f)
	case power:
		return layOutPower(layOut(f.parts[0]), layOutInline(f.parts[1]))
	case root:
		return layOutRoot(layOut(f.parts[0]))
	case call:
		return inline(word(f.text), layOut(formula{kind: fence, parts: f.parts}))
	case fence:
		return brackets(layOut(f.parts[0]), "()", "⎛⎜⎝⎞⎟⎠")
	case bars:
		return brackets(layOut(f.parts[0]), "||", "││││││")
	}
	return word(f.text)
}

// layOutRow lays out the parts side by side. A leading sign is placed next to its operand, without
// a space.
func layOutRow(parts []formula) block {
	var bs []block
	for i, p := range parts {
		if i == 0 && p.kind == operator {
			bs = append(bs, word(p.text))
			continue
		}
		bs = append(bs, layOut(p))
	}
	return inline(bs...)
}

func layOutFraction(f formula) block {
	over, under := layOut(f.parts[0]), layOut(f.parts[1])
	w := max(over.width(), under.width()) + 2
	out := block{base: len(over.lines)}
	for _, l := range over.lines {
		out.lines = append(out.lines, centre(pad(l, over.width()), w))
	}
	out.lines = append(out.lines, strings.Repeat("─", w))
	for _, l := range under.lines {
		out.lines = append(out.lines, centre(pad(l, under.width()), w))
	}
	return out
}

// layOutInline lays out an exponent, with a fraction of numbers on one line, as 3/2.
func layOutInline(f formula) block {
	if over, under, ok := plainFraction(f); ok {
		return word(over + "/" + under)
	}
	return layOut(f)
}

func layOutPower(base, exponent block) block {
	h, w := len(exponent.lines), base.width()
	out := block{base: h + base.base}
	for _, l := range exponent.lines {
		out.lines = append(out.lines, strings.Repeat(" ", w)+l)
	}
	for _, l := range base.lines {
		out.lines = append(out.lines, pad(l, w))
	}
	return out
}

// layOutRoot draws √ with a bar above the argument.
func layOutRoot(b block) block {
	w := b.width()
	out := block{lines: []string{" ┌" + strings.Repeat("─", w)}, base: b.base + 1}
	for i, l := range b.lines {
		left := " │"
		if i == len(b.lines)-1 {
			left = "╲│"
		}
		out.lines = append(out.lines, left+pad(l, w))
	}
	return out
}

// brackets puts a block in brackets. flat holds the two brackets for one line. tall holds the
// characters for several lines: top, middle and bottom of the left bracket, then of the right one.
func brackets(b block, flat, tall string) block {
	if len(b.lines) == 1 {
		return word(flat[:1] + b.lines[0] + flat[1:])
	}
	pieces := []rune(tall)
	w := b.width()
	out := block{base: b.base}
	for i, l := range b.lines {
		k := 1
		switch i {
		case 0:
			k = 0
		case len(b.lines) - 1:
			k = 2
		}
		out.lines = append(out.lines, string(pieces[k])+pad(l, w)+string(pieces[k+3]))
	}
	return out
}
