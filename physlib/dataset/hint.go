package dataset

import (
	"bytes"
	"fmt"
	"regexp"
)

// What people write into cells in place of a number.
var (
	date       = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b`)
	clock      = regexp.MustCompile(`^\d{1,4}:\d\d\b`)
	withError  = regexp.MustCompile(`\d\s*(±|\+/?-)\s*\d|\d\(\d+\)`)
	powerOfTen = regexp.MustCompile(`\d\s*[×x*·]\s*10`)
)

// hint is what to try with a cell that is not a number.
func (t *reader) hint(cell []byte) string {
	digits := bytes.ContainsAny(cell, "0123456789")
	spaced := bytes.Map(func(r rune) rune {
		if r == '_' || r == '\'' || r == '’' || r == ' ' || r == '\u00a0' || r == '\u202f' {
			return -1
		}
		return r
	}, cell)
	without := bytes.ReplaceAll(spaced, []byte{','}, nil)
	end := bytes.IndexFunc(cell, func(r rune) bool { return r != '+' && r != '-' && r != '.' && (r < '0' || r > '9') })
	switch {
	case date.Match(cell):
		return "write times as numbers, such as days since the first"
	case clock.Match(cell):
		return "write times as numbers, such as seconds since the first"
	case digits && withError.Match(cell):
		return "write the number alone; errors go into a column of their own, which --noise names"
	case digits && powerOfTen.Match(cell):
		return "write powers of ten as 3e8"
	case digits && bytes.IndexByte(cell, ',') >= 0 && bytes.IndexByte(cell, '.') >= 0:
		return "write it without separators of thousands"
	case digits && bytes.IndexByte(cell, ',') >= 0 && t.layout.decimal == '.' && isNumber(cell, ','):
		return "numbers have decimal points here: write 1.5 for 1,5 and 1234 for 1,234"
	case digits && bytes.IndexByte(cell, '.') >= 0 && t.layout.decimal == ',':
		return "numbers have decimal commas here: write 1,5 for 1.5 and 1234 for 1.234"
	case digits && len(spaced) < len(cell) && isNumber(spaced, ',') && t.layout.sep != ',':
		return fmt.Sprintf("write %s without separators of thousands", spaced)
	case digits && isNumber(without, '.'):
		return fmt.Sprintf("write %s without separators of thousands", without)
	case bytes.HasSuffix(cell, []byte("%")) && isNumber(cell[:len(cell)-1], t.layout.decimal):
		return "remove the % and give the column the unit [%]"
	case end > 0 && digits:
		return "a cell holds one number; write its unit into the header, as in v [m/s]"
	case !digits:
		return "remove the column if it holds text, or the row"
	}
	return "write it as 1.5 or 1.5e-3"
}
