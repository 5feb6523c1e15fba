package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/physlib/lab/physlib/spelling"
)

// Options control how a file is read. The zero value reads all columns and rows, makes the last
// column of numbers the target, and detects the format.
type Options struct {
	Target string // name of the column to explain; "": the last one
	// Units that replace those in the header: "a=AU,T=d"; an empty one, as in "a=", means that the
	// unit of the column is unknown.
	Units string
	// Leave out rows with missing, NaN or infinite values, or with a standard error that is used
	// and not above 0, and count them.
	Drop bool
	// Column with the target's standard errors; "": use the errors in the target's cells, if any.
	Sigma string
	// Whether a law is already given. If so, a single row, a constant target and a table without a
	// variable are not errors.
	Given    bool
	Alone    bool     // whether a single column of numbers is enough
	Known    bool     // the target's standard error is known, so errors in its cells are not used
	Columns  []string // keep only these columns and the target; nil: all
	Ignore   []string // leave these columns out
	Errors   []string // columns of standard errors that the caller uses, so they are kept
	Uses     []string // columns that the caller names; dates in them stay apart from times of day
	Comma    rune     // separator of cells, ' ' for any number of blanks; 0: detected
	Decimal  rune     // the decimal sign, '.' or ','; 0: detected
	Encoding string   // encoding of the text, such as shift_jis; "": UTF-8 or UTF-16, else detected
	// Number of the table in a file with several tables, from 1; 0: the file has only one.
	Table int
	// Name of the sheet in a workbook or the file in an archive; "": there is only one.
	Sheet  string
	Memory int64 // largest number of bytes for the table; 0: a quarter of the available memory
}

// ReadFile reads the table in a file, or on standard input if path is "-". It also returns
// warnings, one line each. Errors are of type *Error, see [Read].
func ReadFile(path string, o Options) (*Table, []string, error) {
	if path == "-" {
		return Read(os.Stdin, "stdin", o)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &Error{File: path, Problem: "no such file", Try: similar(path), Err: err}
	} else if errors.Is(err, syscall.ELOOP) {
		return nil, nil, &Error{File: path, Problem: "this symbolic link leads back to itself", Try: "name the file itself", Err: err}
	} else if err != nil {
		return nil, nil, &Error{File: path, Problem: "cannot be opened: " + errors.Unwrap(err).Error(), Try: "check its permissions", Err: err}
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, nil, &Error{File: path, Problem: "this is a directory", Try: "name one of the files in it"}
	}
	return Read(f, path, o)
}

// similar returns a hint that names a file with a similar name, if there is one.
func similar(path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	var names []string
	for _, e := range entries {
		if !e.IsDir() && e.Name() != filepath.Base(path) { // a broken link may have this very name
			names = append(names, e.Name())
		}
	}
	if near := spelling.Nearest(filepath.Base(path), names); near != "" {
		return fmt.Sprintf("did you mean %s?", filepath.Join(filepath.Dir(path), near))
	}
	return "check the path"
}

// Read reads the table in r. name is its name in messages. Read also returns warnings, one line
// each, about guesses, changed names, and columns that are constant, equal or left out. Errors are
// of type *Error, and name the row, the column and what to try. If there is an error, no table is
// returned.
func Read(r io.Reader, name string, o Options) (*Table, []string, error) {
	switch {
	case o.Comma < 0 || o.Comma >= 0x80:
		return nil, nil, &Error{File: name, Problem: fmt.Sprintf("cells cannot be separated by %q", o.Comma), Try: "use a comma, semicolon, tab, bar or space"}
	case o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',':
		return nil, nil, &Error{File: name, Problem: fmt.Sprintf("%q is not a decimal sign", o.Decimal), Try: "use a point or a comma"}
	case o.Decimal != 0 && o.Decimal == o.Comma:
		return nil, nil, &Error{File: name, Problem: "commas cannot both separate cells and be decimal signs", Try: "choose another separator"}
	case o.Table < 0:
		return nil, nil, &Error{File: name, Problem: fmt.Sprintf("there is no table %d", o.Table), Try: "tables are counted from 1"}
	}
	t := &reader{file: name, options: o, limit: memoryLimit(o.Memory)}
	err := t.read(r)
	if err != nil {
		return nil, t.warnings, err
	}
	table, err := t.table()
	t.more()
	if err != nil {
		return nil, t.warnings, err
	}
	return table, t.warnings, nil
}

