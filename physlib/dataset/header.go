package dataset

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/physlib/lab/physlib/unit"
	"github.com/physlib/lab/physlib/unit/spelling"
)

// heading describes a column while it is read.
type heading struct {
	written string // the name in the file; "": none
	Column
	kind     kind
	decimal  byte
	settled  bool   // whether decimal is known; see column.settled
	plain    bool   // whether cells are bare numbers
	doubt    []byte // a cell whose decimal sign may separate thousands; nil: none
	grouped  string // the first cell with separators of thousands
	trailing string // the first cell with a minus behind its number, if there are several such cells
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
	unlike   record    // the first cell with another unit than united
	odd      record    // a text of the column that may be a mistyped number (see nearNumber)
	first    time.Time // the first date
	zoned    int       // the first row with a time zone; 0: none
	zoneless int       // the first row with a date and no time zone; 0: none
	dayOnly  bool
	slashed  bool       // whether some dates are written as 3/4/2021
	order    slashOrder // order of day and month in dates such as 3/4/2021
	guessed  bool       // whether order is only a guess
	forms    clockForm  // set of the forms of times that occur, one bit for each
	clock    clockForm  // the form of times that the header gives: hms or ms; see clockHeading
	signed   bool       // whether some times have a sign
	beyond   record     // the first cell that shows the overflow of a meter, such as OL
	missing  int        // number of cells without a value
	gaps     []gap      // the first cells without a value
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

var superscripts = map[rune]byte{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9'}

// identifier converts a name to one that can occur in laws. The result consists of letters, digits,
// _ and subscripts, and begins with a letter. Superscripts become digits.
func identifier(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		if r == '_' || unicode.IsLetter(r) || '0' <= r && r <= '9' || '₀' <= r && r <= '₉' || unicode.Is(unicode.M, r) {
			if gap && b.Len() > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		} else if digit, ok := superscripts[r]; ok {
			b.WriteByte(digit)
			gap = false
		} else {
			gap = true
		}
	}
	s := b.String()
	if r, _ := utf8.DecodeRuneInString(s); s != "" && r != '_' && !unicode.IsLetter(r) {
		s = "x" + s
	}
	return s
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
			t.columns = append(t.columns, heading{written: name, Column: Column{Name: name}})
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
			t.warn("column %s: %d of the first %d cells are numbers, the others text, so it is taken for text", c.Name, s.numbers, s.filled)
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

// serials matches the serial numbers that HOBO loggers append to names.
var serials = regexp.MustCompile(` \((?:LGR|SEN) S/N: [^()]*\)$`)

// heading reads one cell of the header.
func (t *reader) heading(i int, cell string) (heading, error) {
	name, unitText, bracket := splitUnit(cell)
	h := heading{written: name}
	name = serials.ReplaceAllString(name, "")
	if form, rest, ok := t.clockHeading(i, cell); ok {
		name, unitText, bracket, h.clock, h.written = rest, "", false, form, rest
	}
	if name == "" && !bracket {
		return t.unnamed(i, h), nil
	}
	if !bracket {
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
		return heading{}, nil
	}
	if h.Name == "" {
		return h, t.fail(t.headerRow, place(i, ""), fmt.Sprintf("%q holds no name", cell), "write name or name [unit]")
	}
	if part := t.signedError(name); part != "" {
		h.Name, h.written = part, part
	}
	if h.Name != name {
		t.warn("column %q is called %s in laws", name, h.Name)
	}
	if !bracket && strings.Contains(name, "%") && slices.ContainsFunc(strings.Split(strings.ToLower(h.Name), "_"), func(word string) bool { return slices.Contains(errorWords, word) }) {
		unitText, bracket = "%", true // as in % error
	}
	if bracket {
		unitText = t.meant(h.Name, unitText)
		u, err := parseUnit(unitText)
		if (err != nil || inArbitrary(h.Name, unitText)) && arbitrary([]string{unitText}) {
			t.warn("column %s: [%s] is no unit, so its unit stays unknown", h.Name, unitText)
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

// signedError returns the name of a column called y+ or y- if there are columns y, y+ and y-:
// y_err_plus or y_err_minus. For other names, such as that of an ion, it returns "".
func (t *reader) signedError(name string) string {
	signs := map[string]string{"+": "_err_plus", "-": "_err_minus"}
	for sign, part := range signs {
		base, ok := strings.CutSuffix(name, sign)
		if !ok || base == "" {
			continue
		}
		for _, other := range []string{base, base + "+", base + "-"} {
			if !t.hasColumn(other) {
				return ""
			}
		}
		return identifier(base) + part
	}
	return ""
}

// unnamed returns the heading of a column without a name. The first such column is called time if
// it contains dates or times, as the index that pandas writes. It is called x1 if it contains
// decimal numbers, which cannot be row numbers. Other columns without a name are left out later.
func (t *reader) unnamed(i int, h heading) heading {
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
		if rest = strings.TrimSpace(rest + after); !found {
			continue
		}
		name, _, _ := strings.Cut(rest, " (")
		return rest == "" || rest == before.written || name == before.Name
	}
	return false
}

// current matches the unit of a direct, alternating or rms voltage or current, such as VDC or mA
// rms.
var current = regexp.MustCompile(`^([mkµμunM]?[VA])[ _]?(?:DC|AC|dc|ac|RMS|rms)$`)

// parseUnit reads a unit as meters print it.
func parseUnit(s string) (unit.Unit, error) {
	if strings.EqualFold(s, "sec") || strings.EqualFold(s, "secs") {
		s = "s"
	}
	s, _, _ = strings.Cut(s, " vs") // the potential of a reference electrode, as in V vs. SHE
	if m := current.FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if strings.EqualFold(s, "deg C") || strings.EqualFold(s, "deg. C") {
		s = "°C"
	}
	return unit.Parse(s)
}

func isUnit(s string) bool {
	_, err := parseUnit(s)
	return err == nil
}

// filled returns the number of cells that are not empty.
func filled(cells [][]byte) (n int) {
	for _, c := range cells {
		n += min(len(c), 1)
	}
	return n
}

// partsOfNames warns if the names are the same sequence several times, as where a long table
// continues to the right.
func (t *reader) partsOfNames() {
	n := len(t.columns)
	for width := 2; width <= n/2; width++ {
		if n%width > 0 || t.columns[0].Name == "" {
			continue
		}
		same := true
		for i := width; i < n && same; i++ {
			same = t.columns[i].Name == t.columns[i-width].Name
		}
		if same {
			t.warn("the names repeat after column %d: if the table continues to the right, put its parts below each other", width)
			return
		}
	}
}

// distinct appends a number to names that occurred before: a second x becomes x_2.
func (t *reader) distinct() {
	seen := make(map[string]int)
	for _, h := range t.columns {
		seen[h.Name]++
	}
	first := make(map[string]int)
	for i := range t.columns {
		h := &t.columns[i]
		if h.Name == "" {
			continue
		}
		before, again := first[h.Name]
		if !again {
			first[h.Name] = i
			continue
		}
		name := h.Name
		for n := 2; again || seen[h.Name] > 0; n++ {
			h.Name, again = fmt.Sprintf("%s_%d", name, n), false
		}
		seen[h.Name]++
		first[h.Name] = i
		h.written, t.twice = h.Name, true
		t.warn("column %d has the same name as column %d, %s, and is called %s", i+1, before+1, name, h.Name)
	}
}

// find returns the index of the column with the given name. The name may be the text in the header
// without the unit, or the identifier. what is the name of the flag, for error messages.
func (t *reader) find(name, what string) (int, error) {
	var names []string
	name = norm.NFC.String(strings.TrimSpace(name))
	bare, _, _ := splitUnit(name)
	for _, n := range []string{name, bare, identifier(bare)} {
		i := slices.IndexFunc(t.columns, func(h heading) bool { return h.Name != "" && (h.written == n || h.Name == n) })
		if i >= 0 {
			return i, nil
		}
	}
	for i, h := range t.columns {
		if h.Name != "" && skeleton(h.Name) == skeleton(name) {
			t.warn("column %s is taken for %s, which looks alike and is written with other letters", h.Name, name)
			return i, nil
		}
		if h.Name != "" {
			names = append(names, h.Name)
		}
	}
	try := "there are " + spelling.List(names)
	if near := spelling.Nearest(name, names); near != "" {
		try = fmt.Sprintf("did you mean %s? %s", near, try)
	}
	return 0, &Error{File: t.file, Problem: fmt.Sprintf("%s %q is no column", what, name), Try: try}
}

// setUnits sets units of columns from a list such as "a=AU, T=d". An empty unit, as in "a=", makes
// the unit unknown.
func (t *reader) setUnits(list string) error {
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		if strings.TrimSpace(item) == "" {
			continue
		}
		name, text, ok := strings.Cut(item, "=")
		if !ok {
			return &Error{File: t.file, Problem: fmt.Sprintf("units: %q has no =", strings.TrimSpace(item)), Try: "write them as a=AU,T=d"}
		}
		i, err := t.find(strings.TrimSpace(name), "units:")
		if err != nil {
			return err
		}
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
		c := &t.columns[i].Column
		if c.Unit, c.HasUnit = (unit.Unit{}), text != ""; !c.HasUnit {
			continue
		}
		if c.Unit, err = unit.Parse(text); err != nil {
			return &Error{File: t.file, Column: place(i, c.Name), Problem: "units: " + err.Error(), Err: err}
		}
		t.warnOfUnit(c.Name, text)
	}
	return nil
}

// times matches the names of times, and degreesOf the names of temperatures.
var (
	times     = regexp.MustCompile(`(?i)^(?:time|zeit|duration|dauer|temps|tiempo)(?:$|_)`)
	degreesOf = regexp.MustCompile(`(?i)^t$|temp`)
)

// warnOfUnit warns of a unit that often means something else.
func (t *reader) warnOfUnit(column, text string) {
	switch {
	case text == "m" && times.MatchString(column):
		t.warn("column %s: [m] is read as metre; for minutes write [min]", column)
	case text == "S" && (column == "t" || times.MatchString(column)):
		t.warn("column %s: [S] is read as siemens; for seconds write [s]", column)
	case text == "°" && degreesOf.MatchString(column):
		t.warn("column %s: [°] is read as the unit of an angle; for temperatures write [°C]", column)
	}
	if symbol, read, write, ok := unit.Element(text); ok {
		t.warn("column %s: the %s in %s is read as %s; for an amount of the element write %s", column, symbol, text, read, write)
	}
	if read, write, ok := unit.Doubtful(text); ok {
		t.warn("column %s: the m in %s is read as milli, per %s; for per metre and kelvin write %s", column, text, read, write)
	}
}
