package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// perByte is the approximate number of bytes of memory needed for each byte of JSON.
const perByte = 8

// jsonTable is a table in JSON: names, and rows of cells as they are written.
type jsonTable struct {
	names []string
	index map[string]int
	last  []int // for each column, the number of the last record that has it, from 1
	rows  [][]any
	notes []string
}

// OpenJSON reads a table in JSON: an array of objects or rows, an object of columns, or one object
// per line. The table may be a member of an object. All layouts that pandas writes ("orient") are
// accepted, and JSON5 and literals of Python as well. Objects inside a row become columns such as
// pos.x. limit is the largest number of bytes to read.
func OpenJSON(r io.Reader, limit int64) (*File, error) {
	limit /= perByte
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &Error{"the file is larger than memory allows", "save the table as CSV"}
	}
	values, err := jsonValues(data)
	if err != nil && noNumber.Match(data) { // NaN and Infinity, as Python writes them
		values, err = jsonValues(noNumber.ReplaceAll(data, []byte(`$1"$2"`)))
	}
	relaxed := false
	if err != nil {
		if other, broken := jsonValues(json5(data)); broken == nil {
			values, err, relaxed = other, nil, true
		}
	}
	if err != nil {
		return nil, err
	}
	t := &jsonTable{index: map[string]int{}}
	if relaxed {
		t.notes = append(t.notes, "the file is read as JSON5, with comments, single quotes, bare names or commas at the end")
	}
	if len(values) > 1 {
		err = t.records(values)
	} else {
		err = t.find(values[0], "", 0)
	}
	if err != nil {
		return nil, err
	}
	f := stream(t.write)
	f.Notes = t.notes
	return f, nil
}

// noNumber matches NaN and infinities. Python writes them, though they are not valid JSON.
var noNumber = regexp.MustCompile(`([:,\[]\s*)(-?Infinity|NaN)\b`)

// jsonValues reads the sequence of values in data.
func jsonValues(data []byte) (values []any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		v, err := orderedValue(d)
		if err == io.EOF && len(values) > 0 {
			return values, nil
		}
		if err != nil {
			line := 1 + bytes.Count(data[:min(int(d.InputOffset()), len(data))], []byte{'\n'})
			return nil, &Error{fmt.Sprintf("this is not complete JSON: %s, in line %d", brokenJSON(err), line), "check that the file is complete, or save the table as CSV"}
		}
		values = append(values, v)
	}
}

// brokenJSON explains why JSON cannot be read.
func brokenJSON(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF || strings.Contains(err.Error(), "unexpected end") {
		return "it ends too early"
	}
	return err.Error()
}

// member is a name with its value in an object. The order of members is kept.
type member struct {
	name  string
	value any
}

// orderedValue reads a value: []member, []any, string, json.Number, bool or nil.
func orderedValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := orderedValue(d)
			if err != nil {
				return nil, unexpectedEnd(err)
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, unexpectedEnd(err)
	case json.Delim('{'):
		members := []member{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, unexpectedEnd(err)
			}
			v, err := orderedValue(d)
			if err != nil {
				return nil, unexpectedEnd(err)
			}
			members = append(members, member{fmt.Sprint(name), v})
		}
		_, err = d.Token()
		return members, unexpectedEnd(err)
	}
	return token, nil
}

// unexpectedEnd returns err, or io.ErrUnexpectedEOF if err is io.EOF.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// notTable is the error of JSON without a table.
func notTable(where string) error {
	what := "this JSON holds no table"
	if where != "" {
		what = fmt.Sprintf("this JSON holds no table in %q", where)
	}
	return &Error{what, `write [{"x": 1, "y": 2}, …], {"x": [1, 2], "y": [3, 4]}, or CSV`}
}

// find reads the table in v, a member with the given name. depth is the number of objects around
// it.
func (t *jsonTable) find(v any, name string, depth int) error {
	switch v := v.(type) {
	case []any:
		return t.records(v)
	case []member:
		if ok, err := t.split(v); ok {
			return err
		}
		if rows := rowsOf(v); rows != nil {
			return t.records(rows)
		}
		if ok, err := t.columns(v); ok {
			return err
		}
		var tables []member
		for _, m := range v {
			if isTable(m.value) {
				tables = append(tables, m)
			}
		}
		if len(tables) == 1 && depth < 4 {
			t.notes = append(t.notes, fmt.Sprintf("the table is its member %q", tables[0].name))
			return t.find(tables[0].value, tables[0].name, depth+1)
		}
		if len(tables) > 1 {
			return &Error{fmt.Sprintf("this JSON holds %d tables: %s", len(tables), memberNames(tables)), "save the one that is meant in a file of its own"}
		}
	}
	return notTable(name)
}

// memberNames lists the names of at most eight members.
func memberNames(members []member) (text string) {
	for i, m := range members {
		switch {
		case i == 8:
			return text + ", …"
		case i > 0:
			text += ", "
		}
		text += m.name
	}
	return text
}

// isTable reports whether a value may contain a table: a list of objects or lists, or an object
// that contains lists or objects.
func isTable(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) > 1 && !isScalar(v[0])
	case []member:
		return len(v) > 0 && slices.ContainsFunc(v, func(m member) bool { return !isScalar(m.value) })
	}
	return false
}

// isPlain reports whether an object has only members with one value, and their names are not
// numbers of rows.
func isPlain(object []member) bool {
	return !slices.ContainsFunc(object, func(m member) bool {
		_, err := strconv.Atoi(m.name)
		return err == nil || !isScalar(m.value)
	})
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, []member:
		return false
	}
	return true
}