// reader reads one table and holds its columns and settings.
type reader struct {
	file      string
	options   Options
	limit     int64 // largest number of bytes read
	warnings  []string
	kinds     map[string]int // number of warnings of each kind
	rest      map[string]int // number of warnings of each kind that were not written out
	feed      *feed
	headerRow int
	header    [][]byte // cells of the header
	unitCells [][]byte // cells of the row of units
	columns   []columnReader
	active    []int // indices of the columns that are read
	named     []bool
	target    int // index of the target's column; -1: the last one
	sigma     int // index of the column with the target's standard errors; -1: none
	layout    layout
	dropped   int
	undefined int   // number of cells that are NaN or infinite
	rows      []int // number in the file of each row of the table
	cells     [][]byte
	values    []value
	codes     []int
	nameless  []int // indices of columns without a name, which are left out
	// Names of summaries, such as "mean", that stand in a column without a name, by row of the
	// table.
	labels  map[int]string
	tail    []oddRow // rows that are footers unless rows of data follow them
	repeats []int    // rows of the file that repeat the header
	ended   bool     // whether another table begins
	twice   bool     // whether a name occurs twice in the header

	names      string          // columns whose names stood in every row of the file; "": none
	headErrors map[int]float64 // standard error in the heading of a column, as in y ± 0.1
	share      float64         // relative standard error of the target, if it is the same in all rows
	headShares []int           // columns whose headErrors are in per cent of the value, as in y ± 5 %
	// For each column of standard errors, the column to which the errors belong.
	errorsOf    map[int]int
	unitsBehind int // number of headings with a unit after a comma or slash, such as "E, V"
	unitsRead   []readUnit
	renamed     [][2]string // headings that are not names, and the names for laws
	blocks      []int       // rows of the file that follow two or more empty lines
	parted      []int       // rows of the table, from 0, that follow an empty line
	aboveRows   record      // the line of text above the first row; row 0: none
	runLines    []record    // lines of text that part the rows into runs
	apart       bool        // whether empty lines part tables without a header
	// Positions of the columns in each line, if blanks separate cells and mark missing ones.
	positions []span
	spreadRow int // the first row read by positions; 0: none
}

// fewWarnings is the number of warnings of each kind that are written out. Further ones are only
// counted.
const fewWarnings = 12

// warn adds a warning. If there are many with the same format, it only counts them.
func (t *reader) warn(format string, args ...any) {
	if t.kinds == nil {
		t.kinds, t.rest = map[string]int{}, map[string]int{}
	}
	if t.kinds[format]++; t.kinds[format] > fewWarnings {
		t.rest[format]++
		return
	}
	t.warnings = append(t.warnings, t.file+": "+fmt.Sprintf(format, args...))
}

// more adds one warning for each kind of warning, with the number of warnings of this kind that
// were omitted.
func (t *reader) more() {
	n := 0
	for _, k := range t.rest {
		n += k
	}
	if n > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %s of these kinds", t.file, spelling.Count(n, "more warning")))
	}
}

func (t *reader) fail(row int, column, problem, try string) error {
	return &Error{File: t.file, Row: row, Column: column, Problem: problem, Try: try}
}

func (t *reader) read(r io.Reader) error {
	text, sep, err := t.open(r)
	if err != nil {
		return err
	}
	defer text.Close()
	if sep != 0 {
		t.options.Comma = rune(sep)
	}
	l := &lines{r: text.text, file: t.file, comment: record{text: []byte(t.names)}}
	t.feed = &feed{lines: l}
	if err := t.chooseSide(); err != nil {
		return err
	}
	t.turn()
	which := max(1, t.options.Table)
	t.apart = t.options.Table > 0
	for k := 1; ; k++ {
		if err := t.begin(l); err != nil {
			return t.noTable(k, err)
		}
		if k < which {
			if !t.skip() {
				return t.noTable(k+1, nil)
			}
			t.restart()
			continue
		}
		if err := t.roles(); err != nil {
			return err
		}
		if err := t.data(); err != nil {
			return err
		}
		if t.ended && t.options.Table == 0 {
			return t.several()
		}
		return nil
	}
}

// restart discards the state of a table that was skipped.
func (t *reader) restart() {
	t.warnings, t.kinds, t.columns, t.header, t.unitCells, t.ended, t.headErrors, t.headShares = nil, nil, nil, nil, nil, false, nil, nil
	t.aboveRows, t.runLines = record{}, nil
}

// noTable returns the error for a requested table that does not exist.
func (t *reader) noTable(k int, err error) error {
	if err != nil && t.options.Table < 2 {
		return err
	}
	if err != nil && k <= 1 {
		return err
	}
	return t.fail(0, "", fmt.Sprintf("table %d is requested, but the number of tables in the file is %d", t.options.Table, k-1), "choose another --table")
}

// data reads the rows up to the end, or to the next table.
func (t *reader) data() error {
	for !t.ended {
		rec, err := t.feed.next()
		if err == io.EOF {
			if parts := t.restarts(); parts != nil {
				return t.severalBlocks(parts)
			}
			t.warnOfBlocks()
			if lone := t.feed.lines.lone; lone > 0 {
				t.warn("row %d ends in a carriage return alone, unlike others: it is read as the end of a line", lone)
			}
			if l := t.feed.lines; l.between > 0 {
				t.warn("%s with settings, first row %d, %s, left out; if rows below differ in it, write it into a column", spelling.Count(l.between, "comment"), l.setting.row, quote(l.setting.text))
			}
			return t.footers()
		}
		if err == nil && len(t.rows) > 0 && t.isBlock(rec) {
			t.feed.unread([]record{rec.clone()})
			t.ended = true
			break
		}
		if err == nil {
			err = t.row(rec)
		}
		if err != nil {
			return err
		}
	}
	t.tail = nil // these rows are titles of the next table
	return nil
}

