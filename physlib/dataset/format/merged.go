package format

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// shape holds the merged cells, hidden rows and hidden columns of a sheet, and how its cells show
// their values.
type shape struct {
	merged   []area
	rows     []int // hidden rows, counted from 1
	columns  []int
	percents percents
	truths   truths
}

// area is the range of a merged cell: its first and last row and column, counted from 0.
type area struct{ top, left, bottom, right int }

// tall reports whether a merged cell covers several rows of one column. Its value then counts for
// each of these rows. A merged cell that covers several columns is a title.
func (a area) tall() bool { return a.bottom > a.top && a.right == a.left }

// tops returns the last row of each tall merged cell, by its first row and column.
func (s shape) tops() map[[2]int]int {
	tops := map[[2]int]int{}
	for _, a := range s.merged {
		if a.tall() {
			tops[[2]int{a.top, a.left}] = a.bottom
		}
	}
	return tops
}

// notes returns messages about merged and hidden cells, one line each.
func (s shape) notes() (notes []string) {
	n, first := 0, area{}
	for _, a := range s.merged {
		if a.tall() {
			if n++; n == 1 {
				first = a
			}
		}
	}
	if n > 0 {
		notes = append(notes, fmt.Sprintf("%s: all rows of a merged cell get its value, first in rows %d to %d of column %d", spelling.Count(n, "merged cell"), first.top+1, first.bottom+1, first.left+1))
	}
	if n := len(s.rows); n > 0 {
		notes = append(notes, fmt.Sprintf("%s read as well, first row %d: delete rows that should not count", hiddenText(n, "row"), s.rows[0]))
	}
	if n := len(s.columns); n > 0 {
		notes = append(notes, fmt.Sprintf("%s read as well, first column %d: --ignore leaves columns out", hiddenText(n, "column"), s.columns[0]))
	}
	return append(notes, s.percents.notes...)
}

func hiddenText(n int, what string) string {
	if n == 1 {
		return "1 hidden " + what + " of the sheet is"
	}
	return fmt.Sprintf("%d hidden %ss of the sheet are", n, what)
}

// excelShape reads the shape of a sheet. percent says which styles show numbers in per cent.
func (a *archive) excelShape(name string, percent []bool) (s shape, err error) {
	if !slices.Contains(percent, true) && !a.mentions(name, "mergeCell ", "hidden=", `t="b"`) {
		return s, nil
	}
	r, err := a.open(a.file(name))
	if err != nil {
		return s, err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	x := shapeReader{at: beforeSheet, percent: percent}
	inValue := false
	for {
		token, err := d.RawToken()
		if err != nil {
			break // errors are reported later, when the cells are read
		}
		e, ok := token.(xml.StartElement)
		if text, is := token.(xml.CharData); is && inValue {
			x.value(string(text))
		}
		inValue = ok && e.Name.Local == "v"
		if ok {
			x.start(e)
		}
	}
	s = x.shape
	for len(s.columns) > 0 && s.columns[len(s.columns)-1] > x.last { // to the right of the table
		s.columns = s.columns[:len(s.columns)-1]
	}
	return s, nil
}

// shapeReader reads the shape of a sheet of Excel. The cells are read in a second pass, because
// merged cells are listed below them. Also, per cents and truth values may begin in any row of a
// column.
type shapeReader struct {
	shape   shape
	percent []bool // whether each style shows numbers in per cent
	at      position
	kind    string // of the current cell
	style   int
	last    int // the last column with a cell, counted from 1
}

// start reads the start of an XML element.
func (x *shapeReader) start(e xml.StartElement) {
	s := &x.shape
	switch e.Name.Local {
	case "row":
		x.at.startRow(e)
		if isTrue(attribute(e, "hidden")) {
			s.rows = append(s.rows, x.at.row+1)
		}
	case "c":
		x.at.startCell(e)
		x.last = max(x.last, x.at.column+1)
		x.kind = cmp.Or(attribute(e, "t"), "n")
		x.style, _ = strconv.Atoi(attribute(e, "s"))
		if x.kind == "s" || x.kind == "str" || x.kind == "inlineStr" {
			s.percents.text(x.at.column + 1)
		}
	case "col":
		s.columns = append(s.columns, hiddenColumns(e)...)
	case "mergeCell":
		if m, ok := areaOf(attribute(e, "ref")); ok {
			s.merged = append(s.merged, m)
		}
	}
}

// value reads the value of the current cell.
func (x *shapeReader) value(text string) {
	column := x.at.column + 1
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case x.kind == "b":
		x.shape.truths.see(column, true)
	case x.kind == "n" && err == nil:
		x.shape.truths.see(column, false)
		x.shape.percents.number(x.at.row+1, column, v, x.style >= 0 && x.style < len(x.percent) && x.percent[x.style])
	}
}

func isTrue(s string) bool { return s == "1" || s == "true" }

