package dataset

import (
	"bytes"
	"strings"
	"testing"
)

// A merged cell counts for all its rows. Hidden rows and columns are read, with a warning.
func TestMergedAndHidden(t *testing.T) {
	cell := func(at, text string) string {
		kind := ""
		if text != "" && (text[0] > '9' || text[0] < '0') {
			kind = ` t="str"`
		}
		return `<c r="` + at + `"` + kind + `><v>` + text + `</v></c>`
	}
	row := func(attributes string, cells ...string) string {
		return "<row " + attributes + ">" + strings.Join(cells, "") + "</row>"
	}
	excel := `<worksheet><cols><col min="3" max="3" hidden="1"/><col min="9" max="16384" hidden="1"/></cols><sheetData>` +
		row(`r="1"`, cell("A1", "m [g]"), cell("B1", "l"), cell("C1", "z"), cell("D1", "T")) +
		row(`r="2"`, cell("A2", "50"), cell("B2", "1"), cell("C2", "7"), cell("D2", "2.1")) +
		row(`r="3" hidden="1"`, `<c r="A3" s="1"/>`, cell("B3", "2"), cell("C3", "8"), cell("D3", "2.8")) +
		row(`r="4"`, cell("A4", "100"), cell("B4", "1"), cell("C4", "5"), cell("D4", "2.2")) +
		row(`r="5"`, cell("B5", "2"), cell("C5", "9"), cell("D5", "2.9")) +
		`</sheetData><mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A4:A5"/></mergeCells></worksheet>`
	header := `<worksheet><sheetData>` +
		row(`r="1"`, cell("A1", "l"), cell("B1", "T"), `<c r="C1"/>`, cell("D1", "m")) +
		row(`r="2"`, `<c r="A2"/>`, cell("B2", "first"), cell("C2", "second"), `<c r="D2"/>`) +
		row(`r="3"`, cell("A3", "1"), cell("B3", "2"), cell("C3", "2.1"), cell("D3", "5")) +
		row(`r="4"`, cell("A4", "2"), cell("B4", "3"), cell("C4", "2.9"), cell("D4", "7")) +
		`</sheetData><mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:D2"/></mergeCells></worksheet>`
	content := func(rows string) []byte {
		return archived(t, "content.xml", `<office:document-content><table:table table:name="A"><table:table-column table:number-columns-repeated="3"/>`+rows+`</table:table></office:document-content>`)
	}
	of := func(attributes, text string) string {
		kind := `office:value-type="float" office:value="` + text + `"`
		if text[0] > '9' {
			kind = `office:value-type="string"`
		}
		return "<table:table-cell " + kind + attributes + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	const covered = "<table:covered-table-cell/>"
	ods := content("<table:table-row>" + of("", "m") + of("", "l") + of("", "T") + "</table:table-row>" +
		"<table:table-row>" + of(` table:number-rows-spanned="2" table:number-columns-spanned="1"`, "50") + of("", "1") + of("", "2.1") + "</table:table-row>" +
		`<table:table-row table:visibility="filter">` + covered + of("", "2") + of("", "2.8") + "</table:table-row>" +
		"<table:table-row>" + of("", "100") + of("", "1") + of("", "2.2") + "</table:table-row>" +
		"<table:table-row>" + of("", "100") + of("", "2") + of("", "2.9") + "</table:table-row>")
	raised := archived(t, "content.xml", `<office:document-content><style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="T2"><style:text-properties fo:color="red"/></style:style><table:table table:name="A">`+
		"<table:table-row>"+of("", "x")+of("", "y")+"</table:table-row>"+
		"<table:table-row>"+of("", "1")+`<table:table-cell office:value-type="string"><text:p>1<text:span text:style-name="T2">0</text:span><text:span text:style-name="T1">3</text:span></text:p></table:table-cell></table:table-row>`+
		"<table:table-row>"+of("", "2")+of("", "4")+"</table:table-row></table:table></office:document-content>")
	for name, c := range map[string]struct {
		in        []byte
		want, say string
	}{
		"xlsx": {workbook(t, excel), "m [g]: 50 50 100 100 | l: 1 2 1 2 | z: 7 8 5 9 | T: 2.1 2.8 2.2 2.9",
			"2 merged cells: all rows of a merged cell get its value, first in rows 2 to 3 of column 1|1 hidden row of the sheet is read as well, first row 3|1 hidden column of the sheet is"},
		"header of two rows":  {workbook(t, header), "l: 1 2 | first: 2 3 | second: 2.1 2.9 | m: 5 7", `row 1, "l\tT\t\tm", is read as a title`},
		"superscripts":        {workbook(t, `<worksheet><sheetData>`+row(`r="1"`, cell("A1", "x"), cell("B1", "y"))+row(`r="2"`, cell("A2", "1"), `<c r="B2" t="inlineStr"><is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>3</t></r></is></c>`)+row(`r="3"`, cell("A3", "2"), cell("B3", "4"))+`</sheetData></worksheet>`), "x: 1 2 | y: 1000 4", ""},
		"superscripts in ods": {raised, "x: 1 2 | y: 1000 4", ""},
		"ods":                 {ods, "m: 50 50 100 100 | l: 1 2 1 2 | T: 2.1 2.8 2.2 2.9", "1 merged cell: all rows|1 hidden row of the sheet is"},
	} {
		t.Run(name, func(t *testing.T) {
			table, warnings, err := Read(bytes.NewReader(c.in), "t", Options{})
			if err != nil {
				t.Fatal(err, warnings)
			}
			if got := show(table); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, part := range strings.Split(c.say, "|") {
				if said := strings.Join(warnings, "\n"); !strings.Contains(said, part) {
					t.Errorf("said %q, want %q", said, part)
				}
			}
		})
	}
}
