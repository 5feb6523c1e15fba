package dataset

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/physlib/lab/physlib/spelling"
)

// columnReader describes a column while its cells are read.
type columnReader struct {
	written string // the name in the file; "": none
	Column
	kind     kind
	decimal  byte
	settled  bool   // whether decimal is known; see sampledColumn.settled
	plain    bool   // whether cells are bare numbers
	doubt    []byte // a cell whose decimal sign may separate thousands; nil: none
	noted    string // the first cell with the mark of a footnote
	grouped  string // the first cell with separators of thousands
	trailing string // the first cell with a minus after its number, if there are several such cells
	// The first cell whose decimal sign may also separate thousands, as in 1,234.
	unproven string
	suffix   string  // text after every number
	scale    float64 // factor by which the numbers in the cells are multiplied
	parts    bool    // whether cells are angles or durations in parts, such as 1 min 20 s
	unsure   bool    // whether cells hold standard errors
	errors   []float64
	texts    texts

	zeros     string // the first whole number that begins with 0, such as 05
	fractions bool   // whether most cells are fractions such as 1/2
	fraction  string // the first fraction

	united   record    // the first cell with a unit, if a later one has another unit
	unlike   record    // the first cell with a unit other than that of united
	odd      record    // a text of the column that may be a mistyped number (see nearNumber)
	first    time.Time // the first date
	zoned    int       // the first row with a date and a time zone; 0: none
	zoneless int       // the first row with a date and no time zone; 0: none
	dayOnly  bool
	slashed  bool       // whether some dates are written as 3/4/2021
	order    slashOrder // order of day and month in dates such as 3/4/2021
	guessed  bool       // whether order is only a guess
	forms    clockForm  // set of the forms of times that occur, one bit for each
	clock    clockForm  // the form of times that the header gives: hms or ms; see clockHeading
	// Number of digits of times without colons, 4 as in 2350 or 6; 0: they have colons.
	clockDigits int
	signed      bool   // whether some times have a sign
	beyond      record // the first cell that shows the overflow of a meter, such as OL
	missing     int    // number of cells without a value
	gaps        []gap  // the first cells without a value
}

// splitUnit divides "v [m/s]" into name and unit; bracket reports whether there are brackets.
func splitUnit(cell string) (name, unitText string, bracket bool) {
	cell = strings.TrimSpace(cell)
	open := strings.LastIndexByte(cell, '[')
	if open < 0 || !strings.HasSuffix(cell, "]") {
		return cell, "", false
	}
	// Remove quotes around the name, as in "wave length" [nm].
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(cell[:open]), `"`))
	return name, strings.TrimSpace(cell[open+1 : len(cell)-1]), true
}

// headings reads the header. If there is no header, it makes up names for width columns.
func (t *reader) headings(width int) error {
	t.headerRow = 0
	if t.layout.header == nil {
		for i := range width {
			name := fmt.Sprintf("x%d", i+1)
			if i == width-1 && width > 1 {
				name = "y"
			}
			t.columns = append(t.columns, columnReader{written: name, Column: Column{Name: name}})
		}
		switch {
		case width == 2:
			t.warn("no header: the columns are called x1 and y")
		case width > 2:
			t.warn("no header: the columns are called x1 to x%d and y", width-1)
		}
		return t.equip()
	}
	line := norm.NFC.Bytes(t.layout.header.text)
	t.headerRow = t.layout.header.row
	t.header = splitRow(nil, bytes.Clone(t.layout.header.text), t.layout.sep)
	cells := splitHeader(line, t.layout.sep)
	for i, c := range cells {
		if bytes.IndexByte(c, '\n') >= 0 {
			cells[i] = bytes.Join(bytes.Fields(c), []byte{' '})
		}
		if bytes.IndexByte(c, '&') >= 0 {
			cells[i] = []byte(html.UnescapeString(string(c))) // as in &Delta;t
		}
	}
	for i, c := range cells {
		if macro.Match(c) { // as in $T_\mathrm{c}$ [\si{\kelvin}]
			cells[i] = []byte(strings.TrimSpace(withoutMacros(string(c))))
		}
	}
	for i, c := range cells {
		if m := unitWithNote.FindSubmatch(c); m != nil && isUnit(string(m[2])) {
			cells[i] = m[1]
		}
	}
	t.headingErrors(cells)
	t.quotients(cells)
	t.calls(cells)
	t.countUnitsBehind(cells)
	for i, cell := range cells {
		h, err := t.heading(i, string(cell))
		if err != nil {
			return err
		}
		t.columns = append(t.columns, h)
	}
	t.warnOfHeadings()
	t.partsOfNames()
	t.distinct()
	t.alikeNames()
	if n := len(cells); n > 1 && slices.IndexFunc(cells[1:], func(c []byte) bool { return !isNumber(c, '.') }) < 0 {
		if first := string(cells[1]); len(cells[0]) == 0 || first != "0" && first != "1" { // else they may be numbers of channels
			t.warn("row %d: if its numbers are values of a variable, write one row for each value below it, in three columns", t.headerRow)
		}
		t.warn("row %d is read as names, %s; put names above it if it holds measurements", t.headerRow, t.quotedLine(t.layout.header.text))
	}
	return t.equip()
}

