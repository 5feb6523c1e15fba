package dataset

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Limits for the size of a table that runs from left to right, so that every row begins with a
// name.
const (
	fewestAcross = 3  // least number of values in a row; without units, there must also be more values than rows
	mostDown     = 64 // largest number of rows
)

// turn transposes a table that runs from left to right. The row number of each new row is the
// number of its column in the file.
func (t *reader) turn() {
	rows := t.feed.peek(2 * mostDown) // there may be titles above the table
	if len(rows) == 2*mostDown || t.options.Table > 1 {
		return
	}
	sep := byte(t.options.Comma)
	if sep == 0 {
		sep = separator(rows)
	}
	if sep == spaces {
		return
	}
	title := 0
	for title < len(rows) && filled(splitRow(nil, rows[title].text, sep)) == 1 {
		title++
	}
	columns := across(rows[title:], sep)
	if columns == nil {
		return
	}
	turned := rows[:title:title]
	for i, c := range columns {
		turned = append(turned, record{text: rejoin(c, sep), row: i + 1})
	}
	t.feed.queue = turned
	t.options.Comma = rune(sep)
	t.warn("the table runs from left to right: each of its %d rows is read as a column", len(columns[0]))
}

// nameBefore matches a cell that contains a name and the first value of the row, such as x: 1.5 or
// x = 1.5.
var nameBefore = regexp.MustCompile(`^(\pL[\pL\d_ \[\]()/^²³]*?)\s*[:=]\s*([-+]?[\d.]\S*)$`)

// namesBefore reports whether the first cell of each row contains a name and a value, and no other
// cell contains a name.
func namesBefore(rows []record, sep byte) bool {
	return !slices.ContainsFunc(rows, func(r record) bool {
		cells := splitRow(nil, r.text, sep)
		return len(cells) < 2 || !nameBefore.Match(cells[0]) || kindOf(cells[0]) != textKind || nameBefore.Match(cells[1])
	})
}

// across returns the columns of a table that runs from left to right. The names come first. For
// other tables it returns nil.
func across(rows []record, sep byte) (columns [][][]byte) {
	if len(rows) < 2 || len(rows) > mostDown || slices.ContainsFunc(rows, func(r record) bool { return r.gap > 0 }) {
		return nil
	}
	var names [][]byte
	named := namesBefore(rows, sep)
	rows, united := unitsBeside(rows, sep)
	for _, r := range rows {
		cells := splitRow(nil, r.text, sep)
		if named {
			cells = slices.Concat(nameBefore.FindSubmatch(cells[0])[1:], cells[1:])
		}
		if len(cells) < 2 || kindOf(cells[0]) != textKind {
			return nil
		}
		name := bytes.Clone(cells[0])
		if cells = cells[1:]; united && len(cells) > 0 {
			if u := unbracket(string(cells[0])); isUnit(u) && u != "" {
				name = append(name, " ["+u+"]"...)
			}
			cells = cells[1:]
		}
		names = append(names, name)
		for len(cells) > 0 && len(cells[len(cells)-1]) == 0 {
			cells = cells[:len(cells)-1]
		}
		if slices.ContainsFunc(cells, func(c []byte) bool { return kindOf(c) == textKind }) {
			return nil
		}
		for len(columns) < len(cells) {
			columns = append(columns, make([][]byte, len(rows)))
		}
		for i, c := range cells {
			columns[i][len(names)-1] = bytes.Clone(c)
		}
	}
	if _, distinct := textsOf(names); !distinct || len(columns) < fewestAcross || len(columns) <= len(rows) && !allQuotients(names) {
		return nil
	}
	return append([][][]byte{names}, columns...)
}

// allQuotients reports whether all names have a unit after a slash, as in U/V, and these units are
// not all the same.
func allQuotients(names [][]byte) bool {
	units := map[string]bool{}
	for _, n := range names {
		name, u, ok := strings.Cut(string(n), "/")
		if u = strings.TrimSpace(u); !ok || u == "" || !isUnit(u) || strings.TrimSpace(name) == "" {
			return false
		}
		units[u] = true
	}
	return len(units) > 1
}

// unitWords are names of a column of units.
var unitWords = []string{"unit", "units", "einheit", "einheiten", "unité", "unités", "unidad", "unità", "eenheid", "单位", "単位"}

func isUnitWord(name string) bool {
	return slices.Contains(unitWords, strings.ToLower(strings.TrimSpace(name)))
}

// unitsBeside reports whether the second cell of each row is the unit of the quantity in the first
// one. It returns the rows without the header above the units, if there is one.
func unitsBeside(rows []record, sep byte) (below []record, united bool) {
	if cells := splitRow(nil, rows[0].text, sep); len(cells) > 1 && isUnitWord(string(cells[1])) {
		return rows[1:], len(rows) > 2
	}
	return rows, !slices.ContainsFunc(rows, func(r record) bool {
		cells := splitRow(nil, r.text, sep)
		return len(cells) < 3 || kindOf(cells[1]) != textKind || !isUnit(unbracket(string(cells[1])))
	})
}
