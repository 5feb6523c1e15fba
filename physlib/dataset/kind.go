package dataset

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// kind is the kind of content in the cells of a column.
type kind byte

const (
	noKind     kind = iota // no cell with a value so far
	numberKind             // numbers in any form
	textKind               // text, such as names and notes
	dateKind               // dates, with or without times of day
	clockKind              // times without a date
)

// kindOf returns the kind of a single cell.
func kindOf(cell []byte) kind {
	a := absent(cell)
	if a == gone || a == beyond {
		return noKind
	}
	if a != present || isNumber(cell, '.') || isNumber(cell, ',') {
		return numberKind
	}
	if _, _, ok := parseMoment(cell); ok {
		return dateKind
	}
	if new(slashDates).see(cell) {
		return dateKind
	}
	if _, form := parseClock(cell); form != noClock {
		return clockKind
	}
	sign, _ := signOf(cell)
	if v, ok := parseValue(cell, orPoint(sign)); ok && (v.suffix == "" || v.suffix == "%") {
		return numberKind
	} else if ok && isUnit(v.suffix) {
		return numberKind
	}
	return textKind
}

// orPoint returns sign, or the point if sign is 0.
func orPoint(sign byte) byte {
	if sign == 0 {
		return '.'
	}
	return sign
}

// likeNumber reports whether a cell holds measured data rather than a name.
func likeNumber(cell []byte) bool {
	k := kindOf(cell)
	return k == numberKind || k == dateKind || k == clockKind || k == textKind && isFraction(cell)
}

// sampledColumn describes a column according to the sample, the first rows of the file.
type sampledColumn struct {
	kind    kind
	decimal byte
	// Whether decimal is known: given by the user, seen in cells, or inferred for cells such as
	// 1,234.
	settled bool
	// A cell whose decimal sign may instead separate thousands. It is nil if there is no such cell,
	// or if other cells have shown what the sign means.
	doubt          []byte
	mixed          bool   // whether the column contains both numbers and texts
	suffix         string // unit after every number; "": none
	united, unlike record // the first cell with a unit, and the first one with another unit
	firstUnit      string // the unit in united
	unsure         bool   // whether some cells hold standard errors
	parts          bool   // whether some cells are angles or durations in parts
	zeros          string // the first whole number that begins with 0
	powers         string // the first number such as 00E2, which may be hexadecimal
	shorts         int    // number of texts that are dates such as 2.1.25
	yearMonths     int    // number of texts that are months such as 1958-03
	seasons        int    // number of these months that may also be two years (see isSeason)
	fractions      int    // number of texts that are fractions
	fractional     bool   // whether most cells are fractions, and the others whole numbers
	commas, points int    // number of cells in which a comma or point is certainly a decimal sign
	// Number of cells whose comma may separate thousands, and of cells whose point may do so.
	maybe           [2]int
	rounds          int     // number of the cells of maybe that end in 00, as 1,200 does
	plainest        float64 // largest number without a sign; 0: none
	trends          [2]trend
	first           byte // the first decimal sign that is certain
	filled, numbers int
	undefined       int // number of cells that are NaN
	texts           int
	nearly          int    // number of texts that begin like a number
	odd             record // the first text that begins like a number, or else the first text
	slashes         slashDates
	trailings       int    // number of cells with a minus after their number
	trailing        string // the first of these cells
}

// analyse determines the kinds of the columns in rows, whose cells are separated by sep.
func analyse(rows []record, sep byte, width int, given byte) []sampledColumn {
	columns := make([]sampledColumn, width)
	var cells [][]byte
	for _, r := range rows {
		cells = splitRow(cells[:0], r.text, sep)
		for i := range min(width, len(cells)) {
			columns[i].see(cells[i], r.row)
		}
	}
	for i := range columns {
		columns[i].decide()
	}
	settle(columns, sep, given)
	return columns
}

// see adds a cell of the sample to the description of its column.
func (c *sampledColumn) see(cell []byte, row int) {
	k := kindOf(cell)
	if k == noKind {
		return
	}
	c.filled++
	if k == textKind {
		c.mixed = true
		c.text(cell, row)
		return
	}
	if k != numberKind {
		if c.kind == noKind {
			c.kind = k
		}
		if k == dateKind {
			c.slashes.see(cell)
		}
		return
	}
	c.numbers++
	if absent(cell) == undefined {
		c.undefined++
	}
	if c.zeros == "" && len(cell) > 1 && cell[0] == '0' && len(bytes.Trim(cell, "0123456789")) == 0 {
		c.zeros = string(cell)
	}
	if c.powers == "" && len(cell) > 3 && cell[0] == '0' && zeroPower.Match(cell) {
		c.powers = string(cell)
	}
	sign, sure := signOf(cell)
	switch {
	case sign == 0:
	case sure && sign == ',':
		c.commas++
	case sure:
		c.points++
	case sign == ',':
		c.maybe[0]++
	default:
		c.maybe[1]++
	}
	c.seeSize(cell, sign, sure)
	if isTrailingMinus(string(minus(cell))) {
		if c.trailings++; c.trailings == 1 {
			c.trailing = string(cell)
		}
	}
	if sure && c.first == 0 {
		c.first = sign
	}
	if !sure && sign != 0 && c.doubt == nil {
		c.doubt = bytes.Clone(cell)
	}
	suffix := ""
	if v, ok := parseValue(cell, orPoint(sign)); ok {
		suffix = v.suffix
		c.unsure = c.unsure || v.unsure
		c.parts = c.parts || v.parts
	}
	c.seeUnit(cell, row, suffix)
}

