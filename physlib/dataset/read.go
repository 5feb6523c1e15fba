package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/physlib/lab/physlib/unit/spelling"
)

// Options say how a file is to be read. The zero value reads all rows, takes the last column for the target, and finds
// out the separator.
type Options struct {
	Target string // name of the column to explain; "": the last one
	Units  string // units in place of those in the header: "a=AU,T=d"; an empty one ("a=") makes the unit unknown
	Drop   bool   // leave out rows with missing, NaN or infinite values and count them; otherwise they are errors
	Sigma  string // name of the column with the target's standard errors, which is then no variable; "": none
	Comma  rune   // what separates cells, ' ' for any number of blanks; 0: found out
}

// ReadFile reads the table in a file, or on standard input when path is "-". The second result are warnings, one line
// each; an error is an *Error, see [Read].
func ReadFile(path string, o Options) (*Table, []string, error) {
	if path == "-" {
		return Read(os.Stdin, "stdin", o)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &Error{File: path, Problem: "no such file", Try: similar(path), Err: err}
	} else if err != nil {
		return nil, nil, &Error{File: path, Problem: "cannot be opened: " + err.Error(), Try: "check its permissions", Err: err}
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, nil, &Error{File: path, Problem: "this is a directory", Try: "name one of the files in it"}
	}
	return Read(f, path, o)
}

// similar suggests a file of a name like path's.
func similar(path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if near := spelling.Nearest(filepath.Base(path), names); near != "" {
		return fmt.Sprintf("did you mean %s?", filepath.Join(filepath.Dir(path), near))
	}
	return "check the path"
}

// Read reads the table that r holds; name stands for it in messages. The second result are warnings, one line each:
// names that were changed, columns that are constant, equal or left out. An error is an *Error that names row, column and
// what to try; no table is returned then.
func Read(r io.Reader, name string, o Options) (*Table, []string, error) {
	if o.Comma < 0 || o.Comma >= 0x80 {
		return nil, nil, &Error{File: name, Problem: fmt.Sprintf("cells cannot be separated by %q", o.Comma), Try: "use a comma, semicolon, tab, bar or space"}
	}
	t := &reader{file: name, options: o}
	err := t.read(r)
	if err != nil {
		return nil, t.warnings, err
	}
	table, err := t.table()
	if err != nil {
		return nil, t.warnings, err
	}
	return table, t.warnings, nil
}

// reader is a table while it is read.
type reader struct {
	file      string
	options   Options
	warnings  []string
	headerRow int
	columns   []heading
	wanted    []int // columns that are kept, by index
	target    int
	sigma     int // -1: none
	layout    layout
	thousands int // row of a decimal comma before three digits, which may have been meant for thousands; -1: refuted
	dropped   int
	rows      []int // of the file, that hold the numbers
	cells     [][]byte
	values    []float64
}

func (t *reader) warn(format string, args ...any) {
	t.warnings = append(t.warnings, t.file+": "+fmt.Sprintf(format, args...))
}

func (t *reader) fail(row int, column, problem, try string) error {
	return &Error{File: t.file, Row: row, Column: column, Problem: problem, Try: try}
}

func (t *reader) read(r io.Reader) error {
	text, err := decode(r, t.file)
	if err != nil {
		return err
	}
	l := &lines{r: text, file: t.file}
	rows, err := sample(l)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return t.fail(0, "", "the file holds no table, only empty lines or comments", "give a header and at least two rows")
	}
	rows = t.untitled(rows)
	t.layout, rows = sniff(rows, l.comment, byte(t.options.Comma))
	width := 0
	if len(rows) > 0 {
		width = len(splitRow(nil, rows[0].text, t.layout.sep))
	}
	if err := t.headings(t.layout, width); err != nil {
		return err
	}
	if len(rows) > 0 && t.unitRow(rows[0]) {
		rows = rows[1:]
	}
	if err := t.roles(); err != nil {
		return err
	}
	for _, rec := range rows {
		if err := t.row(rec); err != nil {
			return err
		}
	}
	for {
		rec, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = t.row(rec)
		}
		if err != nil {
			return err
		}
	}
}

// roles decides which columns are kept and what for.
func (t *reader) roles() (err error) {
	for i, h := range t.columns {
		if h.Name != "" {
			t.wanted = append(t.wanted, i)
		} else if i < len(t.columns)-1 || len(t.columns) < 3 {
			t.warn("column %d has no name and is left out", i+1)
		} else {
			t.warn("column %d has no name and is left out (the header ends in a separator)", i+1)
		}
	}
	if err := t.setUnits(t.options.Units); err != nil {
		return err
	}
	t.sigma = -1
	if t.options.Sigma != "" {
		if t.sigma, err = t.find(t.options.Sigma, "sigma column"); err != nil {
			return err
		}
	}
	if t.options.Target != "" {
		if t.target, err = t.find(t.options.Target, "target"); err != nil {
			return err
		}
	} else {
		t.target = -1
		for _, i := range t.wanted {
			if i != t.sigma {
				t.target = i
			}
		}
	}
	if t.target == t.sigma && t.target >= 0 {
		return t.fail(0, place(t.target, t.columns[t.target].Name), "it cannot be both target and sigma", "name another column")
	}
	if need := 2 + min(t.sigma+1, 1); len(t.wanted) < need {
		return t.narrow()
	}
	t.values = make([]float64, len(t.columns))
	return nil
}