// row reads a row of data and adds its values to the columns. It counts or keeps other rows, such
// as footers, for later warnings.
func (t *reader) row(rec record) error {
	t.split(rec)
	if len(t.cells) != len(t.columns) {
		if filled(t.cells) == 0 {
			return nil
		}
		return t.misfit(rec, t.ragged(rec))
	}
	for _, i := range t.active {
		c := &t.columns[i]
		if c.plain {
			v, point, ok := parseNumber(t.cells[i], c.decimal)
			if ok && (!point || c.settled) && v-v == 0 {
				t.values[i].v = v
				continue
			}
		}
		if err := t.cell(rec.row, i); err != nil {
			if filled(t.cells) == 0 {
				return nil
			}
			return t.misfit(rec, err)
		}
	}
	if filled(t.cells) == 0 { // spreadsheets write empty rows below a table
		return nil
	}
	t.warnVanished(rec.row)
	if len(t.tail) > 0 {
		if err := t.between(); err != nil {
			return err
		}
	}
	if rec.gap > 1 && len(t.rows) > 0 {
		t.blocks = append(t.blocks, rec.row)
	}
	if rec.gap > 0 && len(t.rows) > 0 {
		t.parted = append(t.parted, len(t.rows))
	}
	t.keep(rec.row)
	if len(t.rows)%4096 == 0 || len(t.columns) > 1000 {
		return t.memory(rec.row)
	}
	return nil
}

// warnVanished warns of cells in a row whose numbers are too small for a float64 and become 0.
func (t *reader) warnVanished(row int) {
	for _, i := range t.active {
		if c := &t.columns[i]; t.values[i].v == 0 && c.kind != textKind && vanished(t.cells[i], c.decimal) {
			t.warn("row %d, column %s: %s is too small a number and read as 0; change the unit of the column if it matters", row, place(i, c.Name), quote(t.cells[i]))
		}
	}
}

// split sets t.cells to the cells of a row. It drops superfluous cells at the end if they are
// empty. It adds a missing last cell if rows of the table may end before the last column, and
// missing cells where a table with fixed positions of the columns has blanks.
func (t *reader) split(rec record) {
	t.cells = splitRow(t.cells[:0], rec.text, t.layout.sep)
	// Drop the empty cells that separators at the end of a line make.
	if n := len(t.columns); len(t.cells) > n && filled(t.cells[n:]) == 0 {
		t.cells = t.cells[:n]
	} else if t.layout.short && len(t.cells) == n-1 {
		t.cells = append(t.cells, nil)
	} else if t.positions != nil && len(t.cells) > 0 && len(t.cells) < n {
		t.cells = t.byPosition(rec, t.cells)
	}
}

// keep adds the values of a row to their columns.
func (t *reader) keep(row int) {
	for _, i := range t.active {
		c := &t.columns[i]
		switch {
		case c.kind == textKind:
			c.texts.codes = append(c.texts.codes, t.codes[i])
			continue
		case c.unsure:
			c.errors = append(c.errors, t.values[i].sigma)
		}
		c.Values = append(c.Values, t.values[i].v)
	}
	for _, i := range t.nameless {
		if c := t.cells[i]; summaryOf(c) != noSummary {
			if t.labels == nil {
				t.labels = map[int]string{}
			}
			t.labels[len(t.rows)] = string(c)
		}
	}
	t.rows = append(t.rows, row)
}

func (t *reader) ragged(rec record) error {
	cells, columns := len(t.cells), len(t.columns)
	what := "the header has"
	if t.header == nil {
		what = "the first row has"
	}
	try := "add the missing cells or remove the row"
	for _, s := range separators {
		if s != t.layout.sep && cells < columns && len(splitRow(nil, rec.text, s)) == columns && columns > 1 {
			try = fmt.Sprintf("its cells are separated by %s, and those of other rows by %s: use the same in all", separatorNames[s], separatorNames[t.layout.sep])
			return t.fail(rec.row, place(min(cells, columns), ""), fmt.Sprintf("%s, %s %d", spelling.Count(cells, "cell"), what, columns), try)
		}
	}
	if cells > columns {
		name := ""
		if cells == columns+1 && t.header != nil && len(t.rows) == 0 {
			name = ", or name the first column if only its name is missing"
		}
		if t.columns[columns-1].kind == textKind {
			name = ", or write texts that hold the separator in quotes"
		}
		try = "remove the extra cells" + name + "; numbers must not hold the separator (decimal commas need semicolons between cells)"
	}
	return t.fail(rec.row, place(min(cells, columns), ""), fmt.Sprintf("%s, %s %d", spelling.Count(cells, "cell"), what, columns), try)
}

// quotedLine returns a line for a message, without separators at its end.
func (t *reader) quotedLine(line []byte) string {
	return quote(bytes.TrimRight(line, string(t.layout.sep)))
}
