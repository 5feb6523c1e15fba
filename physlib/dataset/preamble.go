package dataset

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// findHeader finds the header in the sample: a row without numbers, above rows of numbers with as
// many cells. Instrument settings may precede it.
func (t *reader) findHeader(rows []record) (at int, ok bool) {
	sep := t.layout.sep
	run := measurements(rows, sep)
	settings := map[int]bool{}
	t.layout.settings = settings
	for h := t.belowSection(rows); h < len(rows)-1; h++ {
		if run.width > 0 && h > run.start {
			break
		}
		rows[h] = fitted(rows[h], sep, run.width)
		cells := splitHeader(rows[h].text, sep)
		if filled(cells) < 2 || numberRow(cells) || bytes.HasSuffix(cells[0], []byte{':'}) && !bytes.HasSuffix(cells[1], []byte{':'}) {
			continue // a key with a colon is not a name of a column
		}
		first := h + 1
		for first < min(len(rows)-1, h+5) && !numberRow(splitRow(nil, rows[first].text, sep)) {
			first++
		}
		best, most, parted := h, filled(cells), false
		for k := h + 1; k < first; k++ {
			n := filled(splitHeader(rows[k].text, sep))
			parted = parted || n == 1 || rows[k].gap > 0
			spread := n > most && t.spread(rows[h], rows[k])
			if spread || (n > most || n == most && (parted || t.namesBelow(rows[best], rows[k]))) && !t.sameUnits(rows[k]) {
				best, most, parted = k, n, false
			}
		}
		if k := first - 2; k-best > 1 && t.sameUnits(rows[k+1]) && t.namesAll(rows[k], rows[k+1]) {
			best = k // the rows above may be settings
		}
		if best+2 == first && t.unitsAbove(rows[best], rows[best+1]) {
			rows[best], rows[best+1] = rows[best+1], rows[best]
		}
		n := len(splitHeader(rows[best].text, sep))
		switch {
		case !numberRow(splitRow(nil, rows[first].text, sep)):
			continue
		case run.width > 0 && areSettings(rows, best, first, run, sep):
			for k := h; k == h || k < run.start && rows[k].gap == 0 && kindOf(splitRow(nil, rows[k].text, sep)[0]) == textKind; k++ {
				settings[k] = true
			}
			continue
		case run.width == 0 && !t.alike(rows[first:], n), run.width > 0 && !t.measured(rows[first:], n, run):
			continue
		}
		if above := best - 1; best == h && h > 0 && t.surelyUnits(rows[h]) && len(splitHeader(rows[above].text, sep)) == len(cells) {
			best = above // names such as 1, 2, 3 above a row of units
		}
		return best, t.tableRows(rows[:h]) < 2
	}
	return 0, false
}

// section matches the name of a part of a file, such as [Data].
var section = regexp.MustCompile(`^\[[\pL][^\[\],;\t]*\]$`)

// belowSection returns the index of the row below the last name of a part in the file, such as
// [Data], above which all other parts are settings. It returns 0 if fewer than two parts have
// names, the last one is too short for a table, or another one contains a table.
func (t *reader) belowSection(rows []record) int {
	n, last := 0, 0
	for i, r := range rows {
		if cells := splitRow(nil, r.text, t.layout.sep); filled(cells) == 1 && section.Match(cells[0]) {
			n, last = n+1, i+1
		}
	}
	if n < 2 || last+2 > len(rows) || t.tableRows(rows[:last]) > 0 {
		return 0
	}
	return last
}

// technical matches text that occurs in settings and messages, but hardly in names of columns.
var technical = regexp.MustCompile(`[@{}=]|\b0x[\da-f]`)

// namesBelow reports whether r holds plain names and above, the row before it, is a setting or a
// message. An example is rst:0x1,boot:0x13 of a microcontroller.
func (t *reader) namesBelow(above, r record) bool {
	cells := splitHeader(r.text, t.layout.sep)
	_, distinct := textsOf(cells)
	return distinct && technical.Match(above.text) && !slices.ContainsFunc(cells, func(c []byte) bool { return identifier(string(c)) != string(c) })
}

