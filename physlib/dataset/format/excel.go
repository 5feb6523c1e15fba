package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

const (
	maxColumns = 1 << 14 // largest number of columns in a sheet of Excel
	maxRows    = 1 << 20
)

// excel is an opened workbook in Office Open XML (ECMA-376, part 1).
type excel struct {
	shared  []string
	formats []dateFormat // how each style shows dates
	percent []bool       // whether each style shows numbers in per cent
	truths  truths       // the columns of the sheet that hold truth values
	since   time.Time    // the date of day 0
}

func (a *archive) openExcel(sheet string) (*File, error) {
	book, err := a.excelBook(sheet)
	if err != nil {
		return nil, err
	}
	k, err := sheetIndex(book.names, sheet, "sheet", "the workbook")
	if err != nil {
		return nil, err
	}
	x := &excel{since: book.since}
	if err := x.styles(a); err != nil {
		return nil, err
	}
	if err := x.strings(a); err != nil {
		return nil, err
	}
	r, err := a.open(a.file(book.files[k]))
	if err != nil {
		return nil, err
	}
	shape, err := a.excelShape(book.files[k], x.percent)
	if err != nil {
		return nil, err
	}
	x.truths = shape.truths
	f := stream(func(w *rows) error {
		defer r.Close()
		w.merged = shape.tops()
		return x.sheet(r, w)
	})
	if book.sheets > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("sheet %s of the workbook is read", book.names[k]))
	}
	f.Notes = append(f.Notes, shape.notes()...)
	return f, nil
}

// excelEpoch is the date of day 0 in most workbooks, for days after 28 February 1900. Since Excel
// counts a 29 February 1900, which never was, day 0 of the days before is one day later.
var excelEpoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// excelBook lists the sheets of a workbook.
type excelBook struct {
	names, files []string
	sheets       int       // number of sheets, including sheets without a file or rows
	since        time.Time // the date of day 0
}

// excelBook reads the list of sheets in the workbook. If no sheet is chosen, it omits sheets
// without rows, and hidden sheets if others are visible.
func (a *archive) excelBook(sheet string) (b excelBook, err error) {
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"` // "hidden", "veryHidden", or none
			ID    string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := a.decode("xl/workbook.xml", &book, true); err != nil {
		return b, err
	}
	if err := a.decode("xl/_rels/workbook.xml.rels", &relations, true); err != nil {
		return b, err
	}
	targets := map[string]string{}
	for _, r := range relations.All {
		targets[r.ID] = path.Join("xl", r.Target)
		if strings.HasPrefix(r.Target, "/") {
			targets[r.ID] = strings.TrimPrefix(r.Target, "/")
		}
	}
	b.sheets = len(book.Sheets)
	var hidden excelBook
	for _, s := range book.Sheets {
		f := a.file(targets[s.ID])
		if f == nil || sheet == "" && b.sheets > 1 && !a.hasRows(targets[s.ID]) {
			continue
		}
		to := &b
		if sheet == "" && s.State != "" && s.State != "visible" {
			to = &hidden
		}
		to.names, to.files = append(to.names, s.Name), append(to.files, f.Name)
	}
	if len(b.names) == 0 {
		b.names, b.files = hidden.names, hidden.files
	}
	b.since = excelEpoch
	if v := book.Properties.Date1904; v == "1" || v == "true" {
		b.since = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return b, nil
}

// decode reads a small XML file of the workbook, such as the list of its sheets. If the file is
// missing, decode returns an error only if the file is needed.
func (a *archive) decode(name string, into any, needed bool) error {
	f := a.file(name)
	if f == nil && !needed {
		return nil
	}
	if f == nil {
		return &Error{"the workbook lacks " + name, "save it again, or as CSV"}
	}
	r, err := a.open(f)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		return &Error{fmt.Sprintf("the workbook is broken: %s: %v", name, err), "save it again, or as CSV"}
	}
	return nil
}

// hasRows reports whether a sheet holds cells with values.
func (a *archive) hasRows(name string) bool {
	r, err := a.open(a.file(name))
	if err != nil {
		return true
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		token, err := d.RawToken()
		if err != nil {
			return err != io.EOF
		}
		if s, ok := token.(xml.StartElement); ok && (s.Name.Local == "v" || s.Name.Local == "is") {
			return true
		}
	}
}

// strings reads the texts that cells share.
func (x *excel) strings(a *archive) error {
	f := a.file("xl/sharedStrings.xml")
	if f == nil {
		return nil
	}
	r, err := a.open(f)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &Error{"the workbook is broken: its texts: " + err.Error(), "save it again, or as CSV"}
		}
		if s, ok := token.(xml.StartElement); ok && s.Name.Local == "si" {
			text, err := richText(d)
			if err != nil {
				return &Error{"the workbook is broken: its texts: " + err.Error(), "save it again, or as CSV"}
			}
			x.shared = append(x.shared, text)
		}
	}
}

