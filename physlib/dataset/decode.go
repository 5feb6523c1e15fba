package dataset

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"

	"github.com/physlib/lab/physlib/dataset/format"
)

const blockSize = 1 << 18 // bytes per read; the format is detected from the first block

// conversions lists file formats that are recognized by their first bytes (magic) but cannot be
// read. try says what the user can do instead.
var conversions = []struct{ magic, name, try string }{
	{"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", "save it as .xlsx or CSV"},
	{"%PDF", "a PDF", "copy its table into a CSV file"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "decompress it first: zstd -d"},
	{"\xfd7zXZ", "compressed by xz", "decompress it first: xz -d"},
	{"7z\xbc\xaf", "a 7-Zip archive", "unpack it first"},
	{"\x89HDF", "an HDF5 file", "read its data sets by Python's h5py.File(FILE), or h5dump -d /NAME -y -w 0, and save them as CSV"},
	{"CDF\x01", "a NetCDF file", "convert it, as by Python's xarray.open_dataset(FILE).to_dataframe().to_csv('table.csv')"},
	{"CDF\x02", "a NetCDF file", "convert it, as by Python's xarray.open_dataset(FILE).to_dataframe().to_csv('table.csv')"},
	{"CDF\x05", "a NetCDF file", "convert it, as by Python's xarray.open_dataset(FILE).to_dataframe().to_csv('table.csv')"},
	{"$FL2", "an SPSS file", "save it as CSV in SPSS, or convert it, as by Python's pandas.read_spss(FILE).to_csv('table.csv')"},
	{"$FL3", "an SPSS file", "save it as CSV in SPSS, or convert it, as by Python's pandas.read_spss(FILE).to_csv('table.csv')"},
	{"\x71\x02\x01\x00", "a Stata file", stataTry},
	{"\x72\x02\x01\x00", "a Stata file", stataTry},
	{"\x73\x02\x01\x00", "a Stata file", stataTry},
	{"<stata_dta>", "a Stata file", stataTry},
	{sasMagic, "a SAS file", "convert it, as by Python's pandas.read_sas(FILE).to_csv('table.csv')"},
	{"HEADER RECORD*******", "a SAS file", "convert it, as by Python's pandas.read_sas(FILE).to_csv('table.csv')"},
	{"FEA1", "a Feather file", "convert it, as by Python's pandas.read_feather(FILE).to_csv('table.csv')"},
	{"X\n\x00\x00\x00", "an R file", "write its table by write.csv(readRDS(FILE), 'table.csv') in R"},
	{"# vtk DataFile", "a VTK file", "save its data as CSV in ParaView"},
	{"SIMPLE  =", "a FITS file", "convert its table, as by Python's astropy.table.Table.read(FILE).write('table.csv'); astropy.io.fits.getdata(FILE) reads an image"},
	{"MATLAB 5.0", "a MATLAB file", "write its table by writetable in MATLAB, or read it by Python's scipy.io.loadmat(FILE)"},
	{"MATLAB 7.3", "a MATLAB file", "write its table by writetable in MATLAB, or read it by Python's h5py.File(FILE)"},
	{"##TITLE", "a JCAMP-DX file", "export it as CSV, or convert it by Python's package jcamp"},
	{"{|", "a table of a wiki", "copy it from the page shown into a spreadsheet, and save it as CSV"},
	{"ITEM: TIMESTEP", "a dump of LAMMPS, with each atom at each step", "write one value a step, as by thermo_style or fix ave/time, or convert it, as by Python's package MDAnalysis"},
	{"RDX2", "an R file", "write its table by write.csv in R"},
	{"RDX3", "an R file", "write its table by write.csv in R"},
	{"ARROW1", "an Arrow file", "convert it, as by Python's pandas.read_feather(FILE).to_csv('table.csv')"},
	{"SQLite format 3", "an SQLite database", "export the table as CSV: sqlite3 -csv -header FILE 'select * from NAME'"},
	{"\x89PNG", "a picture", "read the numbers off it by a digitizer"},
	{"\xff\xd8\xff", "a picture", "read the numbers off it by a digitizer"},
	{"version https://git-lfs", "a pointer of Git LFS to a file", "fetch the file itself: git lfs pull"},
	{"<VOTABLE", "XML", "convert it to CSV"},
	{"<?xml", "XML", "convert it to CSV"},
	{"$SPEC_ID:", "a spectrum in ORTEC's form (.spe)", "write channel and counts of $DATA in two columns"},
	{"\x80\x03", "a pickle of Python", pickleTry},
	{"\x80\x04\x95", "a pickle of Python", pickleTry},
	{"\x80\x05\x95", "a pickle of Python", pickleTry},
	{"{\\rtf", "an RTF document", "copy its table into a CSV file"},
}

