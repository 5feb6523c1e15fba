package dataset

import (
	"bytes"
	"io"
)

const sampleRows = 64 // looked at to find out how a table is laid out

// layout is how a table is written.
type layout struct {
	sep     byte
	decimal byte // '.' or ','
	settled bool // decimal has been seen; it is a guess otherwise
	header  *record
}

// separators, the surest first.
var separators = []byte{'\t', ';', ',', '|', spaces}

var separatorNames = map[byte]string{'\t': "tabs", ';': "semicolons", ',': "commas", '|': "bars", spaces: "spaces"}

// sample reads the first records and copies them.
func sample(l *lines) (rows []record, err error) {
	for len(rows) < sampleRows {
		rec, err := l.next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, record{bytes.Clone(rec.text), rec.row})
	}
	return rows, nil
}

// sniff finds the separator, the decimal sign and the header of a table that starts with the given rows. The rows that
// it returns are those with numbers. A non-zero sep is taken as given.
func sniff(rows []record, comment record, sep byte) (layout, []record) {
	if name, ok := bytes.CutPrefix(bytes.ToLower(rows[0].text), []byte("sep=")); ok && len(name) == 1 { // written by Excel
		if rows = rows[1:]; sep == 0 {
			sep = name[0]
		}
		if len(rows) == 0 {
			return layout{sep: sep}, rows
		}
	}
	if sep == 0 {
		sep = separator(rows)
	}
	lay := layout{sep: sep, decimal: '.'}
	lay.decimal, lay.settled = decimalSign(rows, sep)
	if !numeric(rows[0].text, sep, lay.decimal) {
		lay.header = &rows[0]
		return lay, rows[1:]
	}
	// numpy.savetxt writes the header as a comment, often with other separators than the rows
	width := len(splitRow(nil, rows[0].text, sep))
	for _, s := range separators {
		if len(comment.text) > 0 && len(splitHeader(comment.text, s)) == width && width > 1 {
			lay.header = &comment
			if s != sep {
				lay.header.text = rejoin(splitHeader(comment.text, s), sep)
			}
			break
		}
	}
	return lay, rows
}

// rejoin writes header cells with another separator.
func rejoin(cells [][]byte, sep byte) []byte {
	for i, c := range cells {
		cells[i] = append(append([]byte{'"'}, bytes.ReplaceAll(c, []byte{'"'}, []byte(`""`))...), '"')
	}
	return bytes.Join(cells, []byte{sep})
}

// separator is the one by which most rows have as many cells as the first, and most of these are numbers.
func separator(rows []record) byte {
	best, bestScore := byte(','), -1.0
	for _, sep := range separators {
		width := len(splitHeader(rows[0].text, sep))
		if width < 2 {
			continue
		}
		score := 0.0
		for _, r := range rows[1:] {
			cells := splitRow(nil, r.text, sep)
			numbers := 0.0
			for _, c := range cells {
				if isNumber(c, '.') || isNumber(c, ',') && sep != ',' {
					numbers++
				}
			}
			score += numbers / float64(len(cells)+1)
			if len(cells) == width {
				score += 2
			}
		}
		if score > bestScore+1e-9 {
			best, bestScore = sep, score
		}
	}
	return best
}

func isNumber(cell []byte, decimal byte) bool {
	_, _, ok := parseNumber(minus(cell), decimal)
	return ok
}

// numeric tells whether a row holds numbers, and perhaps missing values, but no names.
func numeric(row []byte, sep, decimal byte) bool {
	numbers := 0
	for _, c := range splitRow(nil, row, sep) {
		gone, infinite := missing(c)
		switch {
		case isNumber(c, decimal):
			numbers++
		case !gone && !infinite:
			return false
		}
	}
	return numbers > 0
}

// decimalSign is the first that the sample uses, and whether it uses any.
func decimalSign(rows []record, sep byte) (sign byte, settled bool) {
	for _, r := range rows {
		for _, c := range splitRow(nil, r.text, sep) {
			if _, point, ok := parseNumber(minus(c), '.'); ok && point {
				return '.', true
			}
			if _, point, ok := parseNumber(minus(c), ','); ok && point && sep != ',' {
				return ',', true
			}
		}
	}
	return '.', false
}
