package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
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
	body := t.body(rows, found, l)
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
	t.feed.unread(t.unitsAndComments(body, first))
	t.unitsOfSettings(above)
	return nil
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

// repeats reports whether two cells are equal.
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

// rowNames adds an empty cell at the start of the header if all rows have one cell more than the
// header. Then the first cell of each row is the name of the row: a quoted text or a row number, as
// R's write.table and pandas write it. The header is not changed if rows such as 1,234,2 and 1,2,345
// may hold the number 1,234 or 2,345, or rows such as 1,2,03 hold 2,03.
func (t *reader) rowNames(body []record) {
	h, sep := t.layout.header, t.layout.sep
	n := len(splitHeader(h.text, sep))
	var rows []record
	i, thousands, last, full := 0, sep == ',', sep == ',', false
	short := func(cell []byte) bool { return len(cell) <= 3 && len(bytes.Trim(cell, "0123456789")) == 0 }
	for _, r := range body {
		cells := splitRow(nil, r.text, sep)
		if !numberRow(cells) || filled(cells) == 1 || bytes.ContainsAny(cells[0][:min(1, len(cells[0]))], "[(*") {
			continue // a row of types below the header, or a footer
		}
		quoted := bytes.HasPrefix(bytes.TrimSpace(r.text), []byte{'"'})
		if len(cells) != n+1 {
			return
		}
		name := strings.TrimSuffix(string(cells[0]), ".") // Stata writes the row number 1 as "1."
		numbered := n > 1 && len(body) > 2 && (name == strconv.Itoa(i) || name == strconv.Itoa(i+1))
		if !quoted && !numbered && kindOf(cells[0]) != textKind {
			return
		}
		full = full || len(cells[n]) > 0
		rows = append(rows, r)
		thousands = thousands && !quoted && short(cells[1]) && len(cells[1]) == 3
		last = last && !quoted && short(cells[n]) && len(cells[n]) == 3 && short(cells[n-1])
		i++
	}
	// If full is false, the last cell is empty in all rows: a separator ends each row, and there
	// are no row names.
	if i < 2 || thousands || last || !full {
		return
	}
	if number, sure := tornNumber(rows, sep); number != "" && !(sep == ',' && t.options.Decimal == '.') {
		if sure || sep == ',' && t.options.Decimal == ',' {
			return
		}
		write := "separate the cells by semicolons"
		if sep == spaces {
			write = "write it without the blank"
		}
		t.warn("row %d has %d cells and the header %d names, so the first cell is read as the name of the row; if %s is one number, %s; else name the first column", rows[0].row, n+1, n, quote([]byte(number)), write)
	}
	h.text = append([]byte{'"', '"', sep}, h.text...)
	t.layout.labels = true
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
		t.warn("rows have %d cells and the header has %d: the last column, %s, is taken for empty", n-1, n, t.columns[n-1].Name)
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
		case len(t.header) != len(cells) || filled(cells) == 1 || t.textInNumbers(cells):
			t.warn("row %d, %s, is taken for a comment", body[0].row, t.quotedLine(body[0].text))
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

// roles decides which columns are read, and as what: target, variable or standard errors.
func (t *reader) roles() (err error) {
	t.target, t.sigma = -1, -1
	if err := t.setUnits(t.options.Units); err != nil {
		return err
	}
	t.differences()
	if t.options.Sigma != "" {
		if t.sigma, err = t.find(t.options.Sigma, "sigma column"); err != nil {
			return err
		}
	}
	if t.options.Target != "" {
		if t.target, err = t.find(t.options.Target, "target"); err != nil {
			return err
		}
		if c := t.columns[t.target]; c.kind == textKind {
			return t.fail(t.headerRow, place(t.target, c.Name), "the target holds text", "name a column of numbers with --target")
		}
	}
	if t.target == t.sigma && t.target >= 0 {
		return t.fail(0, place(t.target, t.columns[t.target].Name), "it cannot be both target and sigma", "name another column")
	}
	if err := t.choose(); err != nil {
		return err
	}
	numbers := 0
	for _, i := range t.active {
		if t.columns[i].kind != textKind {
			numbers++
		}
	}
	if need := 2 + min(t.sigma+1, 1); numbers < need {
		return t.narrow(numbers)
	}
	t.values, t.codes = make([]value, len(t.columns)), make([]int, len(t.columns))
	return nil
}

// choose lists the columns that are read: those that have a name, are in Columns if that is given,
// and are not in Ignore.
func (t *reader) choose() error {
	only, without := map[int]bool{}, map[int]bool{}
	t.named = make([]bool, len(t.columns))
	for _, name := range t.options.Columns {
		i, err := t.find(name, "columns:")
		if err != nil {
			return err
		}
		only[i], t.named[i] = true, true
	}
	for _, name := range t.options.Ignore {
		i, err := t.find(name, "ignore:")
		if err != nil {
			return err
		}
		if i == t.target || i == t.sigma || only[i] {
			return &Error{File: t.file, Problem: fmt.Sprintf("ignore: %q is also chosen by another option", name), Try: "name it in only one of the two"}
		}
		without[i] = true
	}
	for i, h := range t.columns {
		switch {
		case h.Name == "" && i == len(t.columns)-1 && len(t.columns) >= 3:
			t.nameless = append(t.nameless, i)
			t.warn("column %d has no name and is left out (the header ends in a separator)", i+1)
		case h.Name == "":
			t.nameless = append(t.nameless, i)
			t.warn("column %d has no name and is left out", i+1)
		case i == t.target || i == t.sigma || !without[i] && (len(only) == 0 || only[i]):
			t.active = append(t.active, i)
		}
	}
	return nil
}

// narrow returns the error of a table with too few columns of numbers.
func (t *reader) narrow(numbers int) error {
	for _, r := range t.feed.peek(8) {
		if t.split(r); len(t.cells) != len(t.columns) {
			return t.ragged(r)
		}
	}
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == textKind && c.odd.row > 0 {
			return t.fail(c.odd.row, place(i, c.Name), quote(c.odd.text)+" is not a number, as most cells of the column", t.hint(i, c.odd.text))
		}
	}
	problem := fmt.Sprintf("a table separated by %s with one column only", separatorNames[t.layout.sep])
	try := "give at least one variable and the target, separated by commas, semicolons, tabs or spaces"
	switch {
	case t.sigma >= 0:
		problem = "no column is left besides target and sigma"
	case len(t.active) > numbers && numbers == 0:
		problem = "no column holds numbers"
	case len(t.active) > numbers:
		problem = "only one column holds numbers"
	case len(t.options.Columns)+len(t.options.Ignore) > 0:
		problem, try = "only one column is left", "name more of them in --columns, or fewer in --ignore"
	case separatorNames[t.layout.sep] == "" || len(t.columns) > 1:
		problem = "only one column with a name"
	}
	return t.fail(t.headerRow, "", problem, try)
}