// readUnit is a unit that is read from a heading without square brackets.
type readUnit struct {
	heading, mark string // as in v (m/s), with the mark (m/s)
	sure          string // the heading with the unit in square brackets
}

// warnOfHeadings says which units are read from headings without square brackets, and which names
// differ from the headings. There is one warning for all columns.
func (t *reader) warnOfHeadings() {
	var headings, marks, names []string
	for _, r := range t.unitsRead {
		headings, marks = append(headings, strconv.Quote(r.heading)), append(marks, r.mark)
	}
	switch len(headings) {
	case 0:
	case 1:
		t.warn("column %s: %s is read as its unit; write %s to be sure", headings[0], marks[0], t.unitsRead[0].sure)
	default:
		t.warn("columns %s: %s are read as their units; write %s to be sure", spelling.List(headings), spelling.List(marks), t.unitsRead[0].sure)
	}
	for _, r := range t.renamed {
		names = append(names, fmt.Sprintf("%q is called %s", r[0], r[1]))
	}
	if len(names) > 0 {
		t.warn("column %s in laws", spelling.List(names))
	}
}

// equip sets the kind, the decimal sign and the unit of each column, according to its first cells.
func (t *reader) equip() error {
	for i := range t.columns {
		c := &t.columns[i]
		c.decimal, c.scale = '.', 1
		if i >= len(t.layout.columns) {
			continue
		}
		s := t.layout.columns[i]
		c.kind, c.decimal, c.settled, c.doubt, c.unsure = s.kind, s.decimal, s.settled, s.doubt, s.unsure
		c.parts, c.zeros = s.parts, s.zeros
		if s.unlike.row > 0 {
			c.united, c.unlike = s.united, s.unlike
		}
		if s.powers != "" && c.Name != "" && s.kind == numberKind {
			v, _, _ := parseNumber([]byte(s.powers), '.')
			t.warn("column %s: %s is read as %g; write hexadecimal numbers as decimal ones", c.Name, s.powers, v)
		}
		if s.trailings > 1 {
			c.trailing = s.trailing
		}
		c.fractions = s.fractional && !isDateName(c.Name)
		if c.slashed = s.slashes.seen > 0; c.slashed {
			order, sure := s.slashes.order()
			c.order, c.guessed = order, !sure
		}
		if s.kind == textKind && 2*s.nearly > s.filled {
			c.odd = s.odd
		}
		if s.mixed && s.kind == textKind && c.Name != "" {
			t.warn("column %s: %d of the first %d cells are numbers, the others text, so it is read as text", c.Name, s.numbers, s.filled)
		}
		if s.kind == numberKind && s.suffix != "" && c.Name != "" {
			if err := t.suffixUnit(i, s.suffix); err != nil {
				return err
			}
		}
		c.plain = c.kind == numberKind && !c.fractions && c.suffix == "" && !c.unsure && c.doubt == nil
	}
	return nil
}

// unitWithNote matches a heading with the mark of a footnote after its unit, as in Mass (kg)[a] or
// Mass [kg]*.
var unitWithNote = regexp.MustCompile(`^(.+ [(\[]([^()\[\]]+)[)\]])(?: ?[*†‡§¹²³]+|(?:\^?\[(?:(?:note |nb )?\d{1,2}|[a-z])\])+)$`)

// serials matches the serial numbers that HOBO loggers append to names.
var serials = regexp.MustCompile(` \((?:LGR|SEN) S/N: [^()]*\)$`)

