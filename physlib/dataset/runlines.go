package dataset

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sameWord reports whether two lines begin with the same word of letters.
func sameWord(a, b []byte) bool {
	first := func(line []byte) string {
		word := bytes.TrimLeft(line, `" `)
		if end := bytes.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			word = word[:end]
		}
		return strings.ToLower(string(word))
	}
	return first(a) != "" && first(a) == first(b)
}

// startsRun reports whether the first of rows is a line of text above a run of rows: the next row
// begins with a number. A row of data with a name in front is no such line.
func (t *reader) startsRun(rows []record) bool {
	letter, _ := utf8.DecodeRune(bytes.TrimLeft(rows[0].text, `" `))
	if len(rows) < 2 || !unicode.IsLetter(letter) {
		return false
	}
	sep := t.layout.sep
	line, below := splitRow(nil, rows[0].text, sep), splitRow(nil, rows[1].text, sep)
	if likeNumber(line[0]) { // as PT1H30M
		return false
	}
	word := bytes.IndexFunc(line[0], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	run := sep == spaces && len(line) == 2 && word // as in Run 2
	if len(line) == len(below) && numbersOf(line) == len(line)-1 && !run {
		return false
	}
	return len(below) > 1 && likeNumber(below[0]) && numbersOf(below) > 1
}

// firstRun takes a line of text that names the first run from above the rows, if another line below
// begins with the same word and stands above numbers as well. It returns the other rows.
func (t *reader) firstRun(body []record) []record {
	if len(body) == 0 || !t.startsRun(body) {
		return body
	}
	first := body[0].text
	for k := 2; k < len(body); k++ {
		other := body[k].text
		if sameWord(first, other) && !bytes.Equal(first, other) && t.startsRun(body[k:]) {
			t.aboveRows, t.runLines = body[0], []record{body[0]}
			return body[1:]
		}
	}
	return body
}

// nextRun keeps a line of text between rows that names the next run of rows. It reports whether rec
// is such a line: it begins with the same word as the line above the first row.
func (t *reader) nextRun(rec record) bool {
	if !sameWord(t.aboveRows.text, rec.text) {
		return false
	}
	if !t.startsRun(append([]record{rec}, t.feed.peek(1)...)) {
		return false
	}
	if len(t.runLines) == 0 {
		t.runLines = append(t.runLines, t.aboveRows)
	}
	t.runLines = append(t.runLines, rec)
	return true
}

// stepInformation matches what LTspice writes around the parameters of a run.
var stepInformation = regexp.MustCompile(`^Step Information: *(.*?) *(?:\(Run: *\d+/\d+\))?$`)

// runNames returns the texts of the lines above runs, without the words with which all of them
// begin.
func (t *reader) runNames() (names []string) {
	for _, r := range t.runLines {
		line := string(bytes.TrimRight(r.text, string(t.layout.sep)+" "))
		if m := stepInformation.FindStringSubmatch(line); m != nil && m[1] != "" {
			line = m[1]
		}
		names = append(names, strings.Join(strings.Fields(strings.Trim(line, `"`)), " "))
	}
	for {
		word, _, several := strings.Cut(names[0], " ")
		lacks := func(s string) bool { return !strings.HasPrefix(s, word+" ") }
		if !several || slices.ContainsFunc(names, lacks) {
			return names
		}
		for i, s := range names {
			names[i] = strings.TrimSpace(s[len(word):])
		}
	}
}

// runHeaders takes the header and its repetitions as the lines above runs, with numbers as names,
// if the values of the first column begin anew below each repetition.
func (t *reader) runHeaders(table *Table) {
	if len(t.repeats) == 0 || len(table.Vars) == 0 || t.columns[t.active[0]].Name != table.Vars[0].Name {
		return
	}
	var parts []int
	for _, row := range t.repeats {
		parts = append(parts, slices.IndexFunc(t.rows, func(r int) bool { return r > row }))
	}
	if beginAnew(table.Vars[0].Values, parts) {
		for k, row := range append([]int{t.headerRow}, t.repeats...) {
			t.runLines = append(t.runLines, record{text: []byte(strconv.Itoa(k + 1)), row: row})
		}
	}
}

// runs adds a column of text that distinguishes the runs which lines of text or repetitions of the
// header part, unless the table has a column run already.
func (t *reader) runs(table *Table) {
	what := "lines of text"
	if len(t.runLines) == 0 {
		t.runHeaders(table)
		what = "headers"
	}
	if len(t.runLines) < 2 {
		return
	}
	const name = "run"
	n, first := len(t.runLines), t.runLines[0]
	if slices.ContainsFunc(t.columns, func(c columnReader) bool { return c.Name == name }) {
		t.warn("%s part the rows into %d runs, first row %d, %s, and are left out", what,
			n, first.row, t.quotedLine(first.text))
		return
	}
	names, k := t.runNames(), 0
	var x texts
	for _, row := range t.rows {
		for k+1 < n && t.runLines[k+1].row < row {
			k++
		}
		x.codes = append(x.codes, x.code([]byte(names[k])))
	}
	table.Categories = append(table.Categories, Category{name, x.levels, x.codes})
	t.warn("%s part the rows into %d runs, first row %d, %s: the column %s is made of them; --group %[5]s finds one law for all runs", what,
		n, first.row, t.quotedLine(first.text), name)
}