// Endings are the usual endings of files of tables, in lower case. Web pages, Markdown and LaTeX
// are read too, but such files in a folder of tables are mostly notes and reports. Read does not
// depend on the ending of a file.
var Endings = []string{
	".csv", ".tsv", ".tab", ".txt", ".dat", ".asc", ".prn", ".lvm", ".json", ".jsonl",
	".xlsx", ".xlsm", ".ods", ".npy", ".npz", ".parquet", ".gz", ".bz2", ".zip",
}

// source is a text to be read, together with what must be closed afterwards.
type source struct {
	text  *bufio.Reader
	close func() error
}

// pickleTry says how to convert a pickle of Python.
const pickleTry = "convert it by pandas.read_pickle(FILE).to_csv('table.csv'), if you trust where it is from"

// stataTry says how to convert a Stata file.
const stataTry = "write it by export delimited in Stata, or convert it, as by Python's pandas.read_stata(FILE).to_csv('table.csv')"

// oldMatlab matches the beginning of a file of MATLAB 4: the type of a matrix of real numbers, its
// size, and that it has no imaginary part.
var oldMatlab = regexp.MustCompile(`(?s)^[\x00\x0a\x14\x1e\x28\x32]\x00{3}..\x00\x00..\x00{6}.\x00{3}\pL`)

// sasMagic begins a SAS data file (sas7bdat).
const sasMagic = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60"

// Close closes the files from which the text is read.
func (s source) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// open returns the text of r in UTF-8 with line feeds, decompressed and decoded. A workbook, an
// array or an archive becomes text whose cells are separated by sep. For other files sep is 0.
func (t *reader) open(r io.Reader) (s source, sep byte, err error) {
	b := bufio.NewReaderSize(r, blockSize)
	for range 3 { // a file may be compressed several times
		head, err := b.Peek(6)
		if err != nil && err != io.EOF {
			return s, 0, unreadable(t.file, err)
		}
		in := &counter{r: b}
		switch {
		case bytes.HasPrefix(head, []byte("\x1f\x8b")):
			z, err := gzip.NewReader(in)
			if err != nil {
				return s, 0, unreadable(t.file, err)
			}
			b = bufio.NewReaderSize(&bomb{r: z, file: t.file, in: in, size: min(bombSize, t.limit)}, blockSize)
		case bytes.HasPrefix(head, []byte("BZh")):
			b = bufio.NewReaderSize(&bomb{r: bzip2.NewReader(in), file: t.file, in: in, size: min(bombSize, t.limit)}, blockSize)
		}
	}
	head, err := b.Peek(blockSize)
	if err != nil && err != io.EOF {
		return s, 0, unreadable(t.file, err)
	}
	if format.Is(head) {
		return t.foreign(b)
	}
	text, err := t.text(b)
	if err != nil {
		return s, 0, err
	}
	switch head, _ := text.Peek(1 << 14); {
	case isJSON(head):
		f, err := format.OpenJSON(text, t.limit)
		return t.opened(f, err)
	case format.IsMarkup(head):
		f, err := format.OpenMarkup(text, t.options.Table, t.limit)
		t.options.Table = 0
		return t.opened(f, err)
	}
	return source{text: text}, 0, nil
}

// foreign returns the table in b, a file in a format other than text, as text with tabs between
// cells.
func (t *reader) foreign(b *bufio.Reader) (source, byte, error) {
	data, err := io.ReadAll(io.LimitReader(b, t.limit+1))
	if err != nil {
		return source{}, 0, unreadable(t.file, err)
	}
	if int64(len(data)) > t.limit {
		return source{}, 0, &Error{File: t.file, Problem: "the file is larger than " + bytesText(t.limit) + ", which is what is left of memory for it", Try: "save the table as CSV"}
	}
	f, err := format.Open(data, t.options.Sheet, t.limit)
	return t.opened(f, err)
}

