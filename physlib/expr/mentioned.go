package expr

import "slices"

// Mentioned returns the names in the text of an expression that are not followed by a parenthesis:
// columns, constants, pi and e. Each name is returned once, in order of occurrence. Parse need not
// be able to read the text.
func Mentioned(text string) (names []string) {
	p := parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*SyntaxError); !ok {
				panic(r)
			}
		}
	}()
	for p.next(); p.kind != tokenEnd; {
		kind, word := p.kind, p.word
		p.next()
		name := kind == tokenQuoted || kind == tokenName && !p.is("(")
		if name && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	return names
}
