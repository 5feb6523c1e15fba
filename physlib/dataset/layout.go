package dataset

import (
	"bytes"
	"io"
)

// The sample is what is looked at to find out how a table is laid out.
const (
	sampleRows  = 512
	sampleBytes = 4 << 20
)

// layout is how a table is written.
type layout struct {
	sep     byte
	header  *record
	columns []column // what the sample shows
	short   bool     // rows end before the last column
}

// separators, the surest first.
var separators = []byte{'\t', ';', ',', '|', spaces}

var separatorNames = map[byte]string{'\t': "tabs", ';': "semicolons", ',': "commas", '|': "bars", spaces: "spaces"}

// sample reads the first records and copies them.
func sample(f *feed) (rows []record, err error) {
	size := 0
	for len(rows) < sampleRows && (size < sampleBytes || len(rows) < 8) {
		rec, err := f.next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, rec.clone())
		size += len(rec.text)
	}
	return rows, nil
}

// excelSeparator takes the line sep=; that Excel understands off the top.
func excelSeparator(rows []record, sep byte) ([]record, byte) {
	if len(rows) > 0 {
		if name, ok := bytes.CutPrefix(bytes.ToLower(rows[0].text), []byte("sep=")); ok && len(name) == 1 {
			if sep == 0 {
				sep = name[0]
			}
			return rows[1:], sep
		}
	}
	return rows, sep
}

// rejoin writes header cells with another separator.
func rejoin(cells [][]byte, sep byte) []byte {
	for i, c := range cells {
		cells[i] = append(append([]byte{'"'}, bytes.ReplaceAll(c, []byte{'"'}, []byte(`""`))...), '"')
	}
	return bytes.Join(cells, []byte{sep})
}

// separator returns the one by which most rows with numbers have as many cells as the header, and
// most of these are numbers.
func separator(rows []record) byte {
	rows = rows[:min(len(rows), 64)]
	best, bestScore := byte(','), 0.0
	for _, sep := range separators {
		score := 0.0
		widths := map[int]int{}
		width := 0
		for i, r := range rows {
			cells := splitRow(nil, r.text, sep)
			if len(cells) < 2 {
				continue
			}
			if i == 0 {
				cells = splitHeader(r.text, sep)
			}
			n := len(cells)
			numbers := 0.0
			for _, c := range cells[:min(n, 64)] {
				if likeNumber(c) {
					numbers += float64(n) / float64(min(n, 64))
				}
			}
			if widths[n]++; widths[n] > widths[width] {
				width = n
			}
			score += numbers / float64(n+1)
		}
		for _, r := range rows[:min(1, len(rows))] {
			if len(splitHeader(r.text, sep)) == width {
				score++
			}
		}
		if score += 2 * float64(widths[width]); width > 1 && score > bestScore+1e-9 {
			best, bestScore = sep, score
		}
	}
	return best
}

func isNumber(cell []byte, decimal byte) bool {
	_, _, ok := parseNumber(minus(cell), decimal)
	return ok
}
