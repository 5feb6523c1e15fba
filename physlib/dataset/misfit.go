package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oddRow is a row that is not data, with the reason.
type oddRow struct {
	record
	err   error
	alone bool // whether it has only one cell of several, like a heading between rows
}

// misfit classifies a row that cannot be read as data: a repeated header, the beginning of another
// table, or a footer. For other rows it returns err, the error from reading the row.
func (t *reader) misfit(rec record, err error) error {
	rec = rec.clone()
	t.split(rec)
	cells := t.cells
	switch {
	case len(t.rows) > 0 && t.nextRun(rec):
		return nil
	case len(t.rows) > 0 && t.beginsAgain(rec, cells, len(t.tail) > 0):
		t.ended = true
		t.feed.unread([]record{rec})
		return nil
	case t.isHeader(cells):
		t.repeats = append(t.repeats, rec.row)
		return nil
	case len(t.repeats) > 0 && len(t.unitCells) > 0 && slices.EqualFunc(t.unitCells, cells, bytes.Equal):
		return nil
	case len(t.rows) > 0 && t.starts(rec, cells):
		t.ended = true
		t.feed.unread([]record{rec})
		return nil
	case len(t.tail) < 1000 && (isFooter(cells, len(t.columns)) || len(t.tail) > 0 && summaryOf(cells[0]) != noSummary):
		t.tail = append(t.tail, oddRow{rec, err, filled(cells) == 1 && len(t.columns) > 1})
		return nil
	case len(t.tail) > 0:
		return t.tail[0].err
	}
	return err
}

// isHeader reports whether cells repeat the header.
func (t *reader) isHeader(cells [][]byte) bool {
	return len(t.header) > 0 && slices.EqualFunc(t.header, cells, bytes.Equal)
}

// starts reports whether a row is the header or the first row of numbers of another table.
func (t *reader) starts(rec record, cells [][]byte) bool {
	n, distinct := textsOf(cells)
	below := func(width int) bool {
		for _, r := range t.feed.peek(4) {
			next := splitRow(nil, r.text, t.layout.sep)
			if numberRow(next) {
				return len(next) == width
			}
		}
		return false
	}
	width := len(cells)
	switch {
	case numberRow(cells):
		return rec.gap > 0 && width != len(t.columns) && width > 1 && n == 0 && below(width)
	case n < 2 || !distinct:
		return false
	}
	return (width != len(t.columns) || t.textInNumbers(cells)) && below(len(splitHeader(rec.text, t.layout.sep)))
}

// summaries are the words with which rows of sums, means and the like begin below a table.
var summaries = []string{"total", "totals", "grand total", "subtotal", "sum", "mean", "average", "avg", "median", "std", "std dev", "stdev", "sd", "sem", "standard deviation", "std error", "variance",
	"count", "end", "eof", "summe", "gesamt", "mittelwert", "mittel", "standardabweichung", "stabw", "σ", "anzahl", "ende", "moyenne", "somme", "écart-type", "media", "promedio", "suma", "totale",
	"gemiddelde", "totaal", "合計", "平均", "合计", "平均值", "итого", "среднее"}

// extremes are further words with which rows of statistics begin. A row that begins with one of
// them is a summary only near a row that begins with a word in summaries. The reason is that words
// in extremes may also be names of columns or of measured things.
var extremes = []string{"min", "max", "minimum", "maximum", "range", "rsd", "%rsd", "cv", "cv%", "n", "se"}

// summary classifies a row by its text.
type summary byte

const (
	noSummary summary = iota
	sumsUp            // the text is in summaries, so the row summarizes those above
	mayBe             // the text is in extremes, which may have another meaning
)

// summaryOf classifies the row with the given cell by the text of the cell.
func summaryOf(cell []byte) summary {
	if len(cell) > 64 || len(cell) == 0 || cell[0] >= '0' && cell[0] <= '9' {
		return noSummary
	}
	word := strings.TrimRight(strings.ToLower(strings.ReplaceAll(string(cell), ".", "")), ": ")
	switch {
	case slices.Contains(summaries, word):
		return sumsUp
	case slices.Contains(extremes, word):
		return mayBe
	}
	return noSummary
}

