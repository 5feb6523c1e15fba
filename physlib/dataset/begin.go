package dataset

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// begin reads the top of a table: titles, header, units and comments. It determines the kinds of
// the columns. The rows of data stay in t.feed.
func (t *reader) begin(l *lines) error {
	rows, err := sample(t.feed)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return t.fail(0, "", "the file holds no table, only empty lines or comments", "give a header and at least two rows")
	}
	rows, sep := excelSeparator(rows, byte(t.options.Comma))
	if sep == 0 {
		sep = separator(rows)
	}
	t.layout = layout{sep: sep}
	rows = t.marked(rows, sep, l)
	if err := t.errorRows(rows); err != nil {
		return err
	}
	h, found := t.findHeader(rows)
	if !found {
		h, found = t.untitled(rows)
	}
	if found {
		rows, h = t.joinHeaders(rows, h)
		rows = t.indexNames(rows, h)
	}
	t.titles(rows[:h])
	above := rows[:h]
	if rows = rows[h:]; len(rows) == 0 {
		return t.headings(0)
	}
	body := t.firstRun(t.body(rows, found, l))
	width := len(splitRow(nil, rows[0].text, sep))
	if t.layout.header != nil {
		t.rowNames(body)
		width = len(splitHeader(t.layout.header.text, sep))
	}
	first := 0
	for first < len(body) && !numberRow(splitRow(nil, body[first].text, sep)) {
		first++
	}
	if first == len(body) {
		first = 0
	}
	t.layout.columns = analyse(t.untilNext(body[first:]), sep, width, byte(t.options.Decimal))
	for t.layout.header == nil && width > 1 && t.layout.columns[width-1].kind == noKind {
		width-- // a separator ends each row
	}
	if err := t.headings(width); err != nil {
		return err
	}
	t.shortRows(body[first:])
	t.fixedWidth(body[first:])
	t.feed.unread(t.unitsAndComments(body, first))
	t.unitsOfSettings(above)
	return nil
}

// mark matches the beginning of a line that is a comment in some program, such as ; and *.
var mark = regexp.MustCompile(`^(?:;+|\*+|--|REM)(?:[ \t]|$)`)

// marked removes rows at the top that are comments by their first character. The last one may
// contain the names of the columns. A row with two numbers is not a comment, since * may also flag
// rows of the table.
func (t *reader) marked(rows []record, sep byte, l *lines) []record {
	n := 0
	for n < len(rows) && mark.Match(rows[n].text) && numbersOf(splitRow(nil, rows[n].text, sep)) < 2 {
		n++
	}
	if n == 0 || n == len(rows) || sep == ';' || !slices.ContainsFunc(rows[n:], func(r record) bool { return numberRow(splitRow(nil, r.text, sep)) }) {
		return rows
	}
	last, cells := rows[n-1], splitRow(nil, rows[n].text, sep)
	text, _ := headerOf(mark.ReplaceAll(last.text, nil))
	if _, ok := named(record{text: text}, sep, len(cells)); ok && numberRow(cells) {
		l.above, l.comment = l.comment, record{text: bytes.Clone(text), row: last.row}
		t.titles(rows[:n-1])
	} else {
		t.titles(rows[:n])
	}
	return rows[n:]
}

// body decides whether the first row is the header, and returns the rows below the header. If the
// table has no header, body returns all rows. found reports whether the first row is already known
// to be the header.
func (t *reader) body(rows []record, found bool, l *lines) []record {
	sep := t.layout.sep
	cells := splitRow(nil, rows[0].text, sep)
	if found || !t.isData(rows, cells) {
		t.layout.header = &rows[0]
		return rows[1:]
	}
	// numpy.savetxt writes the header as a comment.
	last, ok := named(l.comment, sep, len(cells))
	if !ok {
		return rows
	}
	t.layout.header, t.layout.commented = &last, true
	if above, ok := named(l.above, sep, len(cells)); ok && (allUnits(splitHeader(last.text, sep)) || namesAboveUnits(splitHeader(above.text, sep), splitHeader(last.text, sep)) || repeats(splitHeader(last.text, sep)) && !repeats(splitHeader(above.text, sep))) {
		t.layout.header = &above
		return append([]record{last}, rows...)
	}
	return rows
}

// named returns the comment, split at sep, if its cells may name the n columns of the rows. The
// separators in a comment often differ from those in the rows.
func named(comment record, sep byte, n int) (record, bool) {
	if rest, ok := bytes.CutPrefix(comment.text, []byte("#\t")); ok && len(splitHeader(comment.text, '\t')) != n {
		comment.text = bytes.TrimSpace(rest)
	}
	for _, s := range separators {
		head := splitHeader(comment.text, s)
		if len(comment.text) == 0 || len(head) != n || n < 2 || numberRow(head) {
			continue
		}
		if s != sep {
			comment.text = rejoin(head, sep)
		}
		return comment, true
	}
	if head := wideGaps(bytes.TrimPrefix(comment.text, []byte("L "))); len(comment.text) > 0 && len(head) == n && n > 1 && !numberRow(head) {
		comment.text = rejoin(head, sep)
		return comment, true
	}
	return record{}, false
}