// spread reports whether the row above r contains titles that span several columns. Such a row has
// at least two empty cells above names in r. Units in brackets do not count as names.
func (t *reader) spread(above, r record) bool {
	cells, names := splitHeader(above.text, t.layout.sep), splitHeader(r.text, t.layout.sep)
	if len(cells) != len(names) || t.bracketed(r) {
		return false
	}
	below := 0
	for i, c := range names {
		if len(cells[i]) == 0 && len(c) > 0 {
			below++
		}
	}
	return below > 1
}

// sameUnits reports whether all cells of a row are units.
func (t *reader) sameUnits(r record) bool {
	n := 0
	for _, c := range splitHeader(r.text, t.layout.sep) {
		if absent(c) != present {
			continue
		}
		if !isUnit(unbracket(string(c))) || numbered.Match(c) {
			return false
		}
		n++
	}
	return n > 0
}

// unitsAbove reports whether a row of units stands above the names of the columns: all its cells
// are units. Either they are in brackets, or one of them has several letters, and the cells below
// are different names of several letters that are not units.
func (t *reader) unitsAbove(units, names record) bool {
	above, below := splitHeader(units.text, t.layout.sep), splitHeader(names.text, t.layout.sep)
	texts, distinct := textsOf(below)
	if names.gap > 0 || len(above) != len(below) || texts < len(below) || !distinct || !t.sameUnits(units) {
		return false
	}
	if t.bracketed(units) {
		return !t.bracketed(names)
	}
	if slices.ContainsFunc(below, func(c []byte) bool { return len(c) < 3 || isUnit(unbracket(string(c))) || technical.Match(c) }) {
		return false
	}
	return slices.ContainsFunc(above, func(c []byte) bool { return len(c) > 1 })
}

// areSettings reports whether the rows between a header and the measurements of run are settings.
// It requires that the first row with numbers begins with a text, as settings do, but the
// measurements do not. In addition, another setting must be above the header, or a title or a
// second header must be between the settings and the measurements. The rows of a table with row
// names do not count as settings, since such a table begins with its header.
func areSettings(rows []record, header, first int, run block, sep byte) bool {
	cells := splitRow(nil, rows[first].text, sep)
	if first >= run.start || !run.unnamed || kindOf(cells[0]) != textKind || isFraction(cells[0]) {
		return false
	}
	if header > 0 && rows[header].gap == 0 && filled(splitRow(nil, rows[header-1].text, sep)) > 1 {
		return true
	}
	return numbersOf(cells) < 2 && slices.ContainsFunc(rows[first:run.start], func(r record) bool {
		below := splitHeader(r.text, sep)
		return filled(below) > 0 && !numberRow(below)
	})
}

// namesAll reports whether row r has a name for each column of the row of units below it.
func (t *reader) namesAll(r, units record) bool {
	names := splitHeader(r.text, t.layout.sep)
	return units.gap == 0 && filled(names) == len(names) && len(names) == len(splitHeader(units.text, t.layout.sep)) && !numberRow(names) && !t.sameUnits(r)
}

// surelyUnits reports whether all cells of a row are units and cannot be names. Either they are in
// brackets, or several are words, as in second, Volt, Volt.
func (t *reader) surelyUnits(r record) bool {
	words := 0
	for _, c := range splitHeader(r.text, t.layout.sep) {
		if len(c) > 3 {
			words++
		}
	}
	return t.bracketed(r) || words > 1 && t.sameUnits(r)
}

// alike reports whether most of the rows have n cells.
func (t *reader) alike(rows []record, n int) bool {
	rows = rows[:min(len(rows), 64)]
	same := 0
	for _, r := range rows {
		if t.fits(splitRow(nil, r.text, t.layout.sep), n) {
			same++
		}
	}
	return 2*same > len(rows)
}