// richText joins the parts of a formatted text up to the end of its element. It omits phonetic
// hints.
func richText(d *xml.Decoder) (string, error) {
	var b strings.Builder
	inText, hint, align := false, 0, ""
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			inText = e.Name.Local == "t" && hint == 0
			switch e.Name.Local {
			case "rPh":
				hint = depth
			case "r":
				align = ""
			case "vertAlign":
				align = attribute(e, "val")
			}
		case xml.EndElement:
			if hint == depth {
				hint = 0
			}
			depth--
			inText = false
		case xml.CharData:
			if inText {
				if strings.HasSuffix(align, "script") {
					b.WriteString(shifted(b.String(), align == "superscript"))
					align = ""
				}
				b.Write(e)
			}
		}
	}
	return b.String(), nil
}

// sheet writes the cells of a sheet.
func (x *excel) sheet(r io.Reader, w *rows) error {
	d := xml.NewDecoder(r)
	at := beforeSheet
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		s, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch s.Name.Local {
		case "row":
			at.startRow(s)
			if err := w.goTo(at.row); err != nil {
				return err
			}
		case "c":
			at.startCell(s)
			if err := x.cell(d, s, w, at.column); err != nil {
				return err
			}
		}
	}
}

// position is the position of a cell in a sheet, counted from 0. Rows and cells without a reference
// directly follow the one before.
type position struct{ row, column int }

var beforeSheet = position{-1, -1}

// startRow moves p to the start of the row that an XML element describes.
func (p *position) startRow(e xml.StartElement) {
	p.row, p.column = p.row+1, -1
	if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > p.row && n <= maxRows {
		p.row = n - 1
	}
}

// startCell moves p to the cell that an XML element describes.
func (p *position) startCell(e xml.StartElement) {
	p.column++
	if n := columnOf(attribute(e, "r")); n >= p.column && n < maxColumns {
		p.column = n
	}
}

func attribute(s xml.StartElement, name string) string {
	for _, a := range s.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// columnOf returns the column of a reference such as AB12, counted from 0, or -1 if there is none.
func columnOf(reference string) int {
	n := 0
	for _, c := range reference {
		if c < 'A' || c > 'Z' || n > maxColumns {
			break
		}
		n = 26*n + int(c-'A') + 1
	}
	return n - 1
}

// cell reads the XML element that begins with start, and writes it as a cell of the given column.
func (x *excel) cell(d *xml.Decoder, start xml.StartElement, w *rows, column int) error {
	var c struct {
		Value   *string   `xml:"v"`
		Formula *struct{} `xml:"f"`
		Inline  *struct {
			Texts []string `xml:"t"`
			Runs  []struct {
				Text  string `xml:"t"`
				Style struct {
					Align string `xml:"val,attr"`
				} `xml:"rPr>vertAlign"`
			} `xml:"r"`
		} `xml:"is"`
	}
	if err := d.DecodeElement(&c, &start); err != nil {
		return err
	}
	kind := attribute(start, "t")
	switch {
	case c.Inline != nil:
		text := strings.Join(c.Inline.Texts, "")
		for _, run := range c.Inline.Runs {
			if strings.HasSuffix(run.Style.Align, "script") {
				text += shifted(text, run.Style.Align == "superscript")
			}
			text += run.Text
		}
		w.text(column, text)
	case (c.Value == nil || *c.Value == "") && c.Formula != nil && kind != "str":
		w.text(column, "#FORMULA!") // the result of the formula is missing
	case c.Value == nil:
	case kind == "s":
		k, err := strconv.Atoi(strings.TrimSpace(*c.Value))
		if err != nil || k < 0 || k >= len(x.shared) {
			return fmt.Errorf("cell %s has a text that is not there", attribute(start, "r"))
		}
		w.text(column, x.shared[k])
	case kind == "" || kind == "n":
		v, err := strconv.ParseFloat(strings.TrimSpace(*c.Value), 64)
		if err != nil {
			w.text(column, *c.Value)
			return nil
		}
		style, _ := strconv.Atoi(attribute(start, "s"))
		x.number(w, column, v, style)
	case kind == "b" && x.truths.mixed(column+1):
		w.text(column, map[bool]string{true: "TRUE", false: "FALSE"}[isTrue(strings.TrimSpace(*c.Value))])
	default: // result of a formula, error, truth value or ISO date, as text
		w.text(column, *c.Value)
	}
	return nil
}

// number writes a number, or the date that it represents.
func (x *excel) number(w *rows, column int, v float64, style int) {
	kind := noDate
	if style >= 0 && style < len(x.formats) {
		kind = x.formats[style]
	}
	if v < 0 || v > 2958466 { // outside the years that Excel can show, up to 9999
		kind = noDate
	}
	if kind == timeOnly && v >= 1000 {
		kind = dateOnly
	}
	switch kind {
	case noDate:
		w.number(column, v)
	case timeOnly:
		w.text(column, clockText(v*86400))
	default:
		day, part := math.Modf(v)
		if x.since == excelEpoch && day == 60 {
			w.text(column, "1900-02-29") // a day that is none, which Excel counts
			return
		}
		if x.since == excelEpoch && day < 60 {
			day++
		}
		// The part of a day is rounded to 11 decimals.
		at := x.since.AddDate(0, 0, int(day)).Add(time.Duration(math.Round(part*86400e5)) * 10 * time.Microsecond)
		if part == 0 {
			w.text(column, at.Format("2006-01-02"))
		} else {
			w.text(column, at.Format("2006-01-02T15:04:05.999999"))
		}
	}
}