// hiddenColumns returns the columns that an XML element hides, counted from 1.
func hiddenColumns(e xml.StartElement) (columns []int) {
	low, errLow := strconv.Atoi(attribute(e, "min"))
	high, errHigh := strconv.Atoi(attribute(e, "max"))
	if !isTrue(attribute(e, "hidden")) || errLow != nil || errHigh != nil {
		return nil
	}
	for k := max(low, 1); k <= min(high, maxColumns); k++ {
		columns = append(columns, k)
	}
	return columns
}

// areaOf reads a reference such as A2:A5.
func areaOf(reference string) (a area, ok bool) {
	from, to, ok := strings.Cut(reference, ":")
	row := func(cell string) int {
		n, err := strconv.Atoi(strings.TrimLeft(cell, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		if err != nil {
			return 0
		}
		return n
	}
	a = area{row(from) - 1, columnOf(from), row(to) - 1, columnOf(to)}
	return a, ok && a.top >= 0 && a.left >= 0 && a.bottom >= a.top && a.right >= a.left && a.bottom < maxRows && a.right < maxColumns
}

// keep records that cell n is written. If the cell is merged with cells below, it also stores the
// text for them.
func (r *rows) keep(n int, text string) {
	r.written = n + 1
	if last, ok := r.merged[[2]int{r.line, n}]; ok {
		if r.held == nil {
			r.held = map[int]held{}
		}
		r.held[n] = held{text, last}
	}
}

// fill writes the value of a merged cell from above into the current cell, if the current cell is
// empty.
func (r *rows) fill() {
	if r.held == nil || r.written > r.cells {
		return
	}
	if h, ok := r.held[r.cells]; ok && r.line <= h.last {
		r.out().WriteString(h.text)
	}
}

// fillRow writes the values of merged cells at the end of a row, unless the row is empty.
func (r *rows) fillRow() {
	if !r.some || r.held == nil {
		return
	}
	for n, h := range r.held {
		if r.line <= h.last {
			r.skip(n)
		}
	}
	r.fill()
}

// mentions reports whether a file of the archive contains one of the texts.
func (a *archive) mentions(name string, texts ...string) bool {
	r, err := a.open(a.file(name))
	if err != nil {
		return false
	}
	defer r.Close()
	const overlap = 32
	block := make([]byte, 1<<18)
	kept := 0
	for {
		n, err := io.ReadFull(r, block[kept:])
		part := block[:kept+n]
		for _, text := range texts {
			if bytes.Contains(part, []byte(text)) {
				return true
			}
		}
		if err != nil {
			return false
		}
		kept = copy(block, part[len(part)-overlap:])
	}
}

// odsShape reads the shape of the sheet with the given name.
func (a *archive) odsShape(name string) (s shape, err error) {
	if !a.mentions("content.xml", "-rows-spanned=", ":visibility=", `="percentage"`) {
		return s, nil
	}
	r, err := a.open(a.file("content.xml"))
	if err != nil {
		return s, err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	inside, row, column, columns := false, 0, 0, 0
	for {
		token, err := d.RawToken()
		if err != nil {
			return s, nil // errors are reported later, when the sheet is read again
		}
		e, ok := token.(xml.StartElement)
		if end, is := token.(xml.EndElement); is && end.Name.Local == "table" && inside {
			return s, nil
		}
		switch {
		case !ok:
		case e.Name.Local == "table":
			inside = attribute(e, "name") == name
		case !inside:
		case e.Name.Local == "table-column":
			n := repeated(e, "number-columns-repeated")
			for k := range odsHidden(e, n, maxColumns) {
				s.columns = append(s.columns, columns+k+1)
			}
			columns += n
		case e.Name.Local == "table-row":
			n := repeated(e, "number-rows-repeated")
			for k := range odsHidden(e, n, maxRows) {
				s.rows = append(s.rows, row+k+1)
			}
			row += n
			column = 0
		case e.Name.Local == "table-cell" || e.Name.Local == "covered-table-cell":
			if down, right := repeated(e, "number-rows-spanned"), repeated(e, "number-columns-spanned"); down > 1 {
				s.merged = append(s.merged, area{row - 1, column, row - 2 + down, column + right - 1})
			}
			column++
			switch kind := attribute(e, "value-type"); kind {
			case "float", "percentage":
				if v, err := strconv.ParseFloat(attribute(e, "value"), 64); err == nil {
					s.percents.number(row, column, v, kind == "percentage")
				}
			case "string":
				s.percents.text(column)
			}
			column += repeated(e, "number-columns-repeated") - 1
		}
	}
}

// odsHidden returns how many of the n rows or columns that an XML element describes are hidden: n
// or 0. Empty ones at the end of a sheet are not counted.
func odsHidden(e xml.StartElement, n, limit int) int {
	if v := attribute(e, "visibility"); (v == "collapse" || v == "filter") && n < limit/2 {
		return n
	}
	return 0
}
