package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// percents looks for columns of a sheet in which some cells show numbers in per cent and others do
// not, such as 94.5 % (stored as 0.945) next to 97.1.
type percents struct {
	last  map[int]shown // the last number of each column, unless a text is below it
	noted map[int]bool  // columns that have a note
	notes []string      // one line for each such column
}

// shown is a number of a sheet. A number in per cent is stored as a fraction.
type shown struct {
	row     int // from 1
	value   float64
	percent bool
	first   bool // whether no number is above it
}

// number adds a number in the given row and column, counted from 1.
func (p *percents) number(row, column int, v float64, percent bool) {
	if p.last == nil {
		p.last, p.noted = map[int]shown{}, map[int]bool{}
	}
	above, ok := p.last[column]
	cell := shown{row, v, percent, !ok}
	p.last[column] = cell
	if !ok || above.percent == percent || p.noted[column] {
		return
	}
	part, plain := cell, above
	if !percent {
		part, plain = above, cell
	}
	if a := math.Abs(plain.value); a <= 1 || a >= 1000 || plain.first && a == math.Trunc(a) {
		return // a fraction, no share, or a number that is the name of the column
	}
	p.noted[column] = true
	p.notes = append(p.notes, fmt.Sprintf("column %d of the sheet: row %d shows %s %%, which is read as %s, and row %d shows %s without %%: give all its cells one number format",
		column, part.row, strconv.FormatFloat(100*part.value, 'g', 6, 64), short(part.value), plain.row, short(plain.value)))
}

// text adds a cell of text, such as the name of a column.
func (p *percents) text(column int) { delete(p.last, column) }

// short writes a number with the fewest digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// percentCode reports whether a number format shows numbers in per cent.
func percentCode(code string) bool { return strings.Contains(withoutTexts(code), "%") }

// truths finds the columns of a sheet that hold truth values among numbers. There, TRUE and FALSE
// are not numbers. In columns without numbers they count as 1 and 0.
type truths struct {
	values, numbers map[int]bool // whether a column, counted from 1, holds some
}

// see adds a cell of the given column.
func (t *truths) see(column int, truth bool) {
	if t.values == nil {
		t.values, t.numbers = map[int]bool{}, map[int]bool{}
	}
	if truth {
		t.values[column] = true
	} else {
		t.numbers[column] = true
	}
}

// mixed reports whether a column, counted from 1, holds both truth values and numbers.
func (t *truths) mixed(column int) bool { return t.values[column] && t.numbers[column] }
