package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// span is the range of columns [from, to).
type span struct{ from, to int }

// chooseSide finds tables side by side in the sample, which are separated by empty columns. It
// limits the feed to the table that Options.Table selects.
func (t *reader) chooseSide() error {
	rows, err := sample(t.feed)
	if err != nil {
		return err
	}
	t.feed.unread(rows)
	sep := byte(t.options.Comma)
	if sep == 0 {
		sep = separator(rows)
	}
	if sep == spaces && slices.ContainsFunc(rows, func(r record) bool { return bytes.Contains(r.text, []byte("\t\t")) }) {
		sep = '\t' // with blanks as separators, an empty column could not be seen
	}
	if s, ok := besideSettings(rows, sep); ok && t.options.Table <= 1 {
		t.keepSide(s, sep, 0)
		t.warn("columns 1 to %d hold settings next to the table and are left out", s.from)
		return nil
	}
	if s, width := tableNextToNotes(rows, sep); width > 0 && t.options.Table <= 1 {
		t.keepSide(s, sep, 0)
		for _, notes := range []span{{0, s.from}, {s.to, width}} {
			if notes.from < notes.to {
				t.warn("columns %d to %d hold notes next to the table, such as results, and are left out", notes.from+1, notes.to)
			}
		}
		return nil
	}
	tables, headers := sideBySide(rows, sep)
	if len(tables) < 2 {
		return t.chooseRun(rows, sep)
	}
	which := t.options.Table
	if which > len(tables) {
		return t.noTable(len(tables)+1, nil)
	}
	if which == 0 {
		return t.severalBeside(tables, headers, "choose one with --table 1, 2, …, or remove the empty columns if it is one table")
	}
	t.keepSide(tables[which-1], sep, 1)
	return nil
}

// keepSide limits the feed to the columns of s. Options.Table then selects among the tables in
// these columns.
func (t *reader) keepSide(s span, sep byte, table int) {
	t.feed.cut(s, sep)
	t.options.Comma, t.options.Table = rune(sep), table
}

// besideSettings returns the columns of a table of numbers that has settings on its left, as in
// files of oscilloscopes. The settings are names and values. Either they end in the upper half of
// the table, or an empty column separates them from the table. The first row may contain the names
// of the columns next to the first setting; the settings then end in the upper half.
func besideSettings(rows []record, sep byte) (s span, ok bool) {
	if sep == spaces || len(rows) < 4 {
		return s, false
	}
	var used []int // for each column, the number of rows up to the last filled cell
	texts, width := 0, 0
	numbers := []bool{}
	head := splitRow(nil, rows[0].text, sep)
	titled := len(head) > 3 && kindOf(head[0]) == textKind && kindOf(head[1]) == numberKind // a setting
	names := func(k int) bool { return titled && k < len(head) && kindOf(head[k]) == textKind }
	for i, r := range rows {
		cells := splitRow(nil, r.text, sep)
		for k, c := range cells {
			if k == len(used) {
				used, numbers = append(used, 0), append(numbers, i == 0)
			}
			if len(c) > 0 {
				used[k] = i + 1
			}
			numbers[k] = numbers[k] && (kindOf(c) == numberKind && absent(c) == present || i == 0 && names(k))
		}
		for k := len(cells); k < len(numbers); k++ {
			numbers[k] = false
		}
		if len(cells) > 0 && kindOf(cells[0]) == textKind {
			texts++
		}
	}
	for width = len(used); width > 0 && used[width-1] == 0; width-- {
	}
	s = span{width, width}
	for s.from > 0 && numbers[s.from-1] {
		s.from--
	}
	if s.to-s.from < 2 || s.from < 2 || texts < 3 {
		return s, false
	}
	ends := slices.Max(used[:s.from])
	if names(s.to - 1) {
		for k := s.from; k < s.to; k++ {
			if !names(k) {
				return s, false
			}
		}
		return s, 2*ends < len(rows)
	}
	return s, used[s.from-1] == 0 || 2*ends < len(rows)
}

// tableNextToNotes returns the columns of a table with notes next to it, such as slope | 2.05 in a
// spreadsheet. width is the number of all columns, or 0 if there are no notes. Columns of notes are
// filled in at most half of the rows. A note in the row of the header must be a name followed by a
// number.
func tableNextToNotes(rows []record, sep byte) (table span, width int) {
	if sep == spaces || len(rows) < 3 {
		return table, 0
	}
	cells := make([][][]byte, len(rows))
	var used []int // for each column, the number of filled cells
	for i, r := range rows {
		cells[i] = splitRow(nil, r.text, sep)
		for k, c := range cells[i] {
			if k == len(used) {
				used = append(used, 0)
			}
			used[k] += min(len(c), 1)
		}
	}
	for width = len(used); width > 0 && used[width-1] == 0; width-- {
	}
	often := func(n int) bool { return 2*n > len(rows) }
	table.from = max(0, slices.IndexFunc(used[:width], often))
	for table.to = table.from; table.to < width && often(used[table.to]); table.to++ {
	}
	if table.to-table.from < 2 || table.to-table.from == width || slices.ContainsFunc(used[table.to:width], often) {
		return table, 0
	}
	head := slices.IndexFunc(cells, func(row [][]byte) bool { return filled(table.of(row)) > 1 })
	if head < 0 || numberRow(table.of(cells[head])) || !slices.ContainsFunc(cells[head+1:min(head+3, len(cells))], func(row [][]byte) bool { return numberRow(table.of(row)) }) {
		return table, 0
	}
	values := 0 // number of rows with a value next to its name
	for i, row := range cells {
		for _, notes := range []span{{0, table.from}, {table.to, width}} {
			of := notes.of(row)
			if hasNamedValue(of) {
				values++
			} else if i == head && filled(of) > 0 {
				return table, 0 // names in the header of columns that are rarely filled
			}
		}
	}
	if values == 0 {
		return table, 0
	}
	return table, width
}

