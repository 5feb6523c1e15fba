package dataset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/unit/spelling"
)

// heading is one cell of the header.
type heading struct {
	written string // the name in the file, "" for none
	Column
}

// splitUnit divides "v [m/s]" into name and unit; bracket tells whether there are brackets.
func splitUnit(cell string) (name, unitText string, bracket bool) {
	cell = strings.TrimSpace(cell)
	open := strings.LastIndexByte(cell, '[')
	if open < 0 || !strings.HasSuffix(cell, "]") {
		return cell, "", false
	}
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(cell[:open]), `"`)) // "wave length" [nm]
	return name, strings.TrimSpace(cell[open+1 : len(cell)-1]), true
}

// identifier makes a name that laws can be written with: letters, digits, _ and subscripts, the first no digit.
func identifier(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r == '_' || unicode.IsLetter(r) || '0' <= r && r <= '9' || '₀' <= r && r <= '₉' || unicode.Is(unicode.M, r) {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
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

// headings reads the header, or makes names up for width columns where there is none.
func (t *reader) headings(lay layout, width int) error {
	if lay.header == nil {
		for i := range width {
			name := fmt.Sprintf("x%d", i+1)
			if i == width-1 && width > 1 {
				name = "y"
			}
			t.columns = append(t.columns, heading{name, Column{Name: name}})
		}
		switch {
		case width == 2:
			t.warn("no header: the columns are called x1 and y")
		case width > 2:
			t.warn("no header: the columns are called x1 to x%d and y", width-1)
		}
		return nil
	}
	line := lay.header.text
	t.headerRow = lay.header.row
	if !utf8.Valid(line) {
		line = latin1(line)
		t.warn("the header is not UTF-8, read as Latin-1")
	}
	cells := splitHeader(line, lay.sep)
	t.quotients(cells)
	for i, cell := range cells {
		h, err := t.heading(i, string(cell))
		if err != nil {
			return err
		}
		t.columns = append(t.columns, h)
	}
	return t.distinct()
}

// quotients writes headings such as T/K as T [K], the quantity divided by its unit (ISO 80000-1), if all columns have them.
func (t *reader) quotients(cells [][]byte) {
	var names, units []string
	for _, c := range cells {
		name, u, slash := strings.Cut(string(c), "/")
		name, u = strings.TrimSpace(name), strings.TrimSpace(u)
		if _, err := unit.Parse(u); !slash || err != nil || identifier(name) != name || name == "" {
			return
		}
		names, units = append(names, name), append(units, u)
	}
	for i := range names {
		t.warn("column %q is read as %s in %s; write %s [%s] to be sure", cells[i], names[i], units[i], names[i], units[i])
		cells[i] = []byte(names[i] + " [" + units[i] + "]")
	}
}

// heading reads one cell of the header.
func (t *reader) heading(i int, cell string) (heading, error) {
	name, unitText, bracket := splitUnit(cell)
	h := heading{written: name}
	if name == "" && !bracket {
		return h, nil // a column without a name is left out later
	}
	if !bracket {
		name, unitText = t.parenthesis(name)
		bracket = unitText != ""
	}
	if h.Name = identifier(name); h.Name == "" {
		return h, t.fail(t.headerRow, place(i, ""), fmt.Sprintf("%q holds no name", cell), "write name or name [unit]")
	}
	if h.Name != name {
		t.warn("column %q is called %s in laws", name, h.Name)
	}
	if bracket {
		u, err := unit.Parse(unitText)
		if err != nil {
			return h, &Error{File: t.file, Row: t.headerRow, Column: place(i, name), Problem: err.Error(), Err: err}
		}
		h.Unit, h.HasUnit = u, true
		t.doubt(h.Name, unitText)
	}
	return h, nil
}

// unitRow takes the first row below the header for the columns' units, as in m, (s), [kg], if it holds nothing else. Empty cells
// and dashes leave a unit unknown.
func (t *reader) unitRow(rec record) bool {
	cells := splitHeader(rec.text, t.layout.sep)
	if t.layout.header == nil || len(cells) != len(t.columns) {
		return false
	}
	units, some := make([]unit.Unit, len(cells)), false
	for i, c := range cells {
		if gone, _ := missing(c); gone {
			continue
		}
		text := string(c)
		if n := len(text); n > 1 && (text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')') {
			text = text[1 : n-1]
		}
		var err error
		if units[i], err = unit.Parse(text); err != nil || isNumber(c, '.') || isNumber(c, ',') || t.columns[i].HasUnit {
			return false
		}
		some = true
	}
	if !some {
		return false
	}
	for i, c := range cells {
		if gone, _ := missing(c); !gone {
			t.columns[i].Unit, t.columns[i].HasUnit = units[i], true
		}
	}
	t.warn("row %d is read as the columns' units", rec.row)
	return true
}

// untitled leaves out lines above the header that hold one cell where the table has more: titles.
func (t *reader) untitled(rows []record) []record {
	for k := range min(len(rows)-1, 10) {
		sep := byte(t.options.Comma)
		if sep == 0 {
			sep = separator(rows[k:])
		}
		cells, alike := splitHeader(rows[k].text, sep), 0
		for _, r := range rows[k+1:] {
			if len(splitRow(nil, r.text, sep)) == len(cells) {
				alike++
			}
		}
		if filled(cells) < 2 || 2*alike <= len(rows)-k-1 {
			continue
		}
		for _, r := range rows[:k] {
			if filled(splitHeader(r.text, sep)) > 1 || bytes.HasPrefix(bytes.ToLower(r.text), []byte("sep=")) {
				return rows
			}
		}
		for _, r := range rows[:k] {
			t.warn("row %d, %s, is taken for a title", r.row, quote(bytes.TrimRight(r.text, string(sep))))
		}
		return rows[k:]
	}
	return rows
}

// filled is how many cells are not empty.
func filled(cells [][]byte) (n int) {
	for _, c := range cells {
		n += min(len(c), 1)
	}
	return n
}

// parenthesis takes a unit in parentheses behind a space, as in "v (m/s)", for a unit, if it is one.
func (t *reader) parenthesis(cell string) (name, unitText string) {
	open := strings.LastIndex(cell, " (")
	if open < 0 || !strings.HasSuffix(cell, ")") {
		return cell, ""
	}
	name, unitText = strings.TrimSpace(cell[:open]), cell[open+2:len(cell)-1]
	if _, err := unit.Parse(unitText); err != nil {
		return cell, ""
	}
	t.warn("column %q: (%s) is read as its unit; write %s [%s] to be sure", cell, unitText, name, unitText)
	return name, unitText
}

// distinct checks that no name occurs twice.
func (t *reader) distinct() error {
	seen := make(map[string]int)
	for i, h := range t.columns {
		if h.Name == "" {
			continue
		}
		if first, twice := seen[h.Name]; twice {
			return t.fail(t.headerRow, place(i, h.Name), fmt.Sprintf("column %d has the same name", first+1), "give each column its own")
		}
		seen[h.Name] = i
	}
	return nil
}

// find is the column of the given name, as written or as identifier. what names its part in the error.
func (t *reader) find(name, what string) (int, error) {
	var names []string
	for i, h := range t.columns {
		if h.Name != "" && (h.written == name || h.Name == name) {
			return i, nil
		}
		if h.Name != "" {
			names = append(names, h.Name)
		}
	}
	try := "there are " + list(names)
	if near := spelling.Nearest(name, names); near != "" {
		try = fmt.Sprintf("did you mean %s? %s", near, try)
	}
	return 0, &Error{File: t.file, Problem: fmt.Sprintf("%s %q is no column", what, name), Try: try}
}

// list names at most a dozen things.
func list(names []string) string {
	if len(names) > 12 {
		return strings.Join(names[:12], ", ") + fmt.Sprintf(" and %d more", len(names)-12)
	}
	return strings.Join(names, ", ")
}

// setUnits gives columns the units of a list such as "a=AU, T=d". An empty unit makes it unknown.
func (t *reader) setUnits(list string) error {
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		if strings.TrimSpace(item) == "" {
			continue
		}
		name, text, ok := strings.Cut(item, "=")
		if !ok {
			return &Error{File: t.file, Problem: fmt.Sprintf("units: %q has no =", strings.TrimSpace(item)), Try: "write them as a=AU,T=d"}
		}
		i, err := t.find(strings.TrimSpace(name), "units:")
		if err != nil {
			return err
		}
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
		c := &t.columns[i].Column
		if c.Unit, c.HasUnit = (unit.Unit{}), text != ""; !c.HasUnit {
			continue
		}
		if c.Unit, err = unit.Parse(text); err != nil {
			return &Error{File: t.file, Column: place(i, c.Name), Problem: "units: " + err.Error(), Err: err}
		}
		t.doubt(c.Name, text)
	}
	return nil
}

// doubt warns of a unit that many read otherwise.
func (t *reader) doubt(column, text string) {
	if read, write, ok := unit.Doubtful(text); ok {
		t.warn("column %s: the m in %s is read as milli, per %s; for per metre and kelvin write %s", column, text, read, write)
	}
}

// latin1 reads bytes as ISO 8859-1.
func latin1(b []byte) []byte {
	var out []byte
	for _, c := range b {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}
