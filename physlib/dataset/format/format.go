package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// Error says what is wrong with a file and what to try.
type Error struct{ Problem, Try string }

// Error returns the problem and what to try, in one line.
func (e *Error) Error() string { return e.Problem + "; " + e.Try }

// File is a table as text.
type File struct {
	Text io.ReadCloser
	// Whether the cells are separated by tabs. If not, Text is an unchanged text file from an
	// archive.
	Tabs  bool
	Notes []string // warnings, one line each
}

// Is reports whether Open reads files that begin with head.
func Is(head []byte) bool {
	for _, magic := range []string{"PK\x03\x04", "PK\x05\x06", "\x93NUMPY", "PAR1"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// Open reads the table in data. sheet selects one of several sheets, arrays or files by name, or a
// sheet by number; "" means the only one. limit is the largest number of bytes to unpack.
func Open(data []byte, sheet string, limit int64) (*File, error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK")):
		return openZip(data, sheet, limit)
	case sheet != "":
		return nil, &Error{"sheet: this file holds one table only", "leave --sheet out"}
	case bytes.HasPrefix(data, []byte("PAR1")):
		return openParquet(data)
	}
	return openArray(bytes.NewReader(data), int64(len(data)))
}

// openZip distinguishes workbooks from archives.
func openZip(data []byte, sheet string, limit int64) (*File, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &Error{"the archive is broken: " + err.Error(), "check that the file is complete"}
	}
	a := &archive{files: z.File, limit: limit}
	if a.file("xl/workbook.xml") != nil {
		return a.openExcel(sheet)
	}
	if a.file("content.xml") != nil {
		return a.openODS(sheet)
	}
	if a.file("xl/workbook.bin") != nil {
		return nil, &Error{"this is a binary Excel workbook (.xlsb)", "save it as .xlsx or CSV"}
	}
	if a.file("word/document.xml") != nil {
		return nil, &Error{"this is a Word document", "copy its table into a CSV file"}
	}
	var files []*zip.File
	for _, f := range z.File {
		if base := path.Base(f.Name); !strings.HasSuffix(f.Name, "/") && !strings.HasPrefix(base, ".") && !strings.HasPrefix(f.Name, "__MACOSX/") {
			files = append(files, f)
		}
	}
	if len(files) > 0 && strings.HasSuffix(files[0].Name, ".npy") {
		return a.openArrays(files, sheet)
	}
	if tables := slices.DeleteFunc(slices.Clone(files), isNote); sheet == "" && len(tables) == 1 {
		files = tables
	}
	return a.openMember(files, sheet)
}

// isNote reports whether a file of an archive describes the others, as README.txt.
func isNote(f *zip.File) bool {
	name := strings.ToLower(path.Base(f.Name))
	return strings.HasPrefix(name, "readme") || strings.HasPrefix(name, "license") || strings.HasPrefix(name, "licence")
}

// archive is an opened zip file.
type archive struct {
	files []*zip.File
	limit int64
}

func (a *archive) file(name string) *zip.File {
	i := slices.IndexFunc(a.files, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return a.files[i]
}

// open opens a file in the archive for reading. It unpacks at most a.limit bytes.
func (a *archive) open(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, &Error{fmt.Sprintf("%s in the archive cannot be read: %v", f.Name, err), "check that the file is complete"}
	}
	return limited{&limitReader{r, a.limit, f.Name}, r}, nil
}

type limited struct {
	io.Reader
	io.Closer
}

// limitReader passes on a limited number of bytes, and then returns an error.
type limitReader struct {
	r    io.Reader
	left int64
	name string
}

// Read reads from r. It returns an error if the limit is exceeded.
func (l *limitReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, &Error{fmt.Sprintf("unpacked, %s is larger than memory allows", l.name), "save a smaller part of it as CSV"}
	}
	return n, err
}

// openMember returns the only text file in an archive.
func (a *archive) openMember(files []*zip.File, sheet string) (*File, error) {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	k, err := sheetIndex(names, sheet, "file", "the archive")
	if err != nil {
		return nil, err
	}
	r, err := a.open(files[k])
	if err != nil {
		return nil, err
	}
	var head [8]byte
	n, err := io.ReadFull(r, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, &Error{fmt.Sprintf("%s in the archive cannot be read: %v", names[k], err), "check that the file is complete"}
	}
	if Is(head[:n]) {
		return nil, &Error{fmt.Sprintf("%s in the archive is not text", names[k]), "unpack the archive and give that file"}
	}
	return &File{Text: limited{io.MultiReader(bytes.NewReader(head[:n]), r), r}, Notes: []string{fmt.Sprintf("%s of the archive is read", names[k])}}, nil
}