func isSummary(cell []byte) bool { return summaryOf(cell) == sumsUp }

// isFooter reports whether a row may follow a table. Its first value must be a text. In addition,
// one of these must hold: the row has no other value, its number of cells is not width, the text
// has several words, or the text names a summary.
func isFooter(cells [][]byte, width int) bool {
	for _, c := range cells {
		if absent(c) == gone {
			continue
		}
		if alone := filled(cells) == 1; alone && width > 1 && bytes.Count(c, []byte{' '}) > 1 && kindOf(c) == textKind {
			return true // a sentence
		}
		if r, _ := utf8.DecodeRune(c); kindOf(c) != textKind || !unicode.IsLetter(r) && !bytes.ContainsAny(c[:1], "*[({<†=_~-") && !bytes.HasPrefix(c, []byte(">>")) {
			return false
		}
		return filled(cells) == 1 && width > 1 || isSummary(c) || bytes.ContainsAny(c, " :") || len(cells) != width
	}
	return false
}

// between handles rows that could be footers, but are followed by data. If each of these rows has a
// single text, they are headings between rows and are left out. Otherwise between returns the error
// of the first row with several cells.
func (t *reader) between() error {
	for _, o := range t.tail {
		if !o.alone {
			return o.err
		}
	}
	for _, o := range t.tail {
		t.warn("row %d, %s, holds one text alone and is left out", o.row, t.quotedLine(o.text))
	}
	t.tail = nil
	return nil
}

// footers warns of the footers, after the end of the table. If the table has no rows of data, it
// returns the error of the first footer.
func (t *reader) footers() error {
	if len(t.rows) == 0 && len(t.tail) > 0 {
		return t.tail[0].err
	}
	for _, o := range t.tail {
		t.warn("row %d, %s, below the table is read as a footer and is left out", o.row, t.quotedLine(o.text))
	}
	return nil
}

// beginsAgain reports whether a row repeats the header at the beginning of another table: below an
// empty line or a title, and above numbers. Elsewhere, the header is repeated on each page.
func (t *reader) beginsAgain(rec record, cells [][]byte, title bool) bool {
	return t.isHeader(cells) && (rec.gap > 0 || title) && slices.ContainsFunc(t.feed.peek(4), func(r record) bool {
		return numberRow(splitRow(nil, r.text, t.layout.sep))
	})
}

// skip reads on to the beginning of the next table, and reports whether there is one.
func (t *reader) skip() bool {
	seen, title := false, false
	for {
		rec, err := t.feed.next()
		if err != nil {
			return false
		}
		t.split(rec)
		if numberRow(t.cells) && len(t.cells) == len(t.columns) && !(seen && t.isBlock(rec)) {
			seen, title = true, false
			continue
		}
		rec = rec.clone()
		t.split(rec)
		if seen && (t.isBlock(rec) || t.beginsAgain(rec, t.cells, title) || !t.isHeader(t.cells) && t.starts(rec, t.cells)) {
			t.feed.unread([]record{rec})
			return true
		}
		title = !t.isHeader(t.cells)
	}
}

// several returns the error for a file that contains more than one table.
func (t *reader) several() error {
	list := []string{t.describe(1)}
	if t.header == nil {
		for _, at := range t.parted { // as --table counts them
			list = append(list, fmt.Sprintf("%d from row %d", len(list)+1, t.rows[at]))
		}
	}
	t.apart = true
	for k := len(list) + 1; ; k++ {
		t.restart()
		if err := t.begin(t.feed.lines); err != nil {
			break
		}
		list = append(list, t.describe(k))
		if !t.skip() {
			break
		}
	}
	more := ""
	if len(list) > 8 {
		more = fmt.Sprintf(" and %d more", len(list)-8)
	}
	return t.fail(0, "", fmt.Sprintf("the file holds %d tables: %s%s", len(list), strings.Join(list[:min(len(list), 8)], ", "), more),
		"choose one with --table 1, 2, …, or remove text and headers between rows if it is one table")
}