// opened returns the text of f, a file in another format. err is the error from opening f; opened
// returns it with the name of the file.
func (t *reader) opened(f *format.File, err error) (source, byte, error) {
	var e *format.Error
	switch {
	case errors.As(err, &e):
		return source{}, 0, &Error{File: t.file, Problem: e.Problem, Try: e.Try, Err: err}
	case err != nil:
		return source{}, 0, unreadable(t.file, err)
	}
	for _, n := range f.Notes {
		t.warn("%s", n)
	}
	text := bufio.NewReaderSize(f.Text, blockSize)
	t.options.Sheet = ""
	if !f.Tabs { // a text file in an archive
		if text, err = t.text(text); err != nil {
			f.Text.Close()
			return source{}, 0, err
		}
		return source{text, f.Text.Close}, 0, nil
	}
	return source{text, f.Text.Close}, '\t', nil
}

// text returns the text of b, decoded.
func (t *reader) text(b *bufio.Reader) (*bufio.Reader, error) {
	file := t.file
	b, err := t.decoded(b)
	if err != nil {
		return nil, err
	}
	head, err := b.Peek(blockSize)
	if err != nil && err != io.EOF {
		return nil, unreadable(file, err)
	}
	if len(head) == 0 {
		return nil, &Error{File: file, Problem: "the file is empty", Try: "give a header and at least two rows"}
	}
	if bytes.HasPrefix(head, []byte("T\x00i\x00t\x00l\x00e\x00:\x00")) && spiceOther.Match(bytes.ReplaceAll(head, []byte{0}, nil)) {
		return nil, t.spiceError() // LTspice writes the text above binary values in UTF-16
	}
	marked := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		b.Discard(3)
		head = head[3:]
	case marked, halves(head, 1), halves(head, 0):
		big := head[0] == 0xfe
		if marked {
			b.Discard(2)
		} else {
			t.warn("the file is read as UTF-16, which it does not say")
			big = halves(head, 0)
		}
		b = bufio.NewReaderSize(&utf16Reader{r: b, big: big}, blockSize)
		if head, err = b.Peek(blockSize); err != nil && err != io.EOF {
			return nil, unreadable(file, err)
		}
	}
	if err := t.foreignText(head); err != nil {
		return nil, err
	}
	if escapes.Match(head) {
		b = bufio.NewReaderSize(&mapped{r: b, rewrite: func(line []byte) []byte { return escapes.ReplaceAll(line, nil) }}, blockSize)
		if head, err = b.Peek(blockSize); err != nil && err != io.EOF {
			return nil, unreadable(file, err)
		}
	}
	if n := bytes.IndexByte(head, 0); n >= 0 && isBinary(head) && !isBinary(bytes.ReplaceAll(head, []byte{0}, nil)) && 2*bytes.Count(head, []byte{0}) < len(head) {
		return nil, &Error{File: file, Row: 1 + bytes.Count(head[:n], []byte{'\n'}), Problem: "it holds bytes of value 0, as where a logger lost power", Try: "remove them, as by tr -d '\\000'"}
	}
	if isBinary(head) {
		return nil, &Error{File: file, Problem: "this is binary, not a text table", Try: "save it as CSV in UTF-8"}
	}
	if t.options.Sheet != "" {
		return nil, &Error{File: file, Problem: "sheet: a text table has no sheets", Try: "leave --sheet out; --table chooses one of several tables"}
	}
	if !bytes.ContainsAny(head, "\r\n") && lineSeparator.Match(head) {
		b = bufio.NewReaderSize(&mapped{r: b, rewrite: func(line []byte) []byte { return lineSeparator.ReplaceAll(line, []byte{'\n'}) }}, blockSize)
	}
	if loneReturns(head) {
		b = bufio.NewReaderSize(&returns{r: b}, blockSize)
	}
	if !validText(head) {
		b = t.unsaid(b, head)
	}
	if isLaTeX(head) {
		return t.latex(b)
	}
	if head, err = b.Peek(blockSize); err != nil && err != io.EOF {
		return nil, unreadable(file, err)
	}
	return t.instrument(b, head), nil
}

// lineSeparator matches the separators of lines and paragraphs of Unicode, with which some programs
// end lines.
var lineSeparator = regexp.MustCompile("[\u2028\u2029]")

// escapes matches the codes of terminals for colours and bold text, as in logs.
var escapes = regexp.MustCompile(`\x1b\[[\d;]*m`)

