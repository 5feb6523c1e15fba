package dataset

import (
	"bytes"
	"regexp"
)

// loneQuote matches a cell that holds only a quote, with the separator before or after it.
var loneQuote = regexp.MustCompile(`^() *" *([,;\t|])|([,;\t|]) *" *(?:([,;\t|])|$)`)

// ditto returns the column, from 0, of a ditto mark in a line that leaves a quote open, and whether
// there is one. A ditto mark is a quote alone in its cell, in a line with numbers. A quote at the
// end of a line may also begin a text of several lines, unless the next line looks like a row.
func ditto(line, next []byte) (column int, ok bool) {
	m := loneQuote.FindSubmatchIndex(line)
	if m == nil || !bytes.ContainsAny(line, "0123456789") {
		return 0, false
	}
	if m[4] >= 0 { // the mark begins the line
		return 0, true
	}
	sep := line[m[6]:m[7]]
	if atEnd := m[8] < 0; atEnd && (bytes.Count(next, sep) != bytes.Count(line, sep) || !bytes.ContainsAny(next, "0123456789")) {
		return 0, false
	}
	return 1 + bytes.Count(line[:m[0]], sep), true
}
