package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"regexp"
	"strings"
	"unicode"
)

const maxLine = 1 << 24 // largest number of bytes in a line, or in a record of several lines

// record is a line of a table. It consists of several lines of the file if a quoted cell contains
// line ends.
type record struct {
	text []byte // valid until the next record is read
	row  int    // line of the file on which it starts, from 1
	gap  int    // number of empty lines directly above it
}

// clone returns a copy that stays valid.
func (r record) clone() record { return record{bytes.Clone(r.text), r.row, r.gap} }

// feed yields the records of a table, and can look ahead.
type feed struct {
	lines *lines
	queue []record // records that were read ahead
	err   error    // error that ended reading ahead
	only  *span    // the columns to return; nil: all
	sep   byte     // separator of the columns
}

func (f *feed) next() (record, error) {
	if len(f.queue) > 0 {
		r := f.queue[0]
		f.queue = f.queue[1:]
		return r, nil
	}
	if f.err != nil {
		return record{}, f.err
	}
	return f.read()
}

// read returns the next record, with only the columns that are wanted.
func (f *feed) read() (record, error) {
	for gap := 0; ; gap++ {
		r, err := f.lines.next()
		if err != nil || f.only == nil {
			return r, err
		}
		r, empty := f.within(r, gap)
		if !empty {
			return r, nil
		}
	}
}

// peek returns the next n records, or fewer at the end of the file, without consuming them. Records
// that were returned earlier become invalid.
func (f *feed) peek(n int) []record {
	for len(f.queue) < n && f.err == nil {
		var r record
		if r, f.err = f.read(); f.err == nil {
			f.queue = append(f.queue, r.clone())
		}
	}
	return f.queue[:min(n, len(f.queue))]
}

// unread puts records back at the front of the queue.
func (f *feed) unread(rows []record) { f.queue = append(rows[:len(rows):len(rows)], f.queue...) }

// lines reads records, leaving out empty lines and comments.
type lines struct {
	r       *bufio.Reader
	file    string
	row     int
	long    []byte // a line longer than the buffer of r, or a record of several lines
	rest    []byte // what follows a carriage return in the line that was read last
	lone    int    // the first line that ends in a carriage return alone; 0: none
	comment record // the last comment before the first record
	above   record // the comment before the one in the field comment
	started bool
	tabs    int // number of tabs in the first record

	hashes  bool   // whether comments above the first record begin with #
	records int    // number of records read so far
	setting record // the first comment between records that contains a setting
	since   int    // number of comments with a setting since the last record
	between int    // number of comments with a setting before the last record
}

// remark matches a comment after the numbers of a row, which gnuplot and NumPy allow.
var remark = regexp.MustCompile(`^([-+.\deEdD \t]*\d) +#.*$`)

// settingText matches a comment with a setting, such as "# T = 300 K".
var settingText = regexp.MustCompile(`^[#%!/"]*\s*[\pL\pN_ ()\[\]/]{1,40}[=:]\s*[-+.]?\d`)

// noteSetting counts a comment below the first records if it contains a setting.
func (l *lines) noteSetting(comment []byte) {
	if l.records < 2 || !settingText.Match(comment) {
		return
	}
	if l.since++; l.between == 0 && l.since == 1 {
		l.setting = record{text: bytes.Clone(comment), row: l.row}
	}
}

// next returns the next record, or io.EOF after the last one. Lines drawn between rows are skipped.
func (l *lines) next() (record, error) {
	gap := 0
	for {
		line, err := l.line()
		if err != nil {
			return record{}, err
		}
		trimmed := bytes.TrimSpace(line)
		if len(bytes.Trim(trimmed, ",;")) == 0 { // spreadsheets write an empty row as separators
			if bytes.IndexByte(line, '\f') < 0 { // a new page is no gap
				gap++
			}
			continue
		}
		line = bytes.TrimPrefix(line, []byte{'\f'})
		if isRule(trimmed) || isPrompt(trimmed) {
			continue
		}
		units := l.records == 1 && bytes.Count(line, []byte{'\t'}) == l.tabs
		cell := bytes.HasPrefix(line, []byte("\t#\t")) || units && bytes.HasPrefix(line, []byte("#\t"))
		if isComment(trimmed) && !cell {
			l.hashes = l.hashes || !l.started && trimmed[0] == '#'
			l.noteSetting(trimmed)
			if text, ok := headerOf(trimmed); ok && !l.started {
				if bytes.HasPrefix(line, []byte("#\t")) { // # may be a name
					text = line
				}
				l.above, l.comment = l.comment, record{text: bytes.Clone(text), row: l.row}
			}
			continue
		}
		if l.hashes && bytes.IndexByte(line, '#') > 0 || bytes.Contains(line, []byte(" # ")) {
			line = remark.ReplaceAll(line, []byte("$1"))
		}
		l.started = true
		if l.records == 0 {
			l.tabs = bytes.Count(line, []byte{'\t'})
		}
		if l.records++; l.records > 2 {
			l.between, l.since = l.between+l.since, 0
		} else {
			l.since = 0
		}
		rec := record{line, l.row, gap}
		if bytes.IndexByte(line, '"') >= 0 && openQuote(line, false) {
			return l.quoted(rec)
		}
		return rec, nil
	}
}