// hasNamedValue reports whether a number follows the first text in cells.
func hasNamedValue(cells [][]byte) bool {
	name := slices.IndexFunc(cells, func(c []byte) bool { return len(c) > 0 && kindOf(c) == textKind })
	return name >= 0 && name+1 < len(cells) && kindOf(cells[name+1]) == numberKind && absent(cells[name+1]) == present
}

// severalBeside returns the error for a file with tables side by side if the user has chosen none
// of them. try is the way out.
func (t *reader) severalBeside(tables []span, headers [][][]byte, try string) error {
	var list []string
	for k, s := range tables {
		var names []string
		for _, c := range headers[k] {
			if len(c) > 0 {
				names = append(names, string(c))
			}
		}
		if len(names) > 5 {
			names = append(names[:4], "…")
		}
		list = append(list, fmt.Sprintf("%d in columns %d to %d (%s)", k+1, s.from+1, s.to, strings.Join(names, ", ")))
	}
	more := ""
	if len(list) > 8 {
		more = fmt.Sprintf(" and %d more", len(list)-8)
	}
	return t.fail(0, "", fmt.Sprintf("the file holds %d tables side by side: %s%s", len(list), strings.Join(list[:min(len(list), 8)], ", "), more), try)
}

// sideBySide returns the columns of tables side by side in rows, and their headers. It returns nil
// if all columns belong to one table, which may have empty columns. Tables count as separate if
// they share names, have headers or ends in different rows, or have titles of their own.
func sideBySide(rows []record, sep byte) (tables []span, headers [][][]byte) {
	if sep == spaces {
		return nil, nil
	}
	cells := make([][][]byte, len(rows))
	for i, r := range rows {
		cells[i] = splitRow(nil, r.text, sep)
	}
	tables = groups(cells)
	if len(tables) < 2 {
		return nil, nil
	}
	names := map[string]bool{}
	apart := false
	first, last, titles := -1, -1, 0
	for k, s := range tables {
		head, end, titled, ok := s.outline(cells)
		if !ok {
			return nil, nil
		}
		if titled {
			titles++
		}
		apart = apart || k > 0 && (head != first || end != last) || titles > 1
		first, last = head, end
		headers = append(headers, s.of(cells[head]))
		for _, c := range headers[k] {
			apart = apart || len(c) > 0 && names[string(c)]
		}
		for _, c := range headers[k] {
			names[string(c)] = true
		}
	}
	if !apart {
		return nil, nil
	}
	return tables, headers
}

// groups returns the ranges of columns between columns that are empty in all rows.
func groups(rows [][][]byte) (out []span) {
	var used []bool
	for _, cells := range rows {
		for i, c := range cells {
			if i == len(used) {
				used = append(used, false)
			}
			used[i] = used[i] || len(c) > 0
		}
	}
	for i, u := range used {
		switch {
		case !u:
		case i > 0 && used[i-1]:
			out[len(out)-1].to = i + 1
		default:
			out = append(out, span{i, i + 1})
		}
	}
	return out
}

// of returns the cells of a row in the range.
func (s span) of(cells [][]byte) [][]byte {
	return cells[min(s.from, len(cells)):min(s.to, len(cells))]
}

// outline returns the row of the header and the row of the last filled cells in the range. titled
// reports whether there is a title above the header. ok reports whether the range is a table: it
// has at least two names above numbers.
func (s span) outline(rows [][][]byte) (head, end int, titled, ok bool) {
	head = slices.IndexFunc(rows, func(cells [][]byte) bool { return filled(s.of(cells)) >= 2 })
	if head < 0 || numberRow(s.of(rows[head])) {
		return 0, 0, false, false
	}
	for _, cells := range rows[:head] {
		titled = titled || filled(s.of(cells)) == 1
	}
	for i, cells := range rows[head:] {
		if c := s.of(cells); filled(c) > 0 {
			end = head + i
			ok = ok || numberRow(c) && filled(c) >= 2
		}
	}
	return head, end, titled, ok
}

// cut limits the remaining rows of the feed to the columns of s.
func (f *feed) cut(s span, sep byte) {
	f.only, f.sep = &s, sep
	kept, gap := f.queue[:0:0], 0
	for _, r := range f.queue {
		r, empty := f.within(r, gap)
		gap++
		if !empty {
			kept, gap = append(kept, r), 0
		}
	}
	f.queue = kept
}

// within returns the part of record r in the columns of the chosen table. empty reports whether
// that part is empty. gap is the number of empty records above r, and is added to r.gap.
func (f *feed) within(r record, gap int) (part record, empty bool) {
	column, start, end := 0, 0, len(r.text)
	var q quotes
	for i, c := range r.text {
		if quoted := q.see(c); c == f.sep && !quoted {
			q = quotes{}
			if column++; column == f.only.from {
				start = i + 1
			}
			if column == f.only.to {
				end = i
			}
		}
		if column == f.only.to {
			break
		}
	}
	if column < f.only.from {
		start = end
	}
	r.text = r.text[start:end]
	r.gap += gap
	return r, len(bytes.Trim(r.text, string(f.sep)+" \t\"")) == 0
}