// fits reports whether a row has n cells. A row also fits if it ends in additional separators, or
// lacks one tab at its end.
func (t *reader) fits(cells [][]byte, n int) bool {
	return len(cells) == n || len(cells) > n && filled(cells[n:]) == 0 || t.layout.sep == '\t' && len(cells) == n-1 && n > 2
}

// measured reports whether a row with measurements in n cells comes before another header. If the
// longest run of measurements has another width, the row must begin with a number, since settings
// rarely do.
func (t *reader) measured(rows []record, n int, run block) bool {
	same := run.used <= n && n <= run.width || t.layout.sep == '\t' && n == run.width+1
	for _, r := range rows {
		cells := splitRow(nil, r.text, t.layout.sep)
		numbers := numbersOf(cells)
		if numbers == 0 && filled(cells) > 1 {
			return false
		}
		if numbers > 1 && t.fits(cells, n) && (same || likeNumber(cells[0])) {
			return true
		}
	}
	return false
}

// bracketed reports whether all cells of a row are units in brackets.
func (t *reader) bracketed(r record) bool {
	for _, c := range splitHeader(r.text, t.layout.sep) {
		if text := string(c); absent(c) == present && unbracket(text) == text {
			return false
		}
	}
	return t.sameUnits(r)
}

// numbersOf returns how many of the cells hold measurements.
func numbersOf(cells [][]byte) (n int) {
	for _, c := range cells[:min(len(cells), 64)] {
		if len(c) < 100 && likeNumber(c) { // a longer cell is a whole line without this separator
			n++
		}
	}
	return n
}

// block is a run of measurements in a sample: rows with the same number of cells, at least two of
// them numbers.
type block struct {
	start int
	end   int // index after its last row
	width int // number of cells in each row; 0: there is no such run of at least two rows
	used  int // number of cells up to the last one that is filled in at least one row

	unnamed bool // whether its first row does not begin with a text
}

// measurements returns the longest run of measurements.
func measurements(rows []record, sep byte) (run block) {
	best := 0
	for i := 0; i < len(rows); {
		first := splitRow(nil, rows[i].text, sep)
		end, sum, used := i, 0, 0
		for ; end < len(rows); end++ {
			cells := splitRow(nil, rows[end].text, sep)
			n := numbersOf(cells)
			if n < 2 || len(cells) != len(first) {
				break
			}
			sum += n
			used = max(used, lastFilled(cells))
		}
		if end > i+1 && sum > best {
			best, run = sum, block{i, end, len(first), used, kindOf(first[0]) != textKind}
		}
		i = max(end, i+1)
	}
	return run
}

// lastFilled returns the number of cells up to the last one that is not empty.
func lastFilled(cells [][]byte) int {
	for n := len(cells); n > 0; n-- {
		if len(cells[n-1]) > 0 {
			return n
		}
	}
	return 0
}

// fitted returns a header with as many cells as the rows of measurements, if possible. It drops a
// separator at the end. If names contain blanks and are separated by wide gaps, it splits at the
// gaps. Otherwise it returns r unchanged.
func fitted(r record, sep byte, width int) record {
	cells := splitHeader(r.text, sep)
	switch {
	case width < 2 || len(cells) == width || numberRow(cells):
	case len(cells) == width+1 && len(cells[width]) == 0:
		r.text = rejoin(cells[:width], sep)
	case sep == spaces:
		if cells = wideGaps(r.text); len(cells) == width {
			r.text = rejoin(cells, sep)
		}
	}
	return r
}

// wideGaps splits a line at tabs and at two or more blanks.
func wideGaps(line []byte) (cells [][]byte) {
	for _, part := range bytes.Split(bytes.ReplaceAll(line, []byte("  "), []byte{'\t'}), []byte{'\t'}) {
		if part = trim(part); len(part) > 0 {
			cells = append(cells, part)
		}
	}
	return cells
}