var byteOrderMark = []byte("\ufeff")

// spacedError matches the sign between a value and its standard error if blanks surround it, as in
// 15.2 ± 0.1. Blanks may also separate the cells of the table.
var spacedError = regexp.MustCompile(`(\d[.,]?) +(±|\+/-|\+-) *([\d.])`)

// prompt matches lines that are printed around a table. These are inputs and names in R, Python,
// Julia and MATLAB, such as > print(x), In [3]: x, 3×2 Matrix{Float64}: and x =. They are also the
// marks of code in Markdown and LaTeX, those of JPL's ephemerides, and closing brackets.
var prompt = regexp.MustCompile(`^(?:>{1,3}(?: ?\pL.*)?|[\pL][\pL\pN_.]* +=|julia>.*|(?:In|Out) ?\[\d+\]:.*|\x60{3}.*|\$(?: \pL.*)?|\$\$[SE]OE|\\(?:begin|end|addplot)\b.*|\d+×\d+ .*:|[\])};,]+)$`)

// isPrompt reports whether line is printed around a table rather than part of the table (see
// prompt). A line that begins like a number is part of the table, unless it contains ×, as in 3×2
// Matrix.
func isPrompt(line []byte) bool {
	if c := line[0]; c >= '0' && c <= '9' {
		return bytes.Contains(line, []byte("×")) && prompt.Match(line)
	} else if c == '-' || c == '+' || c == '.' || c == '"' {
		return false
	}
	return prompt.Match(line)
}

// emphasis removes the marks of bold text and of code from a Markdown table.
var emphasis = strings.NewReplacer("**", "", "`", "")

// isRule reports whether a line is a rule, a line drawn between the rows of a table, such as
// Markdown's |---|---|.
func isRule(line []byte) bool {
	switch line[0] {
	case '-', '=', '+', '|', ':':
	default:
		return false
	}
	drawn := line[0] == '|' && bytes.IndexByte(line, '-') > 0 || bytes.Contains(line, []byte("---")) || bytes.Contains(line, []byte("==="))
	return drawn && len(bytes.Trim(line, "-=+|: \t")) == 0
}

var (
	nbsp = []byte("\u00a0")
	// padding matches no-break spaces around cells.
	padding = regexp.MustCompile(`(^|[,;\t|"])\x{a0}+|\x{a0}+([,;\t|"]|$)`)
)

// wideByte is the first byte, in UTF-8, of the wide letters used in East Asia.
const wideByte = 0xef

// wide replaces wide digits, letters and signs by ASCII, except signs that would separate cells.
var wide = func() *strings.Replacer {
	var pairs []string
	for r := '!'; r <= '~'; r++ {
		if !strings.ContainsRune(`,;"|'#`, r) {
			pairs = append(pairs, string(r-'!'+'！'), string(r))
		}
	}
	return strings.NewReplacer(pairs...)
}()

// arabicByte and persianByte are the first bytes, in UTF-8, of the digits of Arabic and Persian.
const arabicByte, persianByte = 0xd9, 0xdb

// eastern replaces the digits of Arabic and Persian by those of ASCII, their decimal sign by a
// point, and removes their separators of thousands.
var eastern = func() *strings.Replacer {
	pairs := []string{"٫", ".", "٬", ""}
	for d := range rune(10) {
		pairs = append(pairs, string('٠'+d), string('0'+d), string('۰'+d), string('0'+d))
	}
	return strings.NewReplacer(pairs...)
}()

// borderByte is the first byte, in UTF-8, of all characters in borders and rules.
const borderByte = 0xe2

// borders are vertical lines between cells, rules are horizontal lines between rows.
var (
	borders = strings.NewReplacer("│", "|", "┃", "|", "║", "|", "┆", "|", "┊", "|")
	rules   = "─━═┄┅┈┉╌╍┼┌┐└┘├┤┬┴╞╡╪╔╗╚╝╠╣╦╩╬╟╢╭╮╰╯╒╕╘╛╤╧┏┓┗┛┣┫┳┻╋┡┩╇┝┥┯┷┿"
)

// drawn replaces the vertical lines of a table in box characters by bars. In a line that does not
// begin with a box character, as in tables that Julia prints, it replaces them by blanks.
func drawn(line []byte) []byte {
	text := string(line)
	if !strings.ContainsAny(text, rules+"│┃║┆┊") {
		return line
	}
	if strings.Trim(text, rules+"│┃║ ") == "" {
		return nil
	}
	plain := borders.Replace(text)
	if !strings.HasPrefix(strings.TrimSpace(plain), "|") {
		plain = strings.ReplaceAll(plain, "|", " ")
	}
	return []byte(plain)
}

