package bench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// csvColumn is a column of a CSV table of records of type R: its name, and functions that write and
// read a record's cell.
type csvColumn[R any] struct {
	name string
	cell func(*R) string
	set  func(*R, string) error
}

// columnOf returns the column for a field of type V. print and parse convert the field to and from
// the text of a cell.
func columnOf[R, V any](name string, field func(*R) *V, print func(V) string, parse func(string) (V, error)) csvColumn[R] {
	return csvColumn[R]{name,
		func(r *R) string { return print(*field(r)) },
		func(r *R, cell string) (err error) { *field(r), err = parse(cell); return err }}
}

func textColumn[R any](name string, field func(*R) *string) csvColumn[R] {
	same := func(s string) string { return s }
	return columnOf(name, field, same, func(s string) (string, error) { return s, nil })
}

func boolColumn[R any](name string, field func(*R) *bool) csvColumn[R] {
	return columnOf(name, field, strconv.FormatBool, strconv.ParseBool)
}

func intColumn[R any](name string, field func(*R) *int) csvColumn[R] {
	return columnOf(name, field, strconv.Itoa, strconv.Atoi)
}

func int64Column[R any](name string, field func(*R) *int64) csvColumn[R] {
	print := func(v int64) string { return strconv.FormatInt(v, 10) }
	return columnOf(name, field, print, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
}

func uint64Column[R any](name string, field func(*R) *uint64) csvColumn[R] {
	print := func(v uint64) string { return strconv.FormatUint(v, 10) }
	return columnOf(name, field, print, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
}

func floatColumn[R any](name string, field func(*R) *float64) csvColumn[R] {
	print := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return columnOf(name, field, print, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// knownColumn returns a column of numbers. The number 0 means unknown and is written as an empty
// cell.
func knownColumn[R any](name string, field func(*R) *float64) csvColumn[R] {
	c := floatColumn(name, field)
	print, parse := c.cell, c.set
	c.cell = func(r *R) string {
		if *field(r) == 0 {
			return ""
		}
		return print(r)
	}
	c.set = func(r *R, cell string) error {
		if cell == "" {
			return nil
		}
		return parse(r, cell)
	}
	return c
}

// optional returns a column for a pointer field. If the pointer is nil, the cell is empty.
// Otherwise the cell holds the value that the pointer points to. The function `of` makes a column
// for such a value itself.
func optional[R, V any](name string, field func(*R) **V, of func(string, func(*V) *V) csvColumn[V]) csvColumn[R] {
	value := of(name, func(v *V) *V { return v })
	return csvColumn[R]{name,
		func(r *R) string {
			if v := *field(r); v != nil {
				return value.cell(v)
			}
			return ""
		},
		func(r *R, cell string) error {
			if cell == "" {
				return nil
			}
			*field(r) = new(V)
			return value.set(*field(r), cell)
		}}
}

// header returns the names of columns.
func header[R any](columns []csvColumn[R]) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// writeTable writes records as CSV, with a header.
func writeTable[R any](w io.Writer, columns []csvColumn[R], records []R) error {
	out := csv.NewWriter(w)
	if err := out.Write(header(columns)); err != nil {
		return err
	}
	cells := make([]string, len(columns))
	for i := range records {
		for k, c := range columns {
			cells[k] = c.cell(&records[i])
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// readTable reads a table that writeTable wrote with the same columns. Errors start with name.
func readTable[R any](r io.Reader, name string, columns []csvColumn[R]) ([]R, error) {
	want := strings.Join(header(columns), ", ")
	in := csv.NewReader(r)
	first, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s is empty: expected the columns %s", name, want)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case strings.Join(first, ", ") != want:
		return nil, fmt.Errorf("%s has the columns %s; expected %s; write it anew with physlib bench collect",
			name, strings.Join(first, ", "), want)
	}
	var records []R
	for n := 1; ; n++ {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return records, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var r R
		for k, c := range columns {
			if err := c.set(&r, cells[k]); err != nil {
				return nil, fmt.Errorf("%s, row %d, column %s: %w", name, n, c.name, err)
			}
		}
		records = append(records, r)
	}
}