// jsonBegin matches the beginning of a table in JSON or JSON5, after comments.
var jsonBegin = regexp.MustCompile(`^(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*(?:\{(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*(?:["']|[A-Za-z_$][\w$]*\s*:\s)|\[(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*[{\[\]])`)

// isJSON reports whether text begins as a table in JSON does.
func isJSON(head []byte) bool { return jsonBegin.Match(head) }

// foreignText returns an error if a text is not a table but, for example, JSON or a web page.
func (t *reader) foreignText(head []byte) error {
	if format.IsMarkup(head) {
		return nil
	}
	c := bytes.TrimLeft(head, " \t\r\n")
	for _, f := range conversions {
		if bytes.HasPrefix(c, []byte(f.magic)) {
			return &Error{File: t.file, Problem: "this is " + f.name + ", not a text table", Try: f.try}
		}
	}
	if n := bytes.Count(head, []byte(endOfHeader)); n > 2 && bytes.HasPrefix(c, []byte("LabVIEW Measurement")) {
		return &Error{File: t.file, Problem: fmt.Sprintf("this LabVIEW file holds %d segments or more", n-1), Try: "write each segment with its header into a file of its own, or the measurements of all into a CSV file"}
	}
	if oldMatlab.Match(head) {
		return &Error{File: t.file, Problem: "this is a MATLAB file, not a text table", Try: "write its table by writetable in MATLAB, or read it by Python's scipy.io.loadmat(FILE)"}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return &Error{File: t.file, Problem: "this is a tar archive, not a text table", Try: "unpack it first: tar xf FILE"}
	}
	if bytes.Contains(head, []byte("Byte-by-byte Description of")) {
		return &Error{File: t.file, Problem: "this is a machine-readable table of AAS or CDS, whose columns stand at fixed places", Try: "convert it, as by Python's astropy.io.ascii.read(FILE).write('table.csv')"}
	}
	if n := bytes.Index(head, []byte("\n<<<<<<< ")); n >= 0 && bytes.Contains(head[n:], []byte("\n>>>>>>> ")) {
		return &Error{File: t.file, Row: 2 + bytes.Count(head[:n], []byte{'\n'}), Problem: "it holds a merge conflict of git", Try: "choose one of the two versions, and remove the marks"}
	}
	if bytes.Contains(head, []byte("Columns 1 ")) && blocksOfColumns.Match(head) {
		return &Error{File: t.file, Problem: "this is a matrix as MATLAB prints it, in blocks of columns below each other", Try: "write it by writematrix(A, 'table.csv') in MATLAB, or csvwrite in Octave"}
	}
	if sqlCommands.Match(c) {
		return &Error{File: t.file, Problem: "this is a list of SQL commands, not a text table", Try: "export the table as CSV"}
	}
	if spiceOther.Match(c) {
		return t.spiceError()
	}
	if inBlocks(head) {
		return &Error{File: t.file, Problem: "this is a table as R or pandas prints it, in blocks of columns below each other", Try: "write it into a file, as by write.csv(d, 'table.csv', row.names = FALSE) in R or d.to_csv('table.csv') in Python"}
	}
	if patch.Match(c) {
		return &Error{File: t.file, Problem: "this is a list of differences between two files, not a table", Try: "give the file itself"}
	}
	if m := shortened.FindIndex(head); m != nil {
		return &Error{File: t.file, Row: 1 + bytes.Count(head[:m[0]], []byte{'\n'}), Problem: "this is a print that leaves out rows of the table", Try: "write all of them into a CSV file, as by write.csv in R"}
	}
	if lists.Match(c) && !bytes.HasPrefix(c, []byte("shape: (")) {
		return &Error{File: t.file, Problem: "these are lists of a programming language, not a text table", Try: "write a row a line, without brackets"}
	} else if markup.Match(c) {
		return &Error{File: t.file, Problem: "this is a web page or XML, not a text table", Try: "download the table itself, or copy it into a CSV file"}
	}
	return nil
}

// markup matches the beginning of an HTML or XML page.
var markup = regexp.MustCompile(`^<[A-Za-z!?][^,;\t]*>`)

// blocksOfColumns matches the title of the first columns of a matrix that MATLAB or Octave prints.
var blocksOfColumns = regexp.MustCompile(`(?m)^ *Columns 1 (?:through|and) \d+:?[ \r]*$`)

