package format

import (
	"bytes"
	"regexp"
	"strings"
)

// json5Token matches a token of JSON5 or of a Python literal: a string in either kind of quotes, a
// comment, a name, or a number in a form that JSON does not allow. See https://spec.json5.org.
var json5Token = regexp.MustCompile(`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|//[^\n]*|/\*[\s\S]*?\*/|[\pL_$][\pL\pN_$]*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)

// closingComma matches a comma before a closing bracket.
var closingComma = regexp.MustCompile(`,(\s*[\]}])`)

// json5 rewrites data from JSON5, or from a literal of Python, to JSON. It removes comments and
// commas before closing brackets, and rewrites strings in single quotes, names without quotes and
// numbers such as +1, .5 and 5. The number of lines stays the same.
func json5(data []byte) []byte {
	var strs [][]byte // strings, which are set aside while commas are removed
	const aside = "\x00"
	out := json5Token.ReplaceAllFunc(data, func(token []byte) []byte {
		switch text := string(token); {
		case token[0] == '"' || token[0] == '\'':
			strs = append(strs, doubleQuoted(token))
			return []byte(aside)
		case strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*"):
			return bytes.Repeat([]byte{'\n'}, bytes.Count(token, []byte{'\n'}))
		case text == "true" || text == "True":
			return []byte("true")
		case text == "false" || text == "False":
			return []byte("false")
		case text == "null" || text == "None":
			return []byte("null")
		case strings.ContainsRune("+-.0123456789", rune(token[0])):
			return plainNumber(text)
		default:
			strs = append(strs, []byte(`"`+text+`"`))
			return []byte(aside)
		}
	})
	out = closingComma.ReplaceAll(out, []byte("$1"))
	k := -1
	return regexp.MustCompile(aside).ReplaceAllFunc(out, func([]byte) []byte { k++; return strs[k] })
}

// doubleQuoted returns a string of JSON5 as one of JSON.
func doubleQuoted(token []byte) []byte {
	if token[0] == '"' {
		return token
	}
	inner := string(token[1 : len(token)-1])
	return []byte(`"` + strings.NewReplacer(`\'`, `'`, `\\`, `\\`, `\"`, `\"`, `"`, `\"`).Replace(inner) + `"`)
}

// plainNumber returns a number of JSON5 as one of JSON, which has digits around the decimal point
// and no plus sign.
func plainNumber(text string) []byte {
	text = strings.TrimPrefix(text, "+")
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	if i := strings.IndexByte(text, '.'); i >= 0 && (i+1 == len(text) || text[i+1] == 'e' || text[i+1] == 'E') {
		text = text[:i] + text[i+1:]
	}
	return []byte(sign + text)
}
