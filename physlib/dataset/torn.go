package dataset

import (
	"bytes"
	"regexp"
)

// tornHalves matches the two parts of a number whose decimal comma, or blank between thousands, is
// also the separator of the table.
var tornHalves = map[byte][2]*regexp.Regexp{
	',':    {regexp.MustCompile(`^[-+]?\d+$`), regexp.MustCompile(`^\d+(?:[eE][-+]?\d+)?$`)},
	spaces: {regexp.MustCompile(`^[-+]?\d{1,3}$`), regexp.MustCompile(`^\d{3}(?:[.,]\d+)?$`)},
}

// tornNumber finds two columns that may be one column of numbers, as in rows such as 1,2,03 and 1 1
// 234. It returns the number in the first row, such as 2,03, or "" if there are no such columns.
// sure reports whether a cell such as 03 can only be the rest of a number. All rows have the same
// number of cells.
func tornNumber(rows []record, sep byte) (number string, sure bool) {
	half, ok := tornHalves[sep]
	if !ok {
		return "", false
	}
	cells := make([][][]byte, len(rows))
	for i, r := range rows {
		cells[i] = splitRow(nil, r.text, sep)
	}
	for k := range len(cells[0]) - 1 {
		first, all, zero := "", true, false
		for i, r := range rows {
			left, right := cells[i][k], cells[i][k+1]
			both := string(left) + string(sep) + string(right)
			if !half[0].Match(left) || !half[1].Match(right) || !bytes.Contains(r.text, []byte(both)) || bytes.IndexByte(r.text, '"') >= 0 {
				all = false
				break
			}
			if i == 0 {
				first = both
			}
			zero = zero || len(right) > 1 && right[0] == '0'
		}
		if all && (number == "" || zero) {
			number, sure = first, zero
		}
		if sure {
			break
		}
	}
	return number, sure
}