// isComment reports whether a line starts with #, %, !, // or "#. A spreadsheet error in the first
// cell, such as #N/A, is not a comment.
func isComment(line []byte) bool {
	switch {
	case line[0] == '%' || line[0] == '!' || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte(`"# `)):
		return true
	case line[0] != '#' || len(line) > 1 && (line[1] == ',' || line[1] == ';'): // a column named #
		return false
	}
	end := bytes.IndexAny(line, ",;\t| ")
	if end < 0 {
		end = len(line)
	}
	if rest := bytes.TrimLeft(line, "#"); len(rest) > 1 && rest[0] == ' ' && unicode.IsLetter(rune(rest[1])) {
		return true
	}
	return end == 1 || absent(line[:end]) != gone
}

// headerOf returns the text of a comment if it may contain the names of columns. A setting such as
// "# temperature: 300 K" does not, but a comment that begins with "columns:" does.
func headerOf(comment []byte) (text []byte, ok bool) {
	text = bytes.TrimLeft(comment, "#%!/ \t")
	key, names, setting := bytes.Cut(text, []byte{':'})
	if !setting || bytes.ContainsAny(key, ",;\t|[(") || len(names) > 0 && names[0] != ' ' {
		return text, true
	}
	switch string(bytes.ToLower(key)) {
	case "columns", "column names", "fields", "header", "names", "variables":
		return bytes.TrimSpace(names), true
	}
	return nil, false
}

// piece returns the next line with its line feed, or up to a carriage return that a further
// character follows. Lines of other ends than most have, as in files that were joined, end so.
func (l *lines) piece() ([]byte, error) {
	line := l.rest
	if l.rest = nil; line == nil {
		var err error
		if line, err = l.fedLine(); err != nil {
			return nil, err
		}
	}
	for at := 0; ; at++ {
		n := bytes.IndexByte(line[at:], '\r')
		if at += n; n < 0 || at+1 == len(line) {
			return line, nil
		}
		if next := line[at+1]; next != '\r' && next != '\n' {
			l.rest = line[at+1:]
			l.lone = cmp.Or(l.lone, l.row+1)
			return line[:at], nil
		}
	}
}

// fedLine returns the next line that ends in a line feed, or the last one. The error is io.EOF at
// the end of the file.
func (l *lines) fedLine() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull && len(l.long) < maxLine {
			line, err = l.r.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
		if err == bufio.ErrBufferFull {
			return nil, &Error{File: l.file, Row: l.row + 1, Problem: "the line is longer than 16 MB", Try: "check the line ends"}
		}
	}
	if err != nil && err != io.EOF {
		return nil, unreadable(l.file, err)
	}
	if err == io.EOF && len(line) == 0 {
		return nil, io.EOF
	}
	return line, nil
}

// line returns the next line without its line end.
func (l *lines) line() ([]byte, error) {
	line, err := l.piece()
	if err != nil {
		return nil, err
	}
	l.row++
	line = bytes.TrimSuffix(line, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	line = bytes.TrimPrefix(line, byteOrderMark) // a mark may be inside if files were joined
	line = bytes.TrimRight(line, "\x00")
	if bytes.IndexByte(line, borderByte) >= 0 {
		line = drawn(line)
	}
	if bytes.Contains(line, nbsp) {
		line = padding.ReplaceAll(line, []byte("$1$2"))
	}
	if bytes.IndexByte(line, ' ') >= 0 && (bytes.Contains(line, []byte("±")) || bytes.Contains(line, []byte("+/-")) || bytes.Contains(line, []byte("+-"))) {
		line = spacedError.ReplaceAll(line, []byte("$1$2$3"))
	}
	if bytes.HasPrefix(line, []byte("||")) && bytes.HasSuffix(line, []byte("||")) { // a header of Jira
		line = bytes.ReplaceAll(line, []byte("||"), []byte("|"))
	}
	if len(line) > 0 && line[0] == '|' && bytes.ContainsAny(line, "*`") {
		line = []byte(emphasis.Replace(string(line)))
	}
	if bytes.IndexByte(line, wideByte) >= 0 {
		line = []byte(wide.Replace(string(line)))
	}
	if bytes.IndexByte(line, arabicByte) >= 0 || bytes.IndexByte(line, persianByte) >= 0 {
		line = []byte(eastern.Replace(string(line)))
	}
	return bytes.TrimSuffix(line, []byte{0x1a}), nil // the end-of-file mark of CP/M and DOS
}

// quoted appends lines to rec until its last quote is closed.
func (l *lines) quoted(rec record) (record, error) {
	text := bytes.Clone(rec.text)
	open := true
	for open && len(text) < maxLine && l.row < rec.row+100 {
		line, err := l.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return record{}, err
		}
		open = openQuote(line, true)
		if i, ok := ditto(text, line); ok && l.row == rec.row+1 {
			return record{}, &Error{File: l.file, Row: rec.row, Column: place(i, ""), Problem: `a ditto mark (") is not a value`, Try: "repeat the value that it stands for"}
		}
		text = append(append(text, '\n'), line...)
	}
	if open {
		return record{}, &Error{File: l.file, Row: rec.row, Problem: `a quote (") is opened and never closed`, Try: "close or remove it"}
	}
	return record{text, rec.row, rec.gap}, nil
}