// split reads an object in pandas' orientation "split": it has the members columns and data.
func (t *jsonTable) split(v []member) (bool, error) {
	at := func(name string) []any {
		i := slices.IndexFunc(v, func(m member) bool { return m.name == name })
		if i < 0 {
			return nil
		}
		list, _ := v[i].value.([]any)
		return list
	}
	names, data := at("columns"), at("data")
	if names == nil || data == nil || slices.ContainsFunc(names, func(n any) bool { return !isScalar(n) }) {
		return false, nil
	}
	for _, n := range names {
		if n == nil {
			n = ""
		}
		t.names, t.last = append(t.names, fmt.Sprint(n)), append(t.last, 0)
	}
	return true, t.records(data)
}

// rowsOf returns the rows in pandas' orientations "table", with the members schema and data, and
// "index", with a member for each row, called by its number. It returns nil for other objects.
func rowsOf(v []member) (rows []any) {
	if len(v) == 2 && v[0].name == "schema" && v[1].name == "data" {
		rows, _ = v[1].value.([]any)
		return rows
	}
	for _, m := range v {
		row, _ := m.value.([]member)
		if _, err := strconv.Atoi(m.name); err != nil || !isPlain(row) || len(row) == 0 {
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// columns reads an object of columns. These are lists, or objects with a member for each row.
func (t *jsonTable) columns(v []member) (bool, error) {
	columns := map[string][]any{}
	rows := 0
	var names []string
	for _, m := range v {
		list, ok := m.value.([]any)
		if object, is := m.value.([]member); is {
			if isPlain(object) {
				continue // settings, such as {"n": 3}
			}
			for _, cell := range object {
				if _, err := strconv.Atoi(cell.name); err != nil {
					return false, nil
				}
				list, ok = append(list, cell.value), true
			}
		}
		if !ok || slices.ContainsFunc(list, func(v any) bool { return !isScalar(v) }) {
			if ok {
				return false, nil
			}
			continue // a member that is not a column, such as a title or a note
		}
		if _, twice := columns[m.name]; twice {
			return true, &Error{fmt.Sprintf("the column %s occurs twice", m.name), "give each column a name of its own"}
		}
		names = append(names, m.name)
		columns[m.name] = list
		rows = max(rows, len(list))
	}
	if len(names) < 2 || rows < 1 {
		return false, nil
	}
	for _, name := range names {
		if n := len(columns[name]); n != rows {
			return true, &Error{fmt.Sprintf("the column %s has %d values, and others have %d", name, n, rows), "give all columns as many values; null marks a missing one"}
		}
	}
	for _, name := range names {
		t.column(name)
	}
	if len(names) < len(v) {
		t.notes = append(t.notes, fmt.Sprintf("%d members that are not columns are left out", len(v)-len(names)))
	}
	for k := range rows {
		row := make([]any, len(names))
		for i, name := range names {
			row[i] = columns[name][k]
		}
		t.rows = append(t.rows, row)
	}
	return true, nil
}

// column returns the index of a column. It adds the column if it is new.
func (t *jsonTable) column(name string) int {
	i, ok := t.index[name]
	if !ok {
		i = len(t.names)
		t.names, t.last = append(t.names, name), append(t.last, 0)
		t.index[name] = i
	}
	return i
}

// records reads rows. These are objects with a member for each column, or lists.
func (t *jsonTable) records(list []any) error {
	objects := false
	for k, v := range list {
		switch v := v.(type) {
		case []member:
			objects = true
			t.rows = append(t.rows, nil)
			if err := t.record(v, "", k); err != nil {
				return err
			}
		case []any:
			if objects || slices.ContainsFunc(v, func(c any) bool { return !isScalar(c) }) {
				return notTable("")
			}
			t.rows = append(t.rows, v)
		default:
			return notTable("")
		}
	}
	if len(t.rows) == 0 {
		return notTable("")
	}
	return nil
}

// record reads an object as row k. prefix is put in front of its names.
func (t *jsonTable) record(v []member, prefix string, k int) error {
	for _, m := range v {
		name := prefix + m.name
		switch inner := m.value.(type) {
		case []member:
			if err := t.record(inner, name+".", k); err != nil {
				return err
			}
			continue
		case []any:
			return &Error{fmt.Sprintf("record %d: %s is a list, and a cell holds one value", k+1, name), "give a record for each value"}
		}
		i := t.column(name)
		if t.last[i] == k+1 {
			return &Error{fmt.Sprintf("record %d: the key %s occurs twice", k+1, name), "give each value a key of its own"}
		}
		t.last[i] = k + 1
		for len(t.rows[k]) <= i {
			t.rows[k] = append(t.rows[k], nil)
		}
		t.rows[k][i] = m.value
	}
	return nil
}

// write writes the names, and the rows below them.
func (t *jsonTable) write(w *rows) error {
	for i, name := range t.names {
		w.name(i, name)
	}
	line := min(len(t.names), 1)
	for _, row := range t.rows {
		if err := w.goTo(line); err != nil {
			return err
		}
		line++
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				w.skip(i)
			case bool:
				w.number(i, map[bool]float64{true: 1}[v])
			case json.Number:
				w.skip(i)
				w.out().WriteString(v.String())
			default:
				w.text(i, fmt.Sprint(v))
			}
		}
	}
	return nil
}