// sheetIndex returns the index of the requested sheet, or of the only one.
func sheetIndex(names []string, sheet, kind, of string) (int, error) {
	if len(names) == 0 {
		return 0, &Error{of + " holds nothing to read", "give a table as CSV"}
	}
	listed := spelling.List(names)
	if sheet == "" {
		if len(names) > 1 {
			return 0, &Error{fmt.Sprintf("%s holds %d %ss: %s", of, len(names), kind, listed), "choose one with --sheet NAME"}
		}
		return 0, nil
	}
	if i := slices.Index(names, sheet); i >= 0 {
		return i, nil
	}
	if n, err := strconv.Atoi(sheet); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	try := "there are " + listed
	if near := spelling.Nearest(sheet, names); near != "" {
		try = "did you mean " + near + "? " + try
	}
	return 0, &Error{fmt.Sprintf("sheet: %s has no %s %q", of, kind, sheet), try}
}

// stream returns a File whose text is produced by write in the background. If write returns an
// error, reading the text returns this error.
func stream(write func(w *rows) error) *File {
	in, out := io.Pipe()
	go func() {
		w := &rows{w: bufio.NewWriterSize(out, 1<<16)}
		err := guarded(w, write)
		if err == nil {
			err = w.end()
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				err = &Error{"the file is broken: " + err.Error(), "check that it is complete, or save the table as CSV"}
			}
		}
		out.CloseWithError(err)
	}()
	return &File{Text: in, Tabs: true}
}

// guarded calls write and returns an error if write panics because of a broken file.
func guarded(w *rows, write func(w *rows) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return write(w)
}

// widthRows is the number of rows from which the width of a table is determined.
const widthRows = 512

// rows writes cells, separated by tabs, and makes all rows as wide as the widest of the first ones.
type rows struct {
	w     *bufio.Writer
	line  int  // index of the row that is being written, from 0
	cells int  // number of separators in that row so far
	some  bool // whether that row has a cell with a value
	num   []byte

	first  bytes.Buffer // the first rows
	counts []int        // number of cells in each of the first rows
	width  int
	known  bool // whether width is known; if so, rows are written immediately

	// Last row of each cell that covers several rows, by its first row and column.
	merged map[[2]int]int
	held   map[int]held // values of merged cells from rows above, by column
	// Number of cells of the row that are already written, including empty ones.
	written int
}

// held is the value of a merged cell and the last row that it covers.
type held struct {
	text string
	last int
}

// out returns the destination of cells: w if the width of the table is known, otherwise the buffer
// of the first rows.
func (r *rows) out() interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
} {
	if r.known {
		return r.w
	}
	return &r.first
}

// goTo begins row n, counted from 0.
func (r *rows) goTo(n int) error {
	for r.line < n {
		r.fillRow()
		if !r.known {
			r.counts = append(r.counts, r.cells)
			r.width = max(r.width, r.cells)
		} else if r.some {
			r.skip(r.width)
		}
		r.line++
		r.cells, r.some, r.written = 0, false, 0
		if err := r.out().WriteByte('\n'); err != nil {
			return err
		}
		if len(r.counts) == widthRows && !r.known {
			if err := r.pad(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pad writes the first rows, all with the same width.
func (r *rows) pad() error {
	r.known = true
	for _, n := range r.counts {
		row, err := r.first.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		row = bytes.TrimSuffix(row, []byte{'\n'})
		r.w.Write(row)
		for len(row) > 0 && n < r.width {
			r.w.WriteByte('\t')
			n++
		}
		if err := r.w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// end writes the rows that are still buffered.
func (r *rows) end() error {
	if err := r.goTo(r.line + 1); err != nil {
		return err
	}
	if !r.known {
		if err := r.pad(); err != nil {
			return err
		}
	}
	return r.w.Flush()
}

// skip moves to cell n of the row, counted from 0.
func (r *rows) skip(n int) {
	r.some = true
	for r.cells < n {
		r.fill()
		r.out().WriteByte('\t')
		r.cells++
	}
}

// text writes s as cell n of the row, counted from 0.
func (r *rows) text(n int, s string) {
	r.skip(n)
	if strings.ContainsAny(s, "\t\n\r\"") || s != "" && strings.ContainsRune("#%/ ", rune(s[0])) || s != strings.TrimSpace(s) {
		s = `"` + strings.NewReplacer("\t", " ", "\n", " ", "\r", " ", `"`, `""`).Replace(strings.TrimSpace(s)) + `"`
	}
	r.out().WriteString(s)
	r.keep(n, s)
}

// name writes the name of column n, counted from 0. A name that reads as a number, such as 300 or
// nan, gets an x in front, so that the names are not taken for a row of numbers.
func (r *rows) name(n int, s string) {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s = "x" + s
	}
	r.text(n, s)
}

// number writes v as cell n of the row, counted from 0.
func (r *rows) number(n int, v float64) {
	r.skip(n)
	r.num = strconv.AppendFloat(r.num[:0], v, 'g', -1, 64)
	r.out().Write(r.num)
	r.keep(n, string(r.num))
}
