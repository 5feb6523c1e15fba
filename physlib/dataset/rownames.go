package dataset

import (
	"bytes"
	"strconv"
	"strings"
)

// NamedRows is the largest number of rows that RowNames lists one by one.
const NamedRows = 8

// RowNames returns text such as "rows 3, 9 and 12 of the file" for rows of t. The numbers are those
// of the rows in the file. If t is not from a file, rows are counted from 1.
func (t *Table) RowNames(rows []int) string {
	var numbers []string
	for _, i := range rows[:min(len(rows), NamedRows)] {
		if t.FileRows != nil {
			i = t.FileRows[i] - 1
		}
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	if more := len(rows) - NamedRows; more > 0 {
		numbers = append(numbers, strconv.Itoa(more)+" more")
	}
	which, of, last := "row ", " of the numbers", len(numbers)-1
	if t.FileRows != nil {
		of = " of the file"
	}
	if last == 0 {
		return which + numbers[0] + of
	}
	return "rows " + strings.Join(numbers[:last], ", ") + " and " + numbers[last] + of
}

// rowNames adds an empty cell at the start of the header if all rows have one cell more than the
// header. The first cell of each row is then the name of the row: a quoted text or a row number, as
// R's write.table and pandas write it. The header is not changed if the additional cell may come
// from a separator within a number. For example, the rows 1,234,2 and 1,2,345 may contain the
// numbers 1,234 and 2,345, and the row 1,2,03 contains 2,03.
func (t *reader) rowNames(body []record) {
	h, sep := t.layout.header, t.layout.sep
	n := len(splitHeader(h.text, sep))
	var rows []record
	i, thousands, last, full := 0, sep == ',', sep == ',', false
	short := func(cell []byte) bool { return len(cell) <= 3 && len(bytes.Trim(cell, "0123456789")) == 0 }
	for _, r := range body {
		cells := splitRow(nil, r.text, sep)
		if !numberRow(cells) || filled(cells) == 1 || bytes.ContainsAny(cells[0][:min(1, len(cells[0]))], "[(*") {
			continue // a row of types below the header, or a footer
		}
		quoted := bytes.HasPrefix(bytes.TrimSpace(r.text), []byte{'"'})
		if len(cells) != n+1 {
			return
		}
		name := strings.TrimSuffix(string(cells[0]), ".") // Stata writes the row number 1 as "1."
		numbered := n > 1 && len(body) > 2 && (name == strconv.Itoa(i) || name == strconv.Itoa(i+1))
		if !quoted && !numbered && kindOf(cells[0]) != textKind {
			return
		}
		full = full || len(cells[n]) > 0
		rows = append(rows, r)
		thousands = thousands && !quoted && short(cells[1]) && len(cells[1]) == 3
		last = last && !quoted && short(cells[n]) && len(cells[n]) == 3 && short(cells[n-1])
		i++
	}
	// If full is false, the last cell is empty in all rows: a separator ends each row, and there
	// are not row names.
	if i < 2 || thousands || last || !full {
		return
	}
	if number, sure := tornNumber(rows, sep); number != "" && !(sep == ',' && t.options.Decimal == '.') {
		if sure || sep == ',' && t.options.Decimal == ',' {
			return
		}
		write := "separate the cells by semicolons"
		if sep == spaces {
			write = "write it without the blank"
		}
		t.warn("row %d has %d cells and the header %d names, so the first cell is read as the name of the row; if %s is one number, %s; else name the first column", rows[0].row, n+1, n, quote([]byte(number)), write)
	}
	h.text = append([]byte{'"', '"', sep}, h.text...)
	t.layout.labels = true
}
