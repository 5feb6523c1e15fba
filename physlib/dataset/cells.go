package dataset

import (
	"bytes"
	"strings"
)

// spaces is the separator of a table whose cells are separated by any number of spaces and tabs.
const spaces = ' '

// splitRow appends the cells of a row to dst, without surrounding blanks and quotes.
func splitRow(dst [][]byte, line []byte, sep byte) [][]byte {
	if bytes.IndexByte(line, '"') >= 0 {
		return splitQuoted(dst, line, sep, false)
	}
	if sep == spaces {
		for i := 0; i < len(line); {
			for i < len(line) && blank(line[i]) {
				i++
			}
			start := i
			for i < len(line) && !blank(line[i]) {
				i++
			}
			if i > start {
				dst = append(dst, line[start:i])
			}
		}
		return dst
	}
	start := 0
	for i, c := range line {
		if c == sep {
			dst = append(dst, trim(line[start:i]))
			start = i + 1
		}
	}
	return append(dst, trim(line[start:]))
}

// splitHeader returns the cells of a header. A separator inside brackets is part of a unit. If
// cells are separated by spaces, the space before a bracket is part of the cell, too.
func splitHeader(line []byte, sep byte) [][]byte {
	return splitQuoted(nil, line, sep, true)
}

func splitQuoted(dst [][]byte, line []byte, sep byte, brackets bool) [][]byte {
	lastClose := -1
	if brackets {
		lastClose = bytes.LastIndexByte(line, ']')
	}
	start, inUnit := 0, false
	var q quotes
	end := func(i int) {
		raw := trim(line[start:i])
		start, q = i+1, quotes{}
		if sep != spaces || len(raw) > 0 {
			dst = append(dst, unquote(raw))
		}
	}
	for i, c := range line {
		switch {
		case q.see(c):
		case c == '[' && i < lastClose:
			inUnit = true
		case c == ']':
			inUnit = false
		case inUnit:
		case c == sep && sep != spaces:
			end(i)
		case sep == spaces && blank(c) && !(brackets && nextIsUnit(line[i:])):
			end(i)
		}
	}
	end(len(line))
	return dst
}

// nextIsUnit reports whether b begins with a bracket, or with a unit in parentheses. Blanks at its
// start are ignored.
func nextIsUnit(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	if len(b) == 0 || b[0] != '(' {
		return len(b) > 0 && b[0] == '['
	}
	end := bytes.IndexByte(b, ')')
	return end > 0 && isUnit(string(b[1:end]))
}

// quotes tracks quotes in a cell, byte by byte. A quote opens at the start of a cell, or after the
// = of Excel. Elsewhere it is an ordinary character, so that 3" can mean three inches. The zero
// value is the start of a cell.
type quotes struct {
	begun, open, closing bool
}

// see reports whether the next byte, c, is inside quotes or is an opening or closing quote.
func (q *quotes) see(c byte) bool {
	if c == '"' {
		switch {
		case q.open:
			q.open, q.closing = false, true
		case q.closing: // a doubled quote
			q.open, q.closing = true, false
		case !q.begun:
			q.begun, q.open = true, true
		default:
			return false
		}
		return true
	}
	q.closing = false
	q.begun = q.begun || !blank(c) && c != '='
	return q.open
}

// openQuote reports whether a quoted cell is open at the end of a line. open says whether one was
// open at the start of the line. The separator is not known yet. Blanks count as separators if the
// line has no other separator.
func openQuote(line []byte, open bool) bool {
	separators := ",;|\t"
	if !bytes.ContainsAny(line, separators) {
		separators = " "
	}
	q := quotes{begun: open, open: open}
	for _, c := range line {
		if !q.see(c) && strings.IndexByte(separators, c) >= 0 {
			q = quotes{}
		}
	}
	return q.open
}

// unquote removes the quotes around a cell, and replaces doubled quotes inside by single ones.
func unquote(cell []byte) []byte {
	if len(cell) > 2 && cell[0] == '=' && cell[1] == '"' { // Excel's ="1"
		cell = cell[1:]
	}
	if len(cell) < 2 || cell[0] != '"' || cell[len(cell)-1] != '"' {
		return cell
	}
	cell = trim(cell[1 : len(cell)-1])
	if bytes.IndexByte(cell, '"') >= 0 {
		cell = bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`))
	}
	return cell
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
