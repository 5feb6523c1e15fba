package dataset

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/physlib/lab/physlib/unit"
)

// cell reads a cell that the quick pass of [reader.row] could not read, and stores it in t.values
// or t.codes.
func (t *reader) cell(row, i int) error {
	c, cell := &t.columns[i], t.cells[i]
	v := &t.values[i]
	*v = value{v: math.NaN(), sigma: math.NaN()}
	if c.kind == textKind {
		t.codes[i] = c.texts.code(cell)
		return nil
	}
	switch absent(cell) {
	case gone:
		c.miss(row, cell)
		return nil
	case beyond:
		c.miss(row, cell)
		if c.beyond.row == 0 {
			c.beyond = record{text: bytes.Clone(cell), row: row}
		}
		return nil
	case undefined, infinite:
		if c.kind == noKind && absent(cell) == undefined {
			c.miss(row, cell)
			return nil
		}
		return t.notFinite(row, i)
	}
	if c.kind == noKind {
		t.awake(i, cell)
		if c.kind == textKind {
			t.codes[i] = c.texts.code(cell)
			return nil
		}
	}
	switch c.kind {
	case dateKind:
		return t.date(row, i)
	case clockKind:
		if n := c.clockDigits; n > 0 {
			cell = []byte(withColons(fmt.Sprintf("%0*s", n, cell)))
		}
		seconds, form := parseClock(cell)
		if form == noClock || c.forms|1<<form == 1<<hms|1<<ms || c.forms|1<<form == 1<<hms|1<<two {
			return t.notNumber(row, i, "the column holds times: write all of them as 12:30:05, or all as 1:23.4")
		}
		c.forms |= 1 << form
		c.signed = c.signed || cell[0] == '+' || cell[0] == '-'
		v.v = seconds
		return nil
	}
	return t.number(row, i)
}

// date reads a date and stores it in t.values, in seconds since the first date of the column.
func (t *reader) date(row, i int) error {
	c, cell := &t.columns[i], t.cells[i]
	at, dayOnly, ok := parseMoment(cell)
	if !ok {
		at, dayOnly, ok = parseSlashed(cell, c.order)
	}
	if !ok {
		at, ok = parseShortDate(cell)
		dayOnly = ok
	}
	if !ok {
		at, ok = parseYearMonth(cell)
		dayOnly = ok
	}
	if !ok && c.slashed {
		return t.notNumber(row, i, "the column's dates are read as "+slashOrders[c.order]+": write all as 2025-01-31")
	}
	if !ok && isNoDay(cell) {
		return t.fail(row, place(i, c.Name), quote(cell)+" is a date that does not exist", "correct it, or leave it empty")
	}
	if !ok {
		return t.notNumber(row, i, "the column holds dates: write this as 2025-01-31, or leave it empty")
	}
	if err := t.sameZones(row, i, !dayOnly && zone.Match(cell)); err != nil {
		return err
	}
	if c.first.IsZero() {
		c.first, c.dayOnly = at, true
	}
	h, m, s := at.Clock()
	c.dayOnly = c.dayOnly && (dayOnly || h == 0 && m == 0 && s == 0 && at.Nanosecond() == 0)
	t.values[i].v = seconds(c.first, at)
	return nil
}

// dayForm matches a text that begins in the form of a date.
var dayForm = regexp.MustCompile(`^(?:\d{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.\d{4})(?:[ T]|$)`)

// isNoDay reports whether a cell has the form of a date that does not exist, such as 2021-02-29.
func isNoDay(cell []byte) bool {
	day := bytes.TrimRight(dayForm.Find(cell), " T")
	_, _, exists := parseMoment(day)
	return len(day) > 0 && !exists
}

// zone matches a date and time that ends in a time zone. In the form of C's ctime, the year follows
// the time zone.
var zone = regexp.MustCompile(`(?i)\d ?(?:Z|UTC|GMT|[-+]\d\d(?::?\d\d)?)(?: \d{4})?$`)

// sameZones returns an error if some dates of column i give a time zone and others do not. zoned
// says whether the date in the given row does. Days without a time count as dates without a zone.
func (t *reader) sameZones(row, i int, zoned bool) error {
	c := &t.columns[i]
	first, problem := &c.zoneless, "has no time zone, but row %d has one"
	if zoned {
		first, problem = &c.zoned, "has a time zone, but row %d has none"
	}
	if *first == 0 {
		*first = row
	}
	if c.zoned == 0 || c.zoneless == 0 {
		return nil
	}
	return t.fail(row, place(i, c.Name), quote(t.cells[i])+" "+fmt.Sprintf(problem, c.zoned+c.zoneless-row), "write the zone in all rows, as 2025-01-31T12:30:05+01:00, or in none")
}

// miss notes a cell without a value.
func (c *columnReader) miss(row int, cell []byte) {
	c.missing++
	if len(c.gaps) < 3 {
		c.gaps = append(c.gaps, gap{row, string(cell)})
	}
}

// gap is a cell without a value.
type gap struct {
	row  int
	cell string
}

// awake determines the kind of a column that has only empty cells in the sample, the first rows of
// the file. cell is the first cell of the column with a value.
func (t *reader) awake(i int, cell []byte) {
	c := &t.columns[i]
	c.kind = kindOf(cell)
	if c.kind == textKind {
		c.texts.codes = make([]int, len(t.rows))
		if len(t.rows) > 0 {
			c.texts.code(nil)
		}
		c.Values, c.plain, c.missing = nil, false, 0
		return
	}
	c.plain = c.kind == numberKind
	if v, ok := parseValue(cell, c.decimal); ok && v.unsure {
		c.unsure, c.plain = true, false
		c.errors = make([]float64, len(t.rows))
		for k := range c.errors {
			c.errors[k] = math.NaN()
		}
	} else if ok && c.suffix == "" && v.suffix != "" && t.suffixUnit(i, v.suffix) == nil {
		c.plain = false
	}
}