// heading reads one cell of the header.
func (t *reader) heading(i int, cell string) (columnReader, error) {
	name, unitText, bracket := splitUnit(cell)
	h := columnReader{written: name}
	name = serials.ReplaceAllString(name, "")
	if form, digits, rest, ok := t.clockHeading(i, cell); ok {
		name, unitText, bracket, h.clock, h.clockDigits, h.written = rest, "", false, form, digits, rest
	}
	if name == "" && !bracket {
		return t.unnamed(i, h), nil
	}
	if indexed := bracket && t.isIndex(name, unitText); indexed {
		name, unitText, bracket, h.written = name+"_"+unitText, "", false, strings.TrimSpace(cell)
	} else if !bracket {
		name, unitText = t.behind(name)
		bracket = unitText != ""
	}
	if i > 0 && t.errorOfLast(name) {
		h.Name, h.written = t.columns[i-1].Name+"_err", plusMinus[0]
		h.Unit, h.HasUnit = t.columns[i-1].Unit, t.columns[i-1].HasUnit
		t.warn("column %d, %s, is called %s in laws", i+1, name, h.Name)
		return h, nil
	}
	if h.Name = identifier(name); h.Name == "" && (name == "#" || name == "№") {
		h.Name = "number"
		t.warn("column %q is called %s in laws", name, h.Name)
		return h, nil
	}
	if h.Name == "" && i == 0 && len(t.layout.columns) > 0 && t.layout.columns[0].kind == textKind {
		return columnReader{}, nil
	}
	if h.Name == "" {
		return h, t.fail(t.headerRow, place(i, ""), fmt.Sprintf("%q holds no name", cell), "write name or name [unit]")
	}
	if part := t.signedError(name); part != "" {
		h.Name, h.written = part, part
	}
	if h.Name != name {
		t.renamed = append(t.renamed, [2]string{name, h.Name})
	}
	if !bracket && strings.Contains(name, "%") && slices.ContainsFunc(strings.Split(strings.ToLower(h.Name), "_"), func(word string) bool { return slices.Contains(errorWords, word) }) {
		unitText, bracket = "%", true // as in % error
	}
	if bracket {
		unitText = t.meant(h.Name, unitText)
		u, err := parseUnit(unitText)
		if (err != nil || inArbitrary(h.Name, unitText)) && arbitrary([]string{unitText}) {
			t.warn("column %s: [%s] is not a unit, so its unit stays unknown", h.Name, unitText)
			return h, nil
		}
		if err != nil {
			t.warn("the unit of %s stays unknown; give it with --units %s=UNIT: %v", h.Name, h.Name, err)
			return h, nil
		}
		h.Unit, h.HasUnit = u, true
		t.warnOfUnit(h.Name, unitText)
	}
	return h, nil
}

// isIndex reports whether the number in brackets after a name is an index and not a unit, as in
// v[1] if there is also v[2].
func (t *reader) isIndex(name, number string) bool {
	if name == "" || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	return slices.ContainsFunc(t.header, func(c []byte) bool {
		other, n, bracket := splitUnit(string(c))
		return bracket && other == name && n != number && n != "" && strings.Trim(n, "0123456789") == ""
	})
}

// unnamed names a column without a name, if it is the first such column. The column is called time
// if it contains dates or times, as the index that pandas writes. It is called x1 if it contains
// decimal numbers, which cannot be row numbers. Other columns without a name are left out later.
func (t *reader) unnamed(i int, h columnReader) columnReader {
	if i > 0 || len(t.layout.columns) == 0 || t.layout.labels && t.layout.columns[0].kind == numberKind {
		return h
	}
	switch c := t.layout.columns[0]; {
	case c.kind == numberKind && 2*(c.commas+c.points) > c.filled:
		h.Name, h.written = "x1", "x1"
		t.warn("column 1 has no name and holds decimal numbers: it is called x1")
		return h
	case c.kind != dateKind && c.kind != clockKind:
		return h
	}
	h.Name, h.written = "time", "time"
	t.warn("column 1 has no name and holds times: it is called time")
	return h
}

// errorOfLast reports whether a heading is ±, or ± followed by the heading of the previous column.
func (t *reader) errorOfLast(heading string) bool {
	before := t.columns[len(t.columns)-1]
	if before.Name == "" {
		return false
	}
	for _, sign := range plusMinus {
		rest, after, found := strings.Cut(heading, sign)
		rest = strings.TrimSpace(rest + after)
		if !found {
			continue
		}
		name, _, _ := strings.Cut(rest, " (")
		return rest == "" || rest == before.written || name == before.Name
	}
	return false
}

// filled returns the number of cells that are not empty.
func filled(cells [][]byte) (n int) {
	for _, c := range cells {
		n += min(len(c), 1)
	}
	return n
}
