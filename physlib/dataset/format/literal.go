package format

import (
	"strconv"
	"strings"
)

// literal reads a Python literal of dictionaries, lists, tuples, strings, numbers and booleans,
// such as the header of a NumPy array.
type literal struct {
	text  string
	at    int
	depth int
	bad   bool
}

func (p *literal) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next reports whether c follows, and moves past it.
func (p *literal) next(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// value reads one value: map[string]any, []any, string, int or bool. It returns nil for anything
// else.
func (p *literal) value() any {
	p.space()
	if p.depth++; p.at >= len(p.text) || p.depth > 20 {
		p.bad = true
		return nil
	}
	defer func() { p.depth-- }()
	switch c := p.text[p.at]; {
	case c == '{':
		return p.dictionary()
	case c == '(' || c == '[':
		return p.list(map[byte]byte{'(': ')', '[': ']'}[c])
	case c == '\'' || c == '"':
		end := strings.IndexByte(p.text[p.at+1:], c)
		if end < 0 {
			p.bad = true
			return nil
		}
		s := p.text[p.at+1 : p.at+1+end]
		p.at += end + 2
		return s
	}
	end := p.at
	for end < len(p.text) && strings.IndexByte(",)]}: \n", p.text[end]) < 0 {
		end++
	}
	word := p.text[p.at:end]
	p.at = end
	switch word {
	case "True":
		return true
	case "False":
		return false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(word, "L"))
	if err != nil {
		p.bad = true
		return nil
	}
	return n
}

func (p *literal) dictionary() any {
	p.at++
	m := map[string]any{}
	for !p.bad && !p.next('}') {
		key, ok := p.value().(string)
		if !ok || !p.next(':') {
			p.bad = true
			break
		}
		m[key] = p.value()
		p.next(',')
	}
	return m
}

func (p *literal) list(end byte) any {
	p.at++
	all := []any{}
	for !p.bad && !p.next(end) {
		all = append(all, p.value())
		p.next(',')
	}
	return all
}
