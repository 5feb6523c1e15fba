package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// openODS reads a spreadsheet in OpenDocument (ISO/IEC 26300).
func (a *archive) openODS(sheet string) (*File, error) {
	content := a.file("content.xml")
	names, filled, err := a.tables(content)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &Error{"this OpenDocument file holds no table", "give a spreadsheet, or CSV"}
	}
	shown := names
	if sheet == "" {
		shown = nil
		for i, n := range names {
			if filled[i] || len(names) == 1 {
				shown = append(shown, n)
			}
		}
	}
	k, err := sheetIndex(shown, sheet, "sheet", "the workbook")
	if err != nil {
		return nil, err
	}
	r, err := a.open(content)
	if err != nil {
		return nil, err
	}
	shape, err := a.odsShape(shown[k])
	if err != nil {
		return nil, err
	}
	f := stream(func(w *rows) error {
		defer r.Close()
		w.merged = shape.tops()
		return odsSheet(r, shown[k], w)
	})
	if len(names) > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("sheet %s of the workbook is read", shown[k]))
	}
	f.Notes = append(f.Notes, shape.notes()...)
	return f, nil
}

// tables lists the sheets, and reports which of them are not empty.
func (a *archive) tables(content interface{ Open() (io.ReadCloser, error) }) (names []string, filled []bool, err error) {
	r, err := a.open(a.file("content.xml"))
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return names, filled, nil
		}
		if err != nil {
			return nil, nil, &Error{"the workbook is broken: " + err.Error(), "save it again, or as CSV"}
		}
		s, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case s.Name.Local == "table":
			names, filled = append(names, attribute(s, "name")), append(filled, false)
		case s.Name.Local == "table-cell" && len(filled) > 0 && attribute(s, "value-type") != "":
			filled[len(filled)-1] = true
		}
	}
}

// odsCells is a number or text in one or several neighbouring cells of a row.
type odsCells struct {
	first, count int
	text         string
	value        *float64 // nil if the cells hold text
}

// repeat writes rows first to end-1, which all consist of the given cells. Without cells, the rows
// are left empty.
func (r *rows) repeat(cells []odsCells, first, end int) error {
	if len(cells) == 0 {
		return nil
	}
	for row := first; row < end; row++ {
		if err := r.goTo(row); err != nil {
			return err
		}
		for _, c := range cells {
			for k := c.first; k < c.first+c.count; k++ {
				if c.value != nil {
					r.number(k, *c.value)
				} else {
					r.text(k, c.text)
				}
			}
		}
	}
	return nil
}

// odsSheet writes the cells of the sheet with the given name.
func odsSheet(r io.Reader, name string, w *rows) error {
	d := xml.NewDecoder(r)
	inside := false
	row, next, column := 0, 0, 0
	var cells []odsCells
	style, positions := "", map[string]string{} // position of text by style, as super 58%
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.EndElement); ok && inside {
			switch e.Name.Local {
			case "table":
				return nil
			case "table-row":
				if err := w.repeat(cells, row, next); err != nil {
					return err
				}
			}
		}
		s, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch s.Name.Local {
		case "style":
			style = attribute(s, "name")
		case "text-properties":
			positions[style] = attribute(s, "text-position")
		case "table":
			inside = attribute(s, "name") == name
		case "table-row":
			row, column, cells = next, 0, cells[:0]
			next += repeated(s, "number-rows-repeated")
		case "table-cell", "covered-table-cell":
			if !inside {
				continue
			}
			n := repeated(s, "number-columns-repeated")
			text, value, err := odsCell(d, s, positions)
			if err != nil {
				return err
			}
			if text != "" || value != nil {
				if next > maxRows || column+n > maxColumns {
					return &Error{fmt.Sprintf("the sheet has more than %d rows or %d columns", maxRows, maxColumns), "save it as CSV"}
				}
				cells = append(cells, odsCells{column, n, text, value})
			}
			column += n
		}
	}
}

// repeated returns how often a cell or row is repeated: the number in the attribute with the given
// name, or 1 without such a number.
func repeated(s xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(s, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<24)
}

// odsCell returns a cell as text or as a number, and moves past it. positions holds, for each style
// of text, the position of the text, such as super 58%.
func odsCell(d *xml.Decoder, s xml.StartElement, positions map[string]string) (text string, value *float64, err error) {
	var b strings.Builder
	depth, paragraphs, note := 1, 0, 0
	for depth > 0 {
		token, err := d.Token()
		if err != nil {
			return "", nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			switch e.Name.Local {
			case "annotation":
				note = depth
			case "p":
				if paragraphs++; paragraphs > 1 && note == 0 {
					b.WriteByte(' ')
				}
			case "span":
				if at := positions[attribute(e, "style-name")]; note == 0 && strings.HasPrefix(at, "su") {
					b.WriteString(shifted(b.String(), strings.HasPrefix(at, "super")))
				}
			case "s", "tab":
				b.WriteByte(' ')
			}
		case xml.EndElement:
			if note == depth {
				note = 0
			}
			depth--
		case xml.CharData:
			if note == 0 && depth > 1 {
				b.Write(e)
			}
		}
	}
	switch attribute(s, "value-type") {
	case "float", "percentage", "currency":
		if v, err := strconv.ParseFloat(attribute(s, "value"), 64); err == nil && !strings.HasPrefix(b.String(), "#") {
			return "", &v, nil
		}
	case "date":
		if v := attribute(s, "date-value"); v != "" {
			return strings.TrimSuffix(v, "T00:00:00"), nil, nil
		}
	case "time":
		if t, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(attribute(s, "time-value"), "PT"))); err == nil {
			return clockText(t.Seconds()), nil, nil
		}
	}
	return b.String(), nil, nil
}