// sqlCommands matches the beginning of a dump of a database, after comments and settings.
var sqlCommands = regexp.MustCompile(`^(?:(?:--.*|/\*.*|(?i:SET|BEGIN|PRAGMA|DROP|USE|START)\b[^\n]*;)?\s*\n)*(?:CREATE TABLE|INSERT INTO)\b`)

// spiceError returns the error for a raw file of SPICE that cannot be read.
func (t *reader) spiceError() error {
	return &Error{File: t.file, Problem: "this is a raw file of SPICE with binary or complex values", Try: "write real values as text: wrdata FILE NAME in ngspice, or Export data as text in LTspice"}
}

// spiceOther matches the beginning of a raw file of SPICE in binary form, or with complex values.
var spiceOther = regexp.MustCompile(`(?i)^Title:[^\n]*\n(?:[^\n]*\n){0,12}?(?:Flags:[ \t]*complex|Plotname:(?:[^\n]*\n)+?Binary:[ \t\r]*\n)`)

// inBlocks reports whether a text is a table that R or pandas prints in blocks of columns, since
// its lines are longer than the screen. Each block has the same names of rows.
func inBlocks(head []byte) bool {
	var blocks [][]string // names of the rows of each block
	for line := range bytes.Lines(head[:min(len(head), 1<<14)]) {
		cells := bytes.Fields(bytes.TrimSuffix(bytes.TrimRight(line, "\r\n"), []byte{'\\'}))
		switch {
		case len(cells) == 0 || line[0] == '>':
		case line[0] == ' ' && !numberRow(cells) && !slices.ContainsFunc(cells, func(c []byte) bool { return kindOf(c) != textKind }):
			blocks = append(blocks, nil)
		case len(blocks) == 0:
			return false
		default:
			last := &blocks[len(blocks)-1]
			*last = append(*last, string(cells[0]))
		}
	}
	return len(blocks) > 1 && len(blocks[0]) > 1 && slices.Equal(blocks[0], blocks[1])
}

// patch matches the beginning of the output of diff -u or git diff.
var patch = regexp.MustCompile(`^(?:diff --git .*\n(?:.*\n){0,4})?--- .*\r?\n\+\+\+ .*\r?\n@@ `)

// shortened matches the line by which R, Polars or Julia show that a printed table omits rows.
var shortened = regexp.MustCompile(`(?m)^(?:# (?:\.\.\.|…) with [\d,]+ more rows?|# ℹ [\d,]+ more rows?| \[ reached .* -- omitted \d+ rows)|^ *\d+:.*\r?\n *--- *\r?\n *\d+:|^(?:│ *…|[ │]*⋮) *[┆│]`)

// lists matches the beginning of lists in the syntax of programming languages, such as array([ or
// c(.
var lists = regexp.MustCompile(`^(\{\{|\{ ?[-+.\d]|\[ ?[-+.\d][-+.\deE]*[,;\] \n][^:\n]*(?:\n|$)|\[\[ *[-+.\de]+ +[-+.\d]|\w+ ?[:=] ?[\[({]\s*[-+.\d"'\[({]|\w+\(\[|- *\{|- \w+: |\[\w+\]\s+\w+ = \[|\([-+.\d]+,|array\(|structure\(|c\(|np\.array|data\.frame\()`)

// Limits for compressed files. A file is rejected if its unpacked size exceeds two limits. One is
// bombRatio times its packed size, the other is bombSize bytes or the memory for a table, whichever
// is smaller.
const (
	bombSize  = 1 << 28
	bombRatio = 200
)

// bomb passes on unpacked bytes. It returns an error when a file unpacks to far too many bytes.
type bomb struct {
	r    io.Reader
	file string
	size int64 // number of bytes that may be unpacked whatever the size of the file
	out  int64
	in   *counter
}

// counter counts the bytes that are read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Read reads unpacked bytes.
func (x *bomb) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	x.out += int64(n)
	if x.out > x.size && x.out > bombRatio*(x.in.n+1) {
		return 0, &Error{File: x.file, Problem: fmt.Sprintf("unpacked, it is more than %s, %d times its size: no table of measurements", bytesText(x.size), bombRatio), Try: "unpack it and look at it"}
	}
	return n, err
}

func unreadable(file string, err error) error {
	if e, ok := err.(*Error); ok {
		return e
	}
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err
	}
	return &Error{File: file, Problem: "cannot be read: " + err.Error(), Try: "check that the file is complete", Err: err}
}
