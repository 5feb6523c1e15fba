package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/spelling"
	"golang.org/x/text/unicode/norm"
)

var superscripts = map[rune]byte{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9'}

// identifier converts a name to one that can occur in laws. The result consists of letters, digits,
// _ and subscripts, and begins with a letter. Superscripts become digits.
func identifier(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ReplaceAll(name, "∆", "Δ") { // the increment sign of Macintosh keyboards
		if r == '_' || unicode.IsLetter(r) || '0' <= r && r <= '9' || '₀' <= r && r <= '₉' || unicode.Is(unicode.M, r) {
			if gap && b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		} else if digit, ok := superscripts[r]; ok {
			b.WriteByte(digit)
			gap = false
		} else {
			gap = true
		}
	}
	s := b.String()
	if r, _ := utf8.DecodeRuneInString(s); s != "" && r != '_' && !unicode.IsLetter(r) {
		s = "x" + s
	}
	return s
}

// errorKinds are words for errors in headings such as stat + and stat -, with the words that
// replace them in the names of the columns.
var errorKinds = map[string]string{
	"stat": "_stat_err", "statistical": "_stat_err", "sys": "_sys_err", "syst": "_sys_err", "systematic": "_sys_err",
	"total": "_total_err", "tot": "_total_err", "err": "_err", "error": "_err", "unc": "_err", "uncertainty": "_err",
}

// signedError returns the name of a column called y+ or y- if there are columns y, y+ and y-:
// y_err_plus or y_err_minus. A column called stat + becomes y_stat_err_plus, where y is the
// quantity on its left. For other names, such as that of an ion, it returns "".
func (t *reader) signedError(name string) string {
	signs := map[string]string{"+": "_plus", "-": "_minus"}
	for sign, part := range signs {
		base, ok := strings.CutSuffix(name, sign)
		if !ok || base == "" || !t.hasColumn(base+"+") || !t.hasColumn(base+"-") {
			continue
		}
		if t.hasColumn(base) {
			return identifier(base) + "_err" + part
		}
		word, _, _ := strings.Cut(strings.ToLower(base), ",") // as in sys,lumi +
		kind := errorKinds[strings.Trim(word, " ._")]
		for i := len(t.columns) - 1; i >= 0 && kind != ""; i-- {
			if q := t.columns[i].Name; q != "" && !strings.HasSuffix(q, "_plus") && !strings.HasSuffix(q, "_minus") {
				return q + kind + part
			}
		}
	}
	return ""
}

// partsOfNames warns if the names repeat one sequence several times, as where a long table
// continues to the right.
func (t *reader) partsOfNames() {
	n := len(t.columns)
	for width := 2; width <= n/2; width++ {
		if n%width > 0 || t.columns[0].Name == "" {
			continue
		}
		same := true
		for i := width; i < n && same; i++ {
			same = t.columns[i].Name == t.columns[i-width].Name
		}
		if same {
			t.warn("the names repeat after column %d: if the table continues to the right, put its parts below each other", width)
			return
		}
	}
}

// distinct appends a number to names that occurred before: a second x becomes x_2.
func (t *reader) distinct() {
	seen := make(map[string]int)
	for _, h := range t.columns {
		seen[h.Name]++
	}
	first := make(map[string]int)
	for i := range t.columns {
		h := &t.columns[i]
		if h.Name == "" {
			continue
		}
		before, again := first[h.Name]
		if !again {
			first[h.Name] = i
			continue
		}
		name := h.Name
		for n := 2; again || seen[h.Name] > 0; n++ {
			h.Name, again = fmt.Sprintf("%s_%d", name, n), false
		}
		seen[h.Name]++
		first[h.Name] = i
		h.written, t.twice = h.Name, true
		t.warn("column %d has the same name as column %d, %s, and is called %s", i+1, before+1, name, h.Name)
	}
}

// find returns the index of the column with the given name. The name may be the text in the header
// without the unit, or the identifier. what is the name of the flag, for error messages.
func (t *reader) find(name, what string) (int, error) {
	var names []string
	name = norm.NFC.String(strings.TrimSpace(name))
	bare, _, _ := splitUnit(name)
	for _, n := range []string{name, bare, identifier(bare), identifier(name)} {
		i := slices.IndexFunc(t.columns, func(h columnReader) bool { return h.Name != "" && (h.written == n || h.Name == n) })
		if i >= 0 {
			return i, nil
		}
	}
	if i, ok := t.beginning(name); ok {
		return i, nil
	}
	for i, h := range t.columns {
		if h.Name != "" && skeleton(h.Name) == skeleton(name) {
			t.warn("column %s is read as %s, which looks alike and is written with other letters", h.Name, name)
			return i, nil
		}
		if h.Name != "" {
			names = append(names, h.Name)
		}
	}
	try := "there are " + spelling.List(names)
	if near := spelling.Nearest(name, names); near != "" {
		try = fmt.Sprintf("did you mean %s? %s", near, try)
	}
	return 0, &Error{File: t.file, Problem: fmt.Sprintf("%s %q is not a column", what, name), Try: try}
}

// beginning returns the only column whose heading consists of name and a text in brackets that is
// not a unit, as in "eaten (prey/day)" for eaten, or of name and a unit, as in p_mmHg for p.
func (t *reader) beginning(name string) (column int, ok bool) {
	number := 0
	for i, h := range t.columns {
		rest, begins := strings.CutPrefix(h.written, name)
		rest = strings.TrimSpace(rest)
		quantity, u := lastPart(h.written)
		if begins && name != "" && rest != "" && strings.ContainsAny(rest[:1], "([") || quantity == name && unitOf(name, u) {
			column = i
			number++
		}
	}
	return column, number == 1
}
