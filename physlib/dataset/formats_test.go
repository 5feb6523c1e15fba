package dataset

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormats reads files that other programs wrote. The script testdata/formats/make.py runs these
// programs.
func TestFormats(t *testing.T) {
	const pandas = "day [d]: 0 3 4 | x [m]: 0.1 0.30000000000000004 1e-300 | n: 1 3 5 | y: 1.5 2.5 4.5"
	excel := strings.Replace(pandas, "0.30000000000000004", "0.3", 1) // openpyxl rounds this value
	for _, c := range []struct{ file, sheet, want, say string }{
		{"pandas.xlsx", "", excel, "column name holds text|1 row of 4 set aside, where cells are missing: row 3, y (empty)"},
		{"pandas.xlsx", "Sheet1", excel, ""},
		{"pandas.xlsx", "1", excel, ""},
		{"pandas.xlsx", "Sheet2", "", `sheet: the workbook has no sheet "Sheet2"; did you mean Sheet1?`},
		{"index.xlsx", "", excel, "column 1 has no name"},
		{"sheets.xlsx", "", "", "the workbook holds 2 sheets: Run 1, Run 2; choose one with --sheet NAME"},
		{"sheets.xlsx", "Run 1", "l [m]: 0.2 0.3 0.5 | share: 0.5 0.25 1 | when [s]: 0 1 120 | T [s]: 0.922 1.119 1.444", `"My pendulum", is read as a title|row 4 is read as the columns' units|row 7, T ("#N/A")|column note|sheet Run 1`},
		{"sheets.xlsx", "Run 2", "l: 1 2 3 | T: 2.01 2.84 3.47", "sheet Run 2"},
		{"sheets.xlsx", "2", "l: 1 2 3 | T: 2.01 2.84 3.47", "sheet Run 2"},
		{"sheets.xlsx", "Run", "", `sheet: the workbook has no sheet "Run"; `},
		{"formula.xlsx", "", "l: 1 3 | T: 2.01 3.47", `row 3, T ("#FORMULA!")`},
		{"formulas.xlsx", "", "", "row 2, column 2 (T): its formulas have no values; open the file in a spreadsheet program"},
		{"texts.npy", "", "", "one column of 2 texts only"},
		{"uneven.npz", "", "", "the arrays of the archive have different lengths: t 4, x 2; save arrays of one length"},
		{"nested.parquet", "", "", "one plain column, y; x.list.element holds lists or records; write the table flat"},
		{"empty.parquet", "", "", "the file has a header and no rows; give at least two rows"},
		{"pandas.ods", "", pandas, "column name holds text"},
		{"pandas.ods", "Sheet1", pandas, ""},
		{"pandas.ods", "none", "", `sheet: the workbook has no sheet "none"`},
		{"pandas.parquet", "", pandas, "row 3, y (empty)|column name holds text"},
		{"zstd.parquet", "", strings.Replace(strings.Replace(pandas, "0.30000000000000004", "0.3", 1), "1e-300", "0", 1), "row 3, y (empty)"},
		{"arrow.parquet", "", "t [s]: 0 60 90 120 150 | d: 2.1 6.1 8.3 9.9 12.4 | dur [s]: 0 0.02 0.03 0.04 0.05 | n: 1 3 4 5 6 | f16: 2.099609375 6.1015625 8.296875 9.8984375 12.3984375 | y: 2.1 6.1 8.3 9.9 12.4", "column cat holds text"},
		{"indexed.parquet", "", "x: 1.5 2 3.5 | t [s]: 0.5 1.5 4 | y: 2 4 7", ""},
		{"unnamed.parquet", "", "t [s]: 0.5 1.5 4 | y: 2 4 7", "column 1 has no name and is left out"},
		{"shapes.npz", "", "t: 0 1 2 3 | x: 1 4 9.5 16", "arrays of another shape are left out: params, g"},
		{"plain.npy", "", "x1: 1 2 3 | y: 2.5 3.5 5.5", "no header"},
		{"fortran.npy", "", "x1: 1 2 3 | y: 2.5 3.5 5.5", "no header"},
		{"fields.npy", "", "n: 1 2 3 | day [d]: 0 2 3 | y: 2.5 3.5 5.5", "column name holds text|days since 2025-01-01"},
		{"one.npy", "", "", "one column of 5 numbers only"},
		{"cube.npy", "", "", "3 dimensions"},
		{"objects.npy", "", "", "Python objects"},
		{"complex.npy", "", "", "complex numbers"},
		{"columns.npz", "", "t: 0 1 2 3 | x: 1 4 9.5 16", ""},
		{"tables.npz", "", "", "the archive holds 2 arrays: a, b; choose one with --sheet"},
		{"tables.npz", "b", "x1: 5 6 | y: 2 3.5", "array b of the archive is read"},
		{"onetable.npz", "", "x1: 1 2 4 | y: 2 3.5 1", "array a of the archive is read"},
	} {
		t.Run(c.file+" "+c.sheet, func(t *testing.T) {
			o := Options{Sheet: c.sheet}
			if strings.HasPrefix(c.want, "day") || strings.HasPrefix(c.want, "n: ") || strings.HasPrefix(c.want, "l [m]: 0.2") {
				o.Target = strings.Split(c.want[strings.LastIndex(c.want, "| ")+2:], ":")[0]
				o.Target, _, _ = strings.Cut(o.Target, " ")
			}
			table, warnings, err := ReadFile(filepath.Join("testdata/formats", c.file), o)
			said := strings.Join(warnings, "\n")
			if err != nil {
				said += err.Error()
			}
			if err == nil && show(table) != c.want || err != nil && c.want != "" {
				t.Errorf("got  %v, %v\nwant %s", table, err, c.want)
			}
			for _, part := range strings.Split(c.say, "|") {
				if !strings.Contains(said, part) {
					t.Errorf("said %q, want %q", said, part)
				}
			}
		})
	}
}