// namesAboveUnits reports whether the cells above are plain names, and one of those below is a unit
// that cannot be a name, such as m/s.
func namesAboveUnits(above, below [][]byte) bool {
	if slices.ContainsFunc(above, func(c []byte) bool { return identifier(string(c)) != string(c) }) {
		return false
	}
	return slices.ContainsFunc(below, func(c []byte) bool { return bytes.ContainsAny(c, "/^°%") && isUnit(unbracket(string(c))) })
}

// repeats reports whether some text occurs in two of the cells.
func repeats(cells [][]byte) bool {
	for i, c := range cells {
		if slices.ContainsFunc(cells[:i], func(o []byte) bool { return bytes.Equal(c, o) }) {
			return true
		}
	}
	return false
}

// allUnits reports whether all cells are units. At least one of them must be a unit that cannot be
// the name of a column, such as m/s.
func allUnits(cells [][]byte) bool {
	sure := false
	for _, c := range cells {
		text := string(c)
		if absent(c) == present && !isUnit(unbracket(text)) {
			return false
		}
		sure = sure || absent(c) == present && strings.ContainsAny(text, "/^°µ%[(*·")
	}
	return sure
}

// shortRows treats the last column as empty if the rows of a tab-separated table end before it.
// Many programs drop tabs at the end of a line.
func (t *reader) shortRows(body []record) {
	n, short := len(t.columns), 0
	if t.layout.sep != '\t' || n < 3 {
		return
	}
	for _, r := range body {
		if len(splitRow(nil, r.text, '\t')) == n-1 {
			short++
		}
	}
	if t.layout.short = 2*short > len(body); t.layout.short {
		t.warn("rows have %d cells and the header has %d: the last column, %s, is read as empty", n-1, n, t.columns[n-1].Name)
	}
}

// isData reports whether the first row is data rather than a header. A row of data contains
// numbers, and contains text only in columns of text. In addition, one of its numbers cannot be a
// name, or one of its texts occurs again in the same column.
func (t *reader) isData(rows []record, cells [][]byte) bool {
	if !numberRow(cells) {
		for _, c := range cells {
			if absent(c) == present {
				return false
			}
		}
		return true
	}
	if n, _ := textsOf(cells); n == 0 {
		return !t.scaled(rows, cells)
	}
	columns := analyse(t.untilNext(rows[1:]), t.layout.sep, len(cells), byte(t.options.Decimal))
	again := false
	for i, c := range cells {
		switch k := kindOf(c); {
		case k == textKind && isFraction(c):
			again = again || columns[i].fractional
		case k == textKind && columns[i].kind != textKind:
			return false
		case k == textKind:
			for _, r := range rows[1:] {
				if row := splitRow(nil, r.text, t.layout.sep); len(row) == len(cells) && bytes.Equal(row[i], c) {
					again = true
				}
			}
		case k == numberKind && columns[i].kind == numberKind:
			sign, _ := signOf(c)
			again = again || sign != 0
		}
	}
	return again && !t.axis(rows, cells)
}

// untilNext returns the rows before the first row at which another table seems to begin.
func (t *reader) untilNext(rows []record) []record {
	for k := 1; k+1 < len(rows); k++ {
		cells := splitRow(nil, rows[k].text, t.layout.sep)
		if n, distinct := textsOf(cells); n > 1 && distinct && !numberRow(cells) && numberRow(splitRow(nil, rows[k-1].text, t.layout.sep)) {
			return rows[:k]
		}
	}
	return rows
}

// unitsAndComments reads the rows between the header and the first row of numbers. It returns the
// remaining rows, which are data.
func (t *reader) unitsAndComments(body []record, first int) []record {
	if t.layout.header == nil {
		return body
	}
	var above []byte
	// If there is a row of units, the names may be above it.
	sure := slices.IndexFunc(body[:first], t.sameUnits)
	for k := 0; k < first; k++ {
		cells := splitHeader(body[0].text, t.layout.sep)
		if plain := splitRow(nil, body[0].text, t.layout.sep); len(cells) != len(t.columns) && len(plain) == len(t.columns) {
			cells = plain // units in brackets after blanks, as in (g)  (s)
		}
		units := false
		if filled(cells) > 0 && k >= sure {
			units = above == nil && t.unitRow(body[0], cells)
		}
		switch {
		case units:
			above = body[0].text
		case filled(cells) == 0:
		case t.errorRow(cells):
			t.warn("row %d is read as the standard errors of the columns", body[0].row)
		case first > 4 || bytes.Equal(above, body[0].text):
			return body
		case !slices.ContainsFunc(cells, func(c []byte) bool { return !nearNumber(c) }):
			return body // each cell begins like a number, so this is not a comment
		case len(t.header) != len(cells) || filled(cells) == 1 || t.textInNumbers(cells):
			t.aboveRows = body[0]
			t.warn("row %d, %s, is read as a comment", body[0].row, t.quotedLine(body[0].text))
		default:
			return body
		}
		body = body[1:]
	}
	return body
}

// textInNumbers reports whether one of the cells is a text in a column of numbers.
func (t *reader) textInNumbers(cells [][]byte) bool {
	for i, c := range cells[:min(len(cells), len(t.columns))] {
		if k := t.columns[i].kind; k != textKind && k != noKind && kindOf(c) == textKind {
			return true
		}
	}
	return false
}
