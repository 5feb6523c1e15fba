package format

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/spelling"
)

// array is the header of a NumPy array
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
type array struct {
	fields  []field
	size    int // bytes of an element
	fortran bool
	shape   []int
	data    io.Reader
}

var little = binary.LittleEndian

// broken returns the error of a damaged array.
func broken(format string, args ...any) error {
	return &Error{"the NumPy array is broken: " + fmt.Sprintf(format, args...), "save it again by numpy.save"}
}

// openArray reads a .npy file. size is its number of bytes.
func openArray(r io.Reader, size int64) (*File, error) {
	a, err := arrayHeader(r)
	if err != nil {
		return nil, err
	}
	if err := a.isTable(size); err != nil {
		return nil, err
	}
	return stream(func(w *rows) error { return a.write(w) }), nil
}

// arrayHeader reads the header of an array.
func arrayHeader(r io.Reader) (*array, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:8]); err != nil || string(head[:6]) != "\x93NUMPY" {
		return nil, broken("it has no header")
	}
	length := 2
	if head[6] > 1 {
		length = 4
	}
	if _, err := io.ReadFull(r, head[8:8+length]); err != nil {
		return nil, broken("it ends in its header")
	}
	n := int(binary.LittleEndian.Uint16(head[8:]))
	if length == 4 {
		n = int(binary.LittleEndian.Uint32(head[8:]))
	}
	if n > 1<<20 {
		return nil, broken("its header is longer than 1 MB")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, broken("it ends in its header")
	}
	p := &literal{text: string(text)}
	dict, ok := p.value().(map[string]any)
	if !ok || p.bad {
		return nil, broken("its header is %.40q", text)
	}
	a := &array{data: r}
	a.fortran, _ = dict["fortran_order"].(bool)
	shape, ok := dict["shape"].([]any)
	if !ok {
		return nil, broken("it has no shape")
	}
	for _, s := range shape {
		k, ok := s.(int)
		if !ok || k < 0 {
			return nil, broken("its shape is %v", shape)
		}
		a.shape = append(a.shape, k)
	}
	return a, a.types(dict["descr"])
}

// types reads the type of the elements: a single type, or a list of named fields.
func (a *array) types(descr any) error {
	switch d := descr.(type) {
	case string:
		f, err := fieldType(d)
		if err != nil {
			return err
		}
		a.fields, a.size = []field{f}, f.size
		return nil
	case []any:
		for _, item := range d {
			pair, ok := item.([]any)
			if !ok || len(pair) < 2 {
				return broken("its fields are %v", d)
			}
			name, okName := pair[0].(string)
			code, okCode := pair[1].(string)
			if !okName || !okCode || len(pair) > 2 {
				return &Error{fmt.Sprintf("the field %v of the array holds fields or arrays itself", pair[0]), "save plain columns"}
			}
			f, err := fieldType(code)
			if err != nil {
				return err
			}
			f.name, f.at = name, a.size
			a.size += f.size
			if name != "" || f.kind != 'V' { // unnamed fields of kind V are padding
				a.fields = append(a.fields, f)
			}
		}
		if len(a.fields) > 0 {
			return nil
		}
	}
	return broken("it has no type")
}

// isTable checks that the array is a table.
func (a *array) isTable(size int64) error {
	if len(a.shape) != 2 && !(len(a.shape) == 1 && len(a.fields) > 1) {
		if len(a.shape) == 1 {
			what := "numbers"
			if k := a.fields[0].kind; k == 'S' || k == 'U' {
				what = "texts"
			}
			return &Error{fmt.Sprintf("the array has one column of %d %s only", a.shape[0], what), "save variables and target as the columns of one array"}
		}
		return &Error{fmt.Sprintf("the array has %d dimensions", len(a.shape)), "save a table of rows and columns"}
	}
	n := int64(a.size)
	for _, k := range a.shape {
		if n *= int64(k); n < 0 || int64(k) > 1<<40 || n > 1<<50 {
			return broken("its shape is %v", a.shape)
		}
	}
	if size >= 0 && n > size {
		return broken("it ends before its %d rows do", a.shape[0])
	}
	if len(a.shape) == 2 && a.shape[1] > 1<<20 {
		return &Error{fmt.Sprintf("the array has %d columns", a.shape[1]), "transpose it if its rows are columns"}
	}
	return nil
}