// number reads a number in any of its forms.
func (t *reader) number(row, i int) error {
	c, cell := &t.columns[i], t.cells[i]
	if c.fractions {
		if v, ok := parseFraction(cell); ok {
			if c.fraction == "" {
				c.fraction = string(cell)
			}
			t.values[i] = value{v: v * c.scale, sigma: math.NaN()}
			return nil
		}
	}
	sign, sure := signOf(cell)
	if sign != 0 && !c.settled {
		t.settleLate(c, sign, sure, cell)
	}
	v, ok := parseValue(cell, c.decimal)
	if ok && sameUnit(v.suffix, c.suffix) {
		v.suffix = c.suffix
	}
	if c.trailing == "" && isTrailingMinus(string(minus(cell))) {
		return t.notNumber(row, i, t.hint(i, cell)) // a single such cell may be a slip
	}
	if ok && v.suffix != c.suffix && c.unlike.row > 0 {
		return t.fail(c.unlike.row, place(i, c.Name), fmt.Sprintf("%s has another unit than %s in row %d", quote(c.unlike.text), quote(c.united.text), c.united.row),
			"write all numbers in one unit, alone, and the unit into the header")
	}
	if !ok || v.suffix != c.suffix || v.unsure && !c.unsure && c.suffix != "" {
		return t.notNumber(row, i, t.hint(i, cell))
	}
	if sure && sign == c.decimal {
		c.doubt = nil
	}
	if sign == c.decimal && !sure && c.doubt != nil && c.unproven == "" {
		c.unproven = string(cell)
	}
	if v.noted && c.noted == "" {
		c.noted = string(cell)
	}
	if v.grouped && c.grouped == "" {
		c.grouped = string(cell)
	}
	if !v.unsure {
		v.sigma = math.NaN()
	} else if !c.unsure { // the sample contains no standard errors of this column
		c.unsure, c.plain = true, false
		c.errors = make([]float64, len(c.Values))
		for k := range c.errors {
			c.errors[k] = math.NaN()
		}
	}
	if v.v-v.v != 0 {
		return t.notFinite(row, i)
	}
	v.v *= c.scale
	v.sigma *= c.scale
	t.values[i] = v
	return nil
}

// settleLate determines the decimal sign of a column if the sample contains no number with a
// decimal sign. cell is the first cell that contains one, and sign is the sign in this cell.
func (t *reader) settleLate(c *columnReader, sign byte, sure bool, cell []byte) {
	c.settled = true
	if sure {
		c.decimal = sign
		return
	}
	commas, points := 0, 0
	for _, o := range t.columns {
		if o.settled && o.kind == numberKind && o.Name != c.Name {
			if o.decimal == ',' {
				commas++
			} else {
				points++
			}
		}
	}
	maybe := [2]int{0, 1}
	if sign == ',' {
		maybe = [2]int{1, 0}
	}
	c.decimal, c.doubt = fallback(maybe, t.layout.sep, commas, points), append([]byte(nil), cell...)
}

func (t *reader) notNumber(row, i int, try string) error {
	what := " is not a number"
	if k := t.columns[i].kind; k == dateKind {
		what = " is not a date"
	} else if k == clockKind {
		what = " is not a time"
	}
	return t.fail(row, place(i, t.columns[i].Name), quote(t.cells[i])+what, try)
}

// notFinite returns the error for a NaN or infinite cell. If rows with such cells are left out, it
// returns nil.
func (t *reader) notFinite(row, i int) error {
	if t.options.Drop {
		t.undefined++
		return nil
	}
	return t.fail(row, place(i, t.columns[i].Name), quote(t.cells[i])+" is not a finite number", "correct it, or leave out such rows with --drop")
}

// suffixUnit gives a column the unit that follows its numbers. It returns an error if the header
// has another unit.
func (t *reader) suffixUnit(i int, suffix string) error {
	c := &t.columns[i]
	u, err := parseUnit(t.meant(c.Name, suffix))
	if err != nil {
		return err
	}
	switch {
	case isAngle(c.Name) && u.Dim != (unit.Dim{}) && slices.Contains([]string{"N", "S", "W", "E"}, suffix):
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("%s after its numbers is a direction", suffix), "write degrees without it, negative to the south and west, as -12.5822 [°]")
	case !c.HasUnit:
		c.Unit, c.HasUnit = u, true
		if c.parts {
			t.warn("column %s: %s", c.Name, map[bool]string{true: "degrees, minutes and seconds are read as degrees", false: "hours, minutes and seconds are read as seconds"}[suffix == "°"])
			break
		}
		t.warn("column %s: %s after its numbers is read as the unit", c.Name, suffix)
	case c.Unit.Dim != u.Dim:
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are in %s and its header says %s", suffix, c.Unit), "make them agree, or give --units")
	case c.Unit.Offset != u.Offset:
		return t.fail(t.headerRow, place(i, c.Name), fmt.Sprintf("its cells are in %s and its header says %s", suffix, c.Unit), "give both the same unit")
	case c.Unit.Factor() != u.Factor():
		c.scale = u.Factor() / c.Unit.Factor()
		t.warn("column %s: its cells are in %s and are converted to %s, as its header says", c.Name, suffix, c.Unit)
	}
	c.suffix = suffix
	return nil
}
