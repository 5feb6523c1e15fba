package dataset

import (
	"bytes"
	"io"
)

// Limits of the sample, the first rows of a file, from which the layout of the table is determined.
const (
	sampleRows  = 512
	sampleBytes = 4 << 20
)

// layout describes how a table is written: its header, separators and columns.
type layout struct {
	sep    byte
	header *record
	// Whether the header is a comment, which stands above all tables of a file.
	commented bool
	columns   []sampledColumn // description of each column according to the sample
	short     bool            // whether rows end before the last column
	labels    bool            // whether the first column holds names or numbers of rows

	settings map[int]bool // rows of the sample, by index, that are certainly settings
}

// separators are tried in this order, the most reliable first.
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

// excelSeparator removes from the top a line such as sep=;, which names the separator for Excel. It
// returns the separator of this line if sep is 0, otherwise sep.
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

// rejoin returns the cells of a header, joined by the separator sep.
func rejoin(cells [][]byte, sep byte) []byte {
	for i, c := range cells {
		cells[i] = append(append([]byte{'"'}, bytes.ReplaceAll(c, []byte{'"'}, []byte(`""`))...), '"')
	}
	return bytes.Join(cells, []byte{sep})
}

// separator returns the separator that splits the rows most regularly: most rows of numbers have
// the same number of cells, and most of these cells are numbers.
func separator(rows []record) byte {
	rows = rows[:min(len(rows), 128)]
	for _, numbers := range []int{1, 0} {
		best, bestScore := byte(0), 0.0
		for _, sep := range separators {
			if score := regularity(rows, sep, numbers); score > bestScore+1e-9 {
				best, bestScore = sep, score
			}
		}
		if best == spaces && tabbed(rows) {
			return '\t'
		}
		for _, sep := range []byte{';', ','} {
			if best == spaces && separatesNames(rows, sep) {
				return sep
			}
		}
		if best != 0 {
			return best
		}
	}
	return ','
}

// separatesNames reports whether sep separates the names in the first row, and every other row has
// as many cells. The names must not contain blanks. Blanks in the other rows are then within cells,
// as in 12 30 15.
func separatesNames(rows []record, sep byte) bool {
	names := splitHeader(rows[0].text, sep)
	if n, distinct := textsOf(names); n < 2 || n < len(names) || !distinct || bytes.ContainsAny(rows[0].text, " \t") {
		return false
	}
	for _, r := range rows[1:] {
		if len(splitRow(nil, r.text, sep)) != len(names) {
			return false
		}
	}
	return len(rows) > 2
}

// tabbed reports whether single tabs separate all cells of the measurements. Rows may have
// additional tabs at the end.
func tabbed(rows []record) bool {
	run := measurements(rows, spaces)
	for _, r := range rows[run.start:run.end] {
		if lastFilled(splitRow(nil, r.text, '\t')) != run.width {
			return false
		}
	}
	return run.width > 0
}

// regularity scores how regularly sep splits those rows that have at least `least` numbers. The
// score rises with the number of rows that have the most frequent number of cells, and with the
// share of numbers in these rows. It also considers whether the row above them has as many cells.
func regularity(rows []record, sep byte, least int) float64 {
	type alike struct {
		rows   int
		shares float64
		header bool
	}
	widths := map[int]*alike{}
	best, header := &alike{}, 0
	for i, r := range rows {
		cells := splitRow(nil, r.text, sep)
		numbers, n := numbersOf(cells), len(cells)
		if i == 0 || numbers == 0 {
			header = len(splitHeader(r.text, sep))
		}
		if n < 2 || numbers < least {
			continue
		}
		w := widths[n]
		if w == nil {
			w = &alike{header: header == n}
			widths[n] = w
		}
		w.rows++
		w.shares += float64(numbers) / float64(min(n, 64)) * float64(n) / float64(n+1)
		if w.rows > best.rows {
			best = w
		}
	}
	if best.rows == 0 {
		return 0
	}
	score := 2*float64(best.rows) + best.shares
	if best.header {
		score++
	}
	return score
}

func isNumber(cell []byte, decimal byte) bool {
	_, _, ok := parseNumber(minus(cell), decimal)
	return ok
}
