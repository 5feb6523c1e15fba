package format

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// IsMarkup reports whether text begins like an HTML page, or like a workbook in Excel 2003's XML.
// Files of both kinds may have the extension .xls.
func IsMarkup(head []byte) bool {
	c := bytes.ToLower(bytes.TrimLeft(head[:min(len(head), 1<<14)], "\ufeff \t\r\n"))
	if bytes.HasPrefix(c, []byte("<?xml")) {
		return bytes.Contains(c, []byte("<workbook")) || bytes.Contains(c, []byte("<html"))
	}
	return bytes.HasPrefix(c, []byte("<")) && bytes.Contains(head, []byte("<")) && markupStart.Match(c)
}

// markupStart matches the first tag of a page or of a part of one.
var markupStart = regexp.MustCompile(`^<(?:!doctype html|!--|html|head|meta|body|table|div|center|style)\b`)

// skipped matches elements of pages that are not text, such as scripts.
var skipped = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|<!doctype[^>]*>|<!\[[^>]*>`)

// grid is a table of a page.
type grid struct {
	rows  [][]string
	spans []span
	data  bool // whether the first row has a cell other than a heading (th)
}

// span is a cell that covers several rows: its text, its column, and the number of further rows
// that it covers.
type span struct {
	text         string
	column, left int
}

// OpenMarkup reads the table in an HTML page, or in a workbook in XML. which selects one of several
// tables, counted from 1; 0 means the only one with at least two rows and columns. limit is the
// largest number of bytes to read.
func OpenMarkup(r io.Reader, which int, limit int64) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &Error{"the file is larger than memory allows", "save the table as CSV"}
	}
	all, err := grids(data)
	if err != nil {
		return nil, err
	}
	var tables []*grid
	for _, g := range all {
		if len(g.rows) > 1 && g.width() > 1 {
			tables = append(tables, g)
		}
	}
	switch {
	case len(tables) == 0:
		return nil, &Error{"this is a web page or XML without a table", "download the table itself, or copy it into a CSV file"}
	case which > len(tables):
		return nil, &Error{fmt.Sprintf("table %d is requested, but the number of tables on the page is %d", which, len(tables)), "choose another --table"}
	case which == 0 && len(tables) > 1:
		var list []string
		for i, g := range tables[:min(len(tables), 8)] {
			list = append(list, fmt.Sprintf("%d (%s)", i+1, strings.Join(g.rows[0][:min(len(g.rows[0]), 4)], ", ")))
		}
		return nil, &Error{fmt.Sprintf("the page holds %d tables: %s", len(tables), strings.Join(list, ", ")), "choose one with --table 1, 2, …"}
	}
	f := stream(tables[max(which, 1)-1].write)
	f.Notes = []string{"the table is read out of a web page or XML"}
	return f, nil
}

func (g *grid) width() (n int) {
	for _, row := range g.rows {
		n = max(n, len(row))
	}
	return n
}

// write writes the rows.
func (g *grid) write(w *rows) error {
	for k, row := range g.rows {
		if err := w.goTo(k); err != nil {
			return err
		}
		for i, text := range row {
			switch {
			case text == "":
			case k == 0 && !g.data:
				w.name(i, text)
			default:
				w.text(i, text)
			}
		}
	}
	return nil
}

// grids returns the tables of a page, in the order in which they begin.
func grids(data []byte) ([]*grid, error) {
	d := xml.NewDecoder(bytes.NewReader(skipped.ReplaceAll(data, nil)))
	d.Strict, d.Entity = false, xml.HTMLEntity
	// The data have already been converted to UTF-8.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var p page
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			p.endCell()
			return p.all, nil
		}
		if err != nil {
			return nil, &Error{"the page is broken: " + strings.TrimPrefix(err.Error(), "XML syntax error "), "copy its table into a CSV file"}
		}
		if p.skip(token) {
			continue
		}
		switch e := token.(type) {
		case xml.StartElement:
			p.start(e)
		case xml.EndElement:
			p.end(e)
		case xml.CharData:
			if p.cell != nil {
				p.cell.Write(e)
			}
		}
	}
}

// hidden matches a style with which a browser shows nothing.
var hidden = regexp.MustCompile(`(?i)(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))`)

// isHidden reports whether a reader of the page does not see an element, or sees it crossed out.
func isHidden(e xml.StartElement) bool {
	switch strings.ToLower(e.Name.Local) {
	case "s", "strike", "del":
		return true
	case "table", "br", "img", "hr", "input", "col", "wbr", "link", "meta": // have no end, or hold the data
		return false
	}
	for _, a := range e.Attr {
		if name := strings.ToLower(a.Name.Local); name == "hidden" || name == "style" && hidden.MatchString(a.Value) {
			return true
		}
	}
	return false
}

// skip reports whether a token belongs to an element that is hidden. A hidden cell is left empty.
func (p *page) skip(token xml.Token) bool {
	switch e := token.(type) {
	case xml.StartElement:
		name := strings.ToLower(e.Name.Local)
		if endsBefore(p.hides, name) {
			p.depth = 0
		}
		switch {
		case p.depth > 0 && name == p.hides:
			p.depth++
		case p.depth == 0 && isHidden(e):
			p.hides, p.depth = name, 1
			if isCell(name) {
				p.start(e)
			}
		}
	case xml.EndElement:
		if p.depth > 0 && strings.EqualFold(e.Name.Local, p.hides) {
			p.depth--
			return true
		}
	}
	return p.depth > 0
}

// endsBefore reports whether an element ends where the next one begins, even if its end is missing.
// So do cells and rows.
func endsBefore(element, next string) bool {
	return isCell(element) && (isCell(next) || next == "tr") || element == "tr" && next == "tr"
}

func isCell(element string) bool { return element == "td" || element == "th" }

// page holds the tables of a page while it is read.
type page struct {
	all, open  []*grid          // open: tables that have begun and not ended, each within the one before
	cell       *bytes.Buffer    // the text of the current cell; nil outside cells
	raised     int              // byte of the cell's text at which the last superscript or subscript begins
	attributes xml.StartElement // the start of the current cell
	hides      string           // name of the hidden element in lower case, if depth is above 0
	depth      int              // number of elements with this name that have begun and not ended
}

func (p *page) start(e xml.StartElement) {
	switch strings.ToLower(e.Name.Local) {
	case "table":
		p.cell = nil
		g := &grid{}
		p.open, p.all = append(p.open, g), append(p.all, g)
	case "tr", "row":
		p.endCell()
		if len(p.open) > 0 {
			p.open[len(p.open)-1].row()
		}
	case "td", "th", "cell":
		p.endCell()
		p.cell, p.attributes, p.raised = &bytes.Buffer{}, e, 0
	case "br", "p":
		if p.cell != nil {
			p.cell.WriteByte(' ')
		}
	case "sup", "sub":
		if p.cell != nil {
			p.raised = p.cell.Len()
			p.cell.WriteString(shifted(p.cell.String(), strings.EqualFold(e.Name.Local, "sup")))
		}
	}
}

func (p *page) end(e xml.EndElement) {
	switch strings.ToLower(e.Name.Local) {
	case "table":
		p.endCell()
		if len(p.open) > 0 {
			p.open = p.open[:len(p.open)-1]
		}
	case "td", "th", "cell", "tr", "row":
		p.endCell()
	case "sup":
		if p.cell != nil && footnote.Match(p.cell.Bytes()[p.raised:]) {
			p.cell.Truncate(p.raised)
		}
	}
}

// footnote matches a raised mark of a footnote in brackets, as in 2.5[1].
var footnote = regexp.MustCompile(`^\^?\s*\[[^\[\]]*\]\s*$`)

// endCell adds the current cell to its table.
func (p *page) endCell() {
	if p.cell != nil && len(p.open) > 0 {
		p.open[len(p.open)-1].add(strings.Join(strings.Fields(p.cell.String()), " "), p.attributes)
	}
	p.cell = nil
}

// shifted returns the mark to put between text and a superscript or subscript, so that 10³ and the
// footnote in 2.5¹ are not read as 103 and 2.51. The mark is "" if text does not end with a digit.
func shifted(text string, up bool) string {
	switch n := len(text); {
	case n == 0 || text[n-1] < '0' || text[n-1] > '9':
		return ""
	case up:
		return "^"
	}
	return "_"
}

// row adds a row to the table. It first copies the merged cells (rowspan) that reach down into the
// row's first columns.
func (g *grid) row() {
	g.rows = append(g.rows, nil)
	g.fill()
}

// fill adds the cells that extend from rows above into the last row (rowspan), up to the next
// column without such a cell.
func (g *grid) fill() {
	last := len(g.rows) - 1
	for again := true; again; {
		again = false
		for i := range g.spans {
			if s := &g.spans[i]; s.left > 0 && s.column == len(g.rows[last]) {
				g.rows[last] = append(g.rows[last], s.text)
				s.left--
				again = true
			}
		}
	}
}

// add adds a cell to the row.
func (g *grid) add(text string, e xml.StartElement) {
	if len(g.rows) == 0 {
		g.row()
	}
	number := func(name string) int {
		n, err := strconv.Atoi(attribute(e, name))
		if err != nil || n < 1 {
			return 1
		}
		return min(n, maxColumns)
	}
	last := len(g.rows) - 1
	g.data = g.data || last == 0 && !strings.EqualFold(e.Name.Local, "th")
	for n := number("Index") - 1; n > len(g.rows[last]) && attribute(e, "Index") != ""; {
		g.rows[last] = append(g.rows[last], "")
	}
	if down := number("rowspan"); down > 1 {
		g.spans = append(g.spans, span{text, len(g.rows[last]), down - 1})
	}
	g.rows[last] = append(g.rows[last], text)
	for range number("colspan") - 1 {
		g.rows[last] = append(g.rows[last], "")
	}
	g.fill()
}