// narrow is the error of a table without a variable.
func (t *reader) narrow() error {
	problem := fmt.Sprintf("a table separated by %s with one column only", separatorNames[t.layout.sep])
	switch {
	case t.sigma >= 0:
		problem = "no column is left besides target and sigma"
	case separatorNames[t.layout.sep] == "" || len(t.columns) > 1:
		problem = "only one column with a name"
	}
	return t.fail(t.headerRow, "", problem, "give at least one variable and the target, separated by commas, semicolons, tabs or spaces")
}

// row reads one row of numbers.
func (t *reader) row(rec record) error {
	t.cells = splitRow(t.cells[:0], rec.text, t.layout.sep)
	if n := len(t.columns); len(t.cells) > n && filled(t.cells[n:]) == 0 { // separators at the end of the line
		t.cells = t.cells[:n]
	}
	if len(t.cells) != len(t.columns) {
		return t.ragged(rec)
	}
	drop := false
	for _, i := range t.wanted {
		v, point, ok := parseNumber(t.cells[i], t.layout.decimal)
		if point && !t.layout.settled || !ok || point && t.layout.decimal == ',' {
			var err error
			if v, err = t.cell(rec.row, i); err != nil {
				return err
			}
		}
		if v-v != 0 { // NaN or infinite
			if filled(t.cells) == 0 { // spreadsheets write such rows below a table
				return nil
			}
			if !t.options.Drop {
				return t.absent(rec.row, i)
			}
			drop = true
		}
		t.values[i] = v
	}
	if drop {
		t.dropped++
		return nil
	}
	for _, i := range t.wanted {
		t.columns[i].Values = append(t.columns[i].Values, t.values[i])
	}
	t.rows = append(t.rows, rec.row)
	if t.sigma >= 0 && t.values[t.sigma] <= 0 {
		return t.fail(rec.row, place(t.sigma, t.columns[t.sigma].Name), fmt.Sprintf("the standard error %g is not positive", t.values[t.sigma]), "give positive ones, or choose another sigma column")
	}
	return nil
}

func (t *reader) ragged(rec record) error {
	cells, columns := len(t.cells), len(t.columns)
	what := "the header has"
	if t.layout.header == nil {
		what = "the first row has"
	}
	try := "add the missing cells or remove the row"
	if cells > columns {
		try = "remove the extra cells; numbers must not hold the separator (decimal commas need semicolons between cells)"
	}
	return t.fail(rec.row, place(min(cells, columns), ""), fmt.Sprintf("%s, %s %d", count(cells, "cell"), what, columns), try)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// cell reads a cell that the short way could not: other signs, missing values, or a decimal sign not yet settled.
func (t *reader) cell(row, i int) (float64, error) {
	cell := minus(t.cells[i])
	comma := bytes.IndexByte(cell, ',') >= 0
	if comma && !t.layout.settled && t.layout.sep != ',' && isNumber(cell, ',') {
		t.layout.decimal = ','
	}
	v, point, ok := parseNumber(cell, t.layout.decimal)
	if ok {
		if point && !t.layout.settled {
			t.layout.settled = true
		}
		if point && t.layout.decimal == ',' && t.thousands >= 0 {
			if likeThousands(cell) {
				t.thousands = row
			} else {
				t.thousands = -1
			}
		}
		return v, nil
	}
	gone, infinite := missing(cell)
	switch {
	case gone:
		return math.NaN(), nil
	case infinite:
		return math.Inf(1), nil
	}
	return 0, t.fail(row, place(i, t.columns[i].Name), quote(t.cells[i])+" is not a number", t.hint(cell))
}

// likeThousands tells whether a number such as 12,345 may hold a thousands separator.
func likeThousands(cell []byte) bool {
	whole, rest, _ := bytes.Cut(cell, []byte{','})
	return len(rest) == 3 && len(whole) > 0 && len(whole) < 5 && whole[0] != '0'
}

// absent is the error of a cell whose value is missing, NaN or infinite.
func (t *reader) absent(row, i int) error {
	problem := quote(t.cells[i]) + " is no finite number"
	if len(t.cells[i]) == 0 {
		problem = "the cell is empty"
	}
	return t.fail(row, place(i, t.columns[i].Name), problem, "correct it, or leave out such rows with --drop")
}