// tableRows returns how many rows directly above a header belong to the table. The others are
// titles, or settings such as "Samples,100".
func (t *reader) tableRows(rows []record) (n int) {
	for k, r := range rows {
		if t.layout.settings[k] {
			continue
		}
		cells := splitRow(nil, r.text, t.layout.sep)
		if f := filled(cells); f > 1 && f == len(cells) && 2*numbersOf(cells) >= f && (f > 2 || likeNumber(cells[0])) {
			n++
		}
	}
	return n
}

// untitled returns the number n of titles and settings above a table without a header. header
// reports whether a header with other separators follows them.
func (t *reader) untitled(rows []record) (n int, header bool) {
	sep := t.layout.sep
	if dimensions(rows, sep) {
		return 1, false
	}
	run := measurements(rows, sep)
	start, width := run.start, run.width
	for width > 0 && start > 0 && resembles(splitRow(nil, rows[start-1].text, sep), splitRow(nil, rows[run.start].text, sep)) {
		start--
	}
	if width == 0 || start == 0 || t.tableRows(rows[:start]) > 0 {
		return t.singleTexts(rows), false
	}
	if start > 1 && sep == spaces && rows[start-2].text[0] == ' ' && rows[start-1].text[0] != ' ' {
		// pandas prints the name of its index below the other names
		index, names := splitHeader(rows[start-1].text, sep), splitHeader(rows[start-2].text, sep)
		if len(index) == 1 && len(names) == width-1 && !numberRow(names) && identifier(string(index[0])) == string(index[0]) {
			rows[start-1].text = rejoin(slices.Concat(index, names), sep)
			return start - 1, true
		}
	}
	above := rows[start-1]
	if head := splitHeader(above.text, sep); len(head) > 1 && len(head) != width && 2*len(head) >= width && len(head) < 2*width && !numberRow(head) {
		return t.singleTexts(rows), false // a header whose number of names does not fit
	}
	if head, ok := named(above, sep, width); ok && lastFilled(splitHeader(head.text, sep)) == width && sep != spaces && (bytes.ContainsAny(above.text, ",;|\t") || len(wideGaps(above.text)) == width) {
		rows[start-1] = head
		return start - 1, true
	}
	return start, false
}

// dimensions reports whether the first row holds the numbers of rows and columns of the table
// below, as programs in Fortran write them.
func dimensions(rows []record, sep byte) bool {
	run := measurements(rows[min(1, len(rows)):], sep)
	return run.width > 0 && run.start == 0 && string(bytes.Join(splitRow(nil, rows[0].text, sep), []byte{' '})) == fmt.Sprint(run.end, run.width)
}

// resembles reports whether a row has numbers and texts at the same positions as another row; it
// may be shorter.
func resembles(row, other [][]byte) bool {
	if len(row) != len(other) || !numberRow(row) {
		return false
	}
	for i, c := range row {
		if absent(c) == present && (kindOf(c) == textKind) != (kindOf(other[i]) == textKind) {
			return false
		}
	}
	return true
}

// singleTexts returns how many rows at the top contain a single text, if the table below has
// several columns.
func (t *reader) singleTexts(rows []record) int {
	for k := range min(len(rows)-1, 10) {
		cells := splitHeader(rows[k].text, t.layout.sep)
		if filled(cells) >= 2 {
			if t.alike(rows[k+1:], len(cells)) {
				return k
			}
			return 0
		}
		if numberRow(cells) {
			return 0
		}
	}
	return 0
}

// titles warns of the rows above the table that are left out.
func (t *reader) titles(rows []record) {
	full := rows[:0:0]
	for _, r := range rows {
		if filled(splitHeader(r.text, t.layout.sep)) > 0 {
			full = append(full, r)
		}
	}
	if len(full) > 0 {
		t.aboveRows = full[len(full)-1]
	}
	if n := len(full); n > 4 {
		t.warn("rows %d to %d are read as titles and settings: %s to %s", full[0].row, full[n-1].row, t.quotedLine(full[0].text), t.quotedLine(full[n-1].text))
		return
	}
	for _, r := range full {
		t.warn("row %d, %s, is read as a title", r.row, t.quotedLine(r.text))
	}
}