// describe names a table by its number, its first row and its columns.
func (t *reader) describe(k int) string {
	var names []string
	for _, h := range t.columns {
		if h.Name != "" {
			names = append(names, h.Name)
		}
	}
	if len(names) > 5 {
		names = append(names[:4], "…")
	}
	where := ""
	if t.headerRow > 0 {
		where = fmt.Sprintf(" from row %d", t.headerRow)
	}
	return fmt.Sprintf("%d%s (%s)", k, where, strings.Join(names, ", "))
}

// summarised removes rows at the end that, by their text, summarize the rows above.
func (t *reader) summarised() {
	first := len(t.rows)
	for k := first - 1; k > 1; k-- {
		label, _ := t.summaryLabel(k)
		if label == "" {
			break
		}
		if isSummary([]byte(label)) {
			first = k
		}
	}
	if first == len(t.rows) {
		return
	}
	for k := first; k < len(t.rows); k++ {
		label, where := t.summaryLabel(k)
		t.warn("row %d, %q in %s, is read as a summary of the others and is left out", t.rows[k], label, where)
	}
	t.cut(func(k int) bool { return k < first })
}

// subtotals removes rows that a spreadsheet program has inserted below groups of rows. Such a row
// is called by the name of the group and a word such as Total.
func (t *reader) subtotals() {
	for _, i := range t.active {
		c := &t.columns[i]
		if c.kind != textKind {
			continue
		}
		sum := make([]bool, len(c.texts.levels))
		some := false
		for k, level := range c.texts.levels {
			at := strings.LastIndexByte(level, ' ')
			sum[k] = at > 0 && isSummary([]byte(level[at+1:])) && slices.Contains(c.texts.levels, level[:at])
			some = some || sum[k]
		}
		if !some {
			continue
		}
		codes := slices.Clone(c.texts.codes)
		for k, code := range codes {
			if sum[code] {
				t.warn("row %d, %q in column %s, is read as a summary of rows above and is left out", t.rows[k], c.texts.levels[code], c.Name)
			}
		}
		t.cut(func(k int) bool { return !sum[codes[k]] })
		return
	}
}

// statistics returns an error if most rows are statistics of a table, such as count, mean and std,
// as pandas' describe writes them.
func (t *reader) statistics() error {
	named, sums := map[string]bool{}, false
	labelled := 0
	for k := range t.rows {
		label, _ := t.summaryLabel(k)
		if label == "" && k == 0 {
			return nil
		}
		if label != "" {
			labelled++
			named[label] = true
			sums = sums || isSummary([]byte(label))
		}
	}
	if len(named) < 2 || !sums || 2*labelled <= len(t.rows) {
		return nil
	}
	first, _ := t.summaryLabel(0)
	return t.fail(t.rows[0], "", fmt.Sprintf("the rows are statistics of a table, beginning with %q, not measurements", first), "give the table itself; write mean and standard deviation of a quantity into columns, as x_mean and x_std")
}

// summaryLabel returns the text in row k that may mark it as a summary, and the column of the text.
func (t *reader) summaryLabel(k int) (label, where string) {
	for _, i := range t.active {
		if c := &t.columns[i]; c.kind == textKind {
			if level := c.texts.levels[c.texts.codes[k]]; summaryOf([]byte(level)) != noSummary {
				return level, "column " + c.Name
			}
		}
	}
	return t.labels[k], "a column without a name"
}

// cut keeps only the rows k, counted from 0, for which wanted returns true.
func (t *reader) cut(wanted func(k int) bool) {
	n := 0
	for k := range t.rows {
		if !wanted(k) {
			continue
		}
		for _, i := range t.active {
			c := &t.columns[i]
			if c.kind == textKind {
				c.texts.codes[n] = c.texts.codes[k]
				continue
			}
			c.Values[n] = c.Values[k]
			if c.unsure {
				c.errors[n] = c.errors[k]
			}
		}
		t.rows[n] = t.rows[k]
		n++
	}
	t.rows = t.rows[:n]
	for _, i := range t.active {
		c := &t.columns[i]
		if c.kind == textKind {
			c.texts.codes = c.texts.codes[:n]
			continue
		}
		c.Values = c.Values[:n]
		if c.unsure {
			c.errors = c.errors[:n]
		}
	}
}
