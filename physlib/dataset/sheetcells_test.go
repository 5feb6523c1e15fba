package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Cells of sheets and arrays count as their programs show them.
func TestSheetCells(t *testing.T) {
	ods := func(rows ...string) []byte {
		return archived(t, "content.xml", `<office:document-content><table:table table:name="A"><table:table-row>`+odsText("x")+odsText("y")+`</table:table-row>`+strings.Join(rows, "")+`</table:table></office:document-content>`)
	}
	odsRow := func(times, cells string) string {
		return `<table:table-row table:number-rows-repeated="` + times + `">` + cells + `</table:table-row>`
	}
	const empty = `<table:table-cell table:number-columns-repeated="1024"/>`
	// Style 1 shows per cent, style 2 is a format of the user's, style 3 has a sign for per cent in
	// quotes, style 4 shows dates.
	excel := func(rows ...string) []byte {
		return archived(t, "xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="a.xml"/></Relationships>`,
			"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0\ %"/><numFmt numFmtId="165" formatCode="0.0&quot; %&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
			"xl/a.xml", "<worksheet><sheetData>"+strings.Join(rows, "")+"</sheetData></worksheet>")
	}
	row := func(cells ...string) string { return "<row>" + strings.Join(cells, "") + "</row>" }
	cell := func(attributes, v string) string { return "<c " + attributes + "><v>" + v + "</v></c>" }
	head := row(cell(`t="str"`, "x"), cell(`t="str"`, "y"))
	const truth = `t="b"`
	for _, c := range []struct {
		name      string
		in        []byte
		want, say string
	}{
		{"rows repeated in the middle", ods(odsRow("1", odsNumber("1")+odsNumber("2")), odsRow("3", odsNumber("2")+odsNumber("4")), odsRow("1", odsNumber("3")+odsNumber("7")), odsRow("1048571", empty)), "x: 1 2 2 2 3 | y: 2 4 4 4 7", ""},
		{"rows repeated at the end", ods(odsRow("1", odsNumber("1")+odsNumber("2")), odsRow("2", odsNumber("2")+odsNumber("4")), odsRow("1048573", empty)), "x: 1 2 2 | y: 2 4 4", ""},
		{"rows below the last of a sheet", ods(odsRow("2000000", odsNumber("1")+odsNumber("2"))), "", "more than 1048576 rows"},
		{"per cent in some cells of ods", ods(odsRow("1", odsNumber("1")+odsNumber("97.1")), odsRow("1", odsNumber("2")+strings.ReplaceAll(odsNumber("0.945"), "float", "percentage")), odsRow("1", odsNumber("3")+odsNumber("92"))), "x: 1 2 3 | y: 97.1 0.945 92", "column 2 of the sheet: row 3 shows 94.5 %, which is read as 0.945, and row 2 shows 97.1 without %"},
		{"per cent in some cells", excel(head, row(cell("", "1"), cell("", "97.1")), row(cell("", "2"), cell(`s="1"`, "0.945")), row(cell("", "3"), cell("", "92"))), "x: 1 2 3 | y: 97.1 0.945 92", "column 2 of the sheet: row 3 shows 94.5 %, which is read as 0.945, and row 2 shows 97.1 without %: give all its cells one number format"},
		{"per cent by a format of the user's", excel(head, row(cell("", "1"), cell(`s="2"`, "0.97")), row(cell("", "2"), cell("", "94"))), "x: 1 2 | y: 0.97 94", "row 2 shows 97 %, which is read as 0.97, and row 3 shows 94 without %"},
		{"per cent in all cells", excel(head, row(cell("", "1"), cell(`s="1"`, "0.971")), row(cell("", "2"), cell(`s="2"`, "0.945"))), "x: 1 2 | y: 0.971 0.945", ""},
		{"per cent in quotes", excel(head, row(cell("", "1"), cell(`s="3"`, "97.1")), row(cell("", "2"), cell("", "94.5"))), "x: 1 2 | y: 97.1 94.5", ""},
		{"per cent beside fractions", excel(head, row(cell("", "1"), cell(`s="1"`, "0.971")), row(cell("", "2"), cell("", "0.945"))), "x: 1 2 | y: 0.971 0.945", ""},
		{"per cent below numbers as names", excel(row(cell(`t="str"`, "x"), cell("", "20")), row(cell("", "1"), cell(`s="1"`, "0.971")), row(cell("", "2"), cell(`s="1"`, "0.945"))), "x1: 1 2 | y: 0.971 0.945", "no header"},
		{"dates around Excel's 29 February 1900", excel(head, row(cell(`s="4"`, "1"), cell("", "2")), row(cell(`s="4"`, "59"), cell("", "4")), row(cell(`s="4"`, "61"), cell("", "7"))), "x [d]: 0 58 59 | y: 2 4 7", "days since 1900-01-01"},
		{"Excel's 29 February 1900", excel(head, row(cell(`s="4"`, "59"), cell("", "2")), row(cell(`s="4"`, "60"), cell("", "4")), row(cell(`s="4"`, "61"), cell("", "7"))), "", `row 3, column 1 (x): "1900-02-29" is a date that does not exist`},
		{"the same numbers without a format of dates", excel(head, row(cell("", "1"), cell("", "2")), row(cell("", "59"), cell("", "4")), row(cell("", "60"), cell("", "7"))), "x: 1 59 60 | y: 2 4 7", ""},
		{"a truth value among numbers", excel(head, row(cell("", "1"), cell("", "2")), row(cell("", "2"), cell(truth, "1")), row(cell("", "3"), cell("", "7")), row(cell("", "4"), cell("", "8"))), "", `row 3, column 2 (y): "TRUE" is not a number`},
		{"columns of truth values", excel(head, row(cell(truth, "1"), cell("", "2")), row(cell(truth, "0"), cell("", "4"))), "x: 1 0 | y: 2 4", ""},
		{"dates in minutes", datesOf("<M8[m]", 28486020, 28486050, 28486080), "t [s]: 0 1800 3600 | y: 0 1 4", "seconds since 2024-02-28"},
		{"dates in steps of 15 minutes", datesOf("<M8[15m]", 0, 1, 2), "t [s]: 0 900 1800 | y: 0 1 4", "since 1970-01-01"},
		{"dates in hours", datesOf("<M8[h]", 0, 1, 2), "t [s]: 0 3600 7200 | y: 0 1 4", "since 1970-01-01"},
		{"dates in weeks", datesOf("<M8[W]", 0, 1, 2), "t [d]: 0 7 14 | y: 0 1 4", "since 1970-01-01"},
		{"dates in months", datesOf("<M8[M]", 0, 1, 2), "t [d]: 0 31 59 | y: 0 1 4", "since 1970-01-01"},
		{"dates in years", datesOf("<M8[Y]", 0, 1, 2), "t [d]: 0 365 730 | y: 0 1 4", "since 1970-01-01"},
		{"dates in picoseconds", datesOf("<M8[ps]", 0, 1, 2), "", "dates of type datetime64[ps] are not read; convert them"},
		{"dates without a unit", datesOf("<M8", 0, 1, 2), "", "dates of type datetime64[] are not read"},
		{"numbers without a sign", unsigned(t), "x: 1 2 9.223372036854776e+18 | n: 1 2 4.294967295e+09 | y: 2 4 7", "such as 9223372036854775808, have more digits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, warnings, err := Read(bytes.NewReader(c.in), "t", Options{})
			said := strings.Join(warnings, "\n")
			if err != nil {
				said = err.Error()
			}
			if err == nil && show(table) != c.want || err != nil && c.want != "" {
				t.Errorf("got  %v, %v\nwant %s", table, err, c.want)
			}
			if !strings.Contains(said, c.say) || c.say == "" && said != "" || strings.Contains(said, "%") != strings.Contains(c.say, "%") {
				t.Errorf("said %q, want %q", said, c.say)
			}
		})
	}
}

func odsNumber(v string) string {
	return `<table:table-cell office:value-type="float" office:value="` + v + `"><text:p>` + v + `</text:p></table:table-cell>`
}

func odsText(s string) string {
	return `<table:table-cell office:value-type="string"><text:p>` + s + `</text:p></table:table-cell>`
}

// datesOf returns a NumPy array with the fields t, of the given type, and y = 0, 1, 4, 9 and so on.
func datesOf(code string, t ...int64) []byte {
	var b bytes.Buffer
	head := "{'descr': [('t', '" + code + "'), ('y', '<f8')], 'fortran_order': False, 'shape': (3,), }\n"
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(head)))
	b.WriteString(head)
	for i, v := range t {
		binary.Write(&b, binary.LittleEndian, v)
		binary.Write(&b, binary.LittleEndian, float64(i*i))
	}
	return b.Bytes()
}

// unsigned returns a Parquet file with columns of whole numbers without a sign.
func unsigned(t *testing.T) []byte {
	type row struct {
		X uint64  `parquet:"x"`
		N uint32  `parquet:"n"`
		Y float64 `parquet:"y"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []row{{1, 1, 2}, {2, 2, 4}, {1 << 63, math.MaxUint32, 7}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