// write writes the rows. If the array has fields, their names come first.
func (a *array) write(w *rows) error {
	if a.fields[0].name != "" {
		for i, f := range a.fields {
			w.name(i, f.name)
		}
		if err := w.goTo(1); err != nil {
			return err
		}
	}
	count, columns := a.shape[0], 1
	if len(a.shape) == 2 {
		columns = a.shape[1]
	}
	line := make([]byte, a.size*columns)
	var all []byte
	if a.fortran && columns > 1 {
		all = make([]byte, len(line)*count)
		if _, err := io.ReadFull(a.data, all); err != nil {
			return broken("it ends before its %d rows do", count)
		}
	}
	for k := range count {
		if all != nil {
			for c := range columns {
				copy(line[c*a.size:(c+1)*a.size], all[(c*count+k)*a.size:])
			}
		} else if _, err := io.ReadFull(a.data, line); err != nil {
			return broken("it ends in row %d of %d", k+1, count)
		}
		for c := range columns {
			for i, f := range a.fields {
				f.write(w, c*len(a.fields)+i, line[c*a.size+f.at:][:f.size])
			}
		}
		if err := w.goTo(w.line + 1); err != nil {
			return err
		}
	}
	return a.end()
}

// end checks that nothing follows the array. In an archive, reading to the end also verifies the
// checksum.
func (a *array) end() error {
	var more [1]byte
	switch _, err := io.ReadFull(a.data, more[:]); err {
	case io.EOF:
		return nil
	case nil:
		return broken("it holds more than the %d rows that its header says", a.shape[0])
	default:
		return broken("%v", err)
	}
}

// openArrays reads a .npz file. It returns the requested array or the only array that is a table.
// Otherwise it joins, as columns, the one-dimensional arrays that have the most frequent length.
func (a *archive) openArrays(files []*zip.File, sheet string) (*File, error) {
	var names []string
	var tables []int
	var columns []*array
	var lengths []string // lengths of the one-dimensional arrays
	for i, f := range files {
		name := strings.TrimSuffix(f.Name, ".npy")
		names = append(names, name)
		if sheet != "" {
			continue
		}
		r, err := a.open(f)
		if err != nil {
			return nil, err
		}
		h, err := arrayHeader(r)
		if err != nil {
			return nil, err
		}
		if h.isTable(-1) == nil {
			tables = append(tables, i)
		}
		if len(h.shape) == 1 {
			lengths = append(lengths, fmt.Sprintf("%s %d", name, h.shape[0]))
		}
		if len(h.shape) == 1 && len(h.fields) == 1 {
			h.fields[0].name = name
			columns = append(columns, h)
		}
	}
	switch {
	case sheet == "" && len(tables) == 0 && len(files) > 1 && len(sameLength(columns)) > 1:
		columns = sameLength(columns)
		f := stream(func(w *rows) error { return joined(columns, w) })
		if len(columns) < len(files) {
			others := slices.DeleteFunc(names, func(n string) bool {
				return slices.ContainsFunc(columns, func(c *array) bool { return c.fields[0].name == n })
			})
			f.Notes = append(f.Notes, "arrays of another shape are left out: "+strings.Join(others[:min(len(others), 8)], ", "))
		}
		return f, nil
	case sheet == "" && len(lengths) == len(files) && len(files) > 1:
		return nil, &Error{"the arrays of the archive have different lengths: " + strings.Join(lengths[:min(len(lengths), 12)], ", "), "save arrays of one length, each of which becomes a column"}
	case sheet == "" && len(tables) == 1:
		sheet = names[tables[0]]
	}
	k, err := sheetIndex(names, sheet, "array", "the archive")
	if err != nil {
		return nil, err
	}
	r, err := a.open(files[k])
	if err != nil {
		return nil, err
	}
	f, err := openArray(r, -1)
	if f != nil && len(files) > 1 {
		others := slices.Delete(slices.Clone(names), k, k+1)
		f.Notes = append(f.Notes, fmt.Sprintf("array %s of the archive is read; left out are %s", names[k], spelling.List(others)))
	}
	return f, err
}

// sameLength returns the arrays with the length that most of them have, or nil if two lengths are
// equally frequent.
func sameLength(arrays []*array) []*array {
	of := map[int][]*array{}
	for _, a := range arrays {
		of[a.shape[0]] = append(of[a.shape[0]], a)
	}
	var most []*array
	tied := false
	for _, same := range of {
		switch {
		case len(same) > len(most):
			most, tied = same, false
		case len(same) == len(most):
			tied = true
		}
	}
	if tied {
		return nil
	}
	return most
}

// joined writes one-dimensional arrays as the columns of a table.
func joined(columns []*array, w *rows) error {
	for i, c := range columns {
		w.name(i, c.fields[0].name)
	}
	for k := range columns[0].shape[0] {
		if err := w.goTo(k + 1); err != nil {
			return err
		}
		for i, c := range columns {
			b := make([]byte, c.size)
			if _, err := io.ReadFull(c.data, b); err != nil {
				return broken("%s ends in row %d", c.fields[0].name, k+1)
			}
			c.fields[0].write(w, i, b)
		}
	}
	for _, c := range columns {
		if err := c.end(); err != nil {
			return err
		}
	}
	return nil
}