// zeroPower matches cells such as 01E5. Since they begin with 0, they may be hexadecimal codes
// instead of numbers with an exponent.
var zeroPower = regexp.MustCompile(`^0\d+[eE]\d+$`)

// seeUnit notes the unit after a number. The column gets a unit only if all its numbers have this
// unit.
func (c *sampledColumn) seeUnit(cell []byte, row int, suffix string) {
	unit := suffix != "" && !strings.ContainsAny(suffix, "0123456789") // 1h30 is not a power of an hour
	if unit && c.united.row == 0 {
		c.united, c.firstUnit = record{text: bytes.Clone(cell), row: row}, suffix
	} else if unit && c.unlike.row == 0 && !sameUnit(suffix, c.firstUnit) {
		c.unlike = record{text: bytes.Clone(cell), row: row}
	}
	if c.numbers == 1 {
		c.suffix = suffix
	} else if !sameUnit(suffix, c.suffix) {
		c.suffix = ""
	}
}

// text adds a cell of text to the description of its column.
func (c *sampledColumn) text(cell []byte, row int) {
	near := nearNumber(cell)
	c.texts++
	if near {
		c.nearly++
	}
	if isFraction(cell) {
		c.fractions++
	}
	if _, ok := parseShortDate(cell); ok {
		c.shorts++
	}
	if at, ok := parseYearMonth(cell); ok {
		c.yearMonths++
		if isSeason(at) {
			c.seasons++
		}
	}
	if c.texts == 1 || near && c.nearly == 1 {
		c.odd = record{text: bytes.Clone(cell), row: row}
	}
}

// nearNumber reports whether a text begins like a number, so that it may be a mistyped number.
func nearNumber(cell []byte) bool {
	cell = bytes.TrimLeft(cell, "+-(<>~=$€£¥'’“«»„\"[{ ±≤≥≈\u00ad\u200b\u200e\u200f\u2060\ufeff\u00a0")
	return len(cell) > 0 && '0' <= cell[0] && cell[0] <= '9'
}

// decide determines the kind of a column. It is text if most cells are text, or if the cells are
// labels such as "100 m" and "mile".
func (c *sampledColumn) decide() {
	moments := c.filled - c.numbers
	switch {
	case c.filled == 0 || c.undefined == c.filled && c.filled > 1:
		c.kind = noKind
	case c.fractions > 0 && c.fractions == c.texts && c.texts+c.numbers == c.filled && 2*c.fractions >= c.filled && c.commas+c.points+c.maybe[0]+c.maybe[1] == 0 && c.suffix == "":
		c.kind, c.fractional, c.mixed = numberKind, true, false
	case !c.mixed && moments == 0:
		c.kind = numberKind
	case c.numbers == 0 && c.shorts == c.texts && c.kind == dateKind: // as 30.12.24 and 2.1.25
		c.mixed = false
	case c.yearMonths == c.filled && c.seasons < c.yearMonths:
		c.kind, c.mixed = dateKind, false
	case c.numbers == 0 && c.texts < moments-c.texts: // mostly dates or times
	case c.suffix != "" && c.texts > 1 && 5*c.texts >= c.filled:
		c.kind = textKind
	case 2*c.numbers >= c.filled:
		c.kind = numberKind
	case c.kind == noKind || c.mixed:
		c.kind = textKind
	}
	c.mixed = c.mixed && c.numbers > 0
}

// numberRow reports whether some cell of a row holds data.
func numberRow(cells [][]byte) bool { return slices.ContainsFunc(cells, likeNumber) }

// textsOf returns how many cells hold text. distinct reports whether all these texts differ.
func textsOf(cells [][]byte) (n int, distinct bool) {
	seen := map[string]bool{}
	for _, c := range cells {
		if kindOf(c) == textKind {
			n++
			seen[string(c)] = true
		}
	}
	return n, len(seen) == n
}