func TestParquetTypes(t *testing.T) {
	table, warnings, err := ReadFile("testdata/formats/types.parquet", Options{Target: "n", Ignore: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	want := "day [d]: 0 1 4 | x [m]: 0.1 0.2 1e-300 | price: 1.25 2.5 -3.75 | at [s]: 0 1 3 | ok: 1 0 1 | n: 1 2 5"
	if got := show(table); got != want || !strings.Contains(strings.Join(warnings, "\n"), "nested columns are left out: many") {
		t.Errorf("got  %s\nwant %s; %q", got, want, warnings)
	}
}

// archived returns a zip archive of the given files.
func archived(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Workbooks: hidden sheets are not offered to the user, and dates are rounded to whole seconds.
func TestWorkbook(t *testing.T) {
	const sheet = `<worksheet><cols/><sheetData><row r="1"><c r="A1" t="str"><v>at</v></c><c r="B1" t="str"><v>y</v></c></row>` +
		`<row r="2"><c r="A2" s="1"><v>45658.5</v></c><c r="B2"><v>1</v></c></row><row r="3"><c r="A3" s="1"><v>45658.541666666664</v></c><c r="B3"><v>3</v></c></row></sheetData></worksheet>`
	in := archived(t, "xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`+
		`<sheet name="A" state="hidden" r:id="r2"/><sheet name="B" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<R><Relationship Id="r1" Target="a.xml"/><Relationship Id="r2" Target="b.xml"/></R>`,
		"xl/styles.xml", `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/a.xml", sheet, "xl/b.xml", strings.Replace(sheet, "45658.5<", "45657.5<", 1))
	for name, want := range map[string]string{"": "at [s]: 0 3600 | y: 1 3", "A": "at [s]: 0 90000 | y: 1 3"} {
		table, _, err := Read(bytes.NewReader(in), "t.xlsx", Options{Sheet: name})
		if err != nil || show(table) != want {
			t.Errorf("sheet %q: %v, %v", name, table, err)
		}
	}
}

func TestArchives(t *testing.T) {
	const table = "x,y\n1,2\n2,4\n"
	for name, c := range map[string]struct {
		in        []byte
		sheet     string
		want, say string
	}{
		"one file":          {archived(t, "a.csv", table), "", "x: 1 2 | y: 2 4", "a.csv of the archive is read"},
		"with Mac's":        {archived(t, "a.csv", table, "__MACOSX/._a.csv", "?", ".DS_Store", "?"), "", "x: 1 2 | y: 2 4", "a.csv"},
		"with a readme":     {archived(t, "README.txt", "hello", "a.csv", table), "", "x: 1 2 | y: 2 4", "a.csv of the archive is read"},
		"two files":         {archived(t, "a.csv", table, "b.csv", table), "", "", "the archive holds 2 files: a.csv, b.csv; choose one with --sheet NAME"},
		"second of two":     {archived(t, "a.csv", "?", "b.csv", table), "b.csv", "x: 1 2 | y: 2 4", "b.csv"},
		"none":              {archived(t), "", "", "nothing to read"},
		"in itself":         {archived(t, "a.zip", string(archived(t, "a.csv", table))), "", "", "is not text"},
		"Word":              {archived(t, "word/document.xml", "<a/>"), "", "", "this is a Word document"},
		"binary Excel":      {archived(t, "xl/workbook.bin", "?"), "", "", "xlsb"},
		"empty workbook":    {archived(t, "xl/workbook.xml", "<workbook/>"), "", "", "the workbook lacks xl/_rels/workbook.xml.rels"},
		"broken workbook":   {archived(t, "xl/workbook.xml", "<workbook"), "", "", "the workbook is broken"},
		"broken sheet":      {workbook(t, "<worksheet><sheetData><row><c><v>1</v></c></row><row>"), "", "", "broken"},
		"text out of range": {workbook(t, `<worksheet><sheetData><row><c t="s"><v>7</v></c><c t="s"><v>-1</v></c></row></sheetData></worksheet>`), "", "", "has a text that is not there"},
		"sheet":             {workbook(t, sheetOf("x,y;1,2;2,4")), "", "x: 1 2 | y: 2 4", ""},
		"rows far down":     {workbook(t, `<worksheet><sheetData><row r="1000"><c t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is><t>y</t></is></c></row><row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>2</v></c><c><v>oops</v></c></row></sheetData></worksheet>`), "", "", `row 1002, column 2 (y): "oops"`},
		"broken ods":        {archived(t, "content.xml", "<a><table name='x'><table-row>"), "", "", "broken"},
		"ods of no table":   {archived(t, "content.xml", "<a/>"), "", "", "no table"},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings, err := Read(bytes.NewReader(c.in), "t", Options{Sheet: c.sheet})
			said := strings.Join(warnings, "\n")
			if err != nil {
				said += err.Error()
				if strings.Contains(said, "\n") {
					t.Errorf("error of several lines: %q", said)
				}
			}
			if err == nil && show(got) != c.want || err != nil && c.want != "" || !strings.Contains(said, c.say) {
				t.Errorf("got %v, said %q; want %q, %q", got, said, c.want, c.say)
			}
		})
	}
}

// workbook returns an Excel workbook of one sheet.
func workbook(t *testing.T, sheet string) []byte {
	return archived(t, "xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", sheet)
}

// sheetOf returns a sheet with the given rows.
func sheetOf(rows string) string {
	var b strings.Builder
	b.WriteString("<worksheet><sheetData>")
	for _, row := range strings.Split(rows, ";") {
		b.WriteString("<row>")
		for _, cell := range strings.Split(row, ",") {
			b.WriteString(`<c t="str"><v>` + cell + "</v></c>")
		}
		b.WriteString("</row>")
	}
	return b.String() + "</sheetData></worksheet>"
}

// Arrays that are truncated, longer than their headers state, or changed inside an archive are
// errors. So is every truncated file of testdata.
func TestBrokenArrays(t *testing.T) {
	read := func(data []byte) string {
		_, _, err := Read(bytes.NewReader(data), "t", Options{})
		if err == nil {
			return ""
		}
		return err.Error()
	}
	plain, err := os.ReadFile("testdata/formats/plain.npy")
	if err != nil {
		t.Fatal(err)
	}
	if said := read(append(bytes.Clone(plain), 1)); !strings.Contains(said, "holds more than the 3 rows that its header says; save it again") {
		t.Errorf("longer: %q", said)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.CreateHeader(&zip.FileHeader{Name: "a.npy", Method: zip.Store})
	w.Write(plain)
	z.Close()
	changed := b.Bytes()
	if read(changed) != "" {
		t.Fatal(read(changed))
	}
	changed[bytes.Index(changed, plain)+len(plain)-3] ^= 1
	if said := read(changed); !strings.Contains(said, "checksum") {
		t.Errorf("changed: %q", said)
	}
	files, _ := filepath.Glob("testdata/formats/*.*[zxstqy]")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 7, len(data) / 3, len(data) / 2, len(data) - 1} {
			if said := read(data[:n]); !strings.Contains(said, "; ") || strings.Contains(said, "\n") {
				t.Errorf("%s of %d bytes: %q", name, n, said)
			}
		}
	}
}

// A compressed file that expands a thousandfold, to empty lines, gives an error.
func TestBomb(t *testing.T) {
	in := zipped(strings.Repeat("\n", 4<<20))
	_, _, err := Read(strings.NewReader(in), "bomb.csv.gz", Options{Memory: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "bomb.csv.gz: unpacked, it is more than 1 MB, 200 times its size") {
		t.Error(err)
	}
}

func FuzzReadFormats(f *testing.F) {
	files, _ := filepath.Glob("testdata/formats/*.*[zxstqy]")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		table, _, err := Read(bytes.NewReader(in), "t", Options{Memory: 64 << 20})
		if err != nil && (table != nil || strings.Contains(err.Error(), "\n")) {
			t.Errorf("error %q", err)
		}
	})
}
