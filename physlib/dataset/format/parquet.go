package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// openParquet reads a Parquet file: its columns of numbers, texts and dates. Lists and maps are
// left out.
func openParquet(data []byte) (f *File, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics for some broken files
			f, err = nil, &Error{fmt.Sprintf("the Parquet file is broken: %v", p), "write it again, or as CSV"}
		}
	}()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, &Error{"the Parquet file is broken: " + err.Error(), "write it again, or as CSV"}
	}
	var leaves []leaf
	var nested []string
	for i, path := range file.Schema().Columns() {
		column, ok := file.Schema().Lookup(path...)
		if !ok || column.Node.Repeated() || len(path) > 1 {
			nested = append(nested, strings.Join(path, "."))
			continue
		}
		leaves = append(leaves, newLeaf(path[0], i, column.Node))
	}
	var about pandasTable
	if text, ok := file.Lookup("pandas"); ok && json.Unmarshal([]byte(text), &about) != nil {
		about = pandasTable{}
	}
	leaves = indexFirst(about, leaves)
	notedTypes(file, about, leaves)
	switch {
	case len(leaves) == 0:
		return nil, &Error{"the Parquet file has no plain columns", "write the table flat, or as CSV"}
	case len(leaves) == 1 && len(nested) > 0:
		return nil, &Error{fmt.Sprintf("the Parquet file has one plain column, %s; %s holds lists or records", leaves[0].name, nested[0]), "write the table flat, or as CSV"}
	}
	f = stream(func(w *rows) error { return writeParquet(file, leaves, w) })
	if len(nested) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("nested columns are left out: %s", strings.Join(nested[:min(len(nested), 8)], ", ")))
	}
	return f, nil
}

// leaf is a column of a Parquet file.
type leaf struct {
	name    string
	column  int
	scale   float64       // factor of decimal numbers; 0: not decimal
	tick    time.Duration // unit in which times are counted; 0: not a time
	day     bool          // whether values are days since 1970-01-01
	clock   bool          // whether values are times of day
	float32 bool
	half    bool // whether values are numbers of 16 bits (IEEE 754 binary16)
	natural bool // whether values of 64 bits have no sign
}

// pandasTable is what pandas writes about its columns into the metadata of a Parquet file. See
// https://pandas.pydata.org/docs/development/developer.html.
type pandasTable struct {
	// Names of the columns of the index; an index that only counts the rows is an object.
	Index   []any `json:"index_columns"`
	Columns []struct {
		Field string `json:"field_name"`
		Type  string `json:"numpy_type"`
	}
}

// numpyTicks are the units, in seconds, of NumPy's types of time differences.
var numpyTicks = map[string]float64{"timedelta64[s]": 1, "timedelta64[ms]": 1e-3, "timedelta64[us]": 1e-6, "timedelta64[ns]": 1e-9}

// notedTypes gives columns of time differences their unit, and columns of numbers of 16 bits their
// type, as pandas or Arrow notes them.
func notedTypes(file *parquet.File, about pandasTable, leaves []leaf) {
	schema, _ := file.Lookup("ARROW:schema")
	types := arrowTypes(schema)
	for _, c := range about.Columns {
		if scale := numpyTicks[c.Type]; scale > 0 {
			types[c.Field] = arrowType{tick: scale}
		}
	}
	for i := range leaves {
		l := &leaves[i]
		noted := types[l.name]
		l.half = noted.half
		if noted.tick > 0 && l.scale == 0 && l.tick == 0 {
			l.scale, l.name = noted.tick, l.name+" [s]"
		}
	}
}

// indexFirst moves the index of pandas, which is written last, in front of the other columns, as in
// a CSV file. Columns of the index without a name get none.
func indexFirst(about pandasTable, leaves []leaf) []leaf {
	index := map[int]bool{}
	for _, name := range about.Index {
		if i := slices.IndexFunc(leaves, func(l leaf) bool { return l.name == name }); i >= 0 {
			index[i] = true
		}
	}
	var first, others []leaf
	for i, l := range leaves {
		switch {
		case strings.HasPrefix(l.name, "__index_level_"):
			l.name = "" // pandas writes no name into a CSV file either
			first = append(first, l)
		case index[i]:
			first = append(first, l)
		default:
			others = append(others, l)
		}
	}
	return append(first, others...)
}

func newLeaf(name string, column int, node parquet.Node) leaf {
	l := leaf{name: name, column: column, float32: node.Type().Kind() == parquet.Float}
	logical := node.Type().LogicalType()
	if logical == nil {
		return l
	}
	switch t := logical.Value.(type) {
	case *format.DecimalType:
		l.scale = math.Pow10(-int(t.Scale))
	case *format.DateType:
		l.day = true
	case *format.IntType:
		l.natural = !t.IsSigned
	case *format.TimestampType:
		l.tick = tick(t.Unit)
	case *format.TimeType:
		l.tick, l.clock = tick(t.Unit), true
	}
	return l
}

// tick returns the unit in which times are counted.
func tick(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	}
	return time.Nanosecond
}

// writeParquet writes names and rows.
func writeParquet(file *parquet.File, leaves []leaf, w *rows) error {
	place := map[int]int{}
	for k, l := range leaves {
		w.name(k, l.name)
		place[l.column] = k
	}
	buffer := make([]parquet.Row, 256)
	cells := make([]parquet.Value, len(leaves))
	for _, group := range file.RowGroups() {
		if group.NumRows() == 0 {
			continue
		}
		if err := writeGroup(group, leaves, place, buffer, cells, w); err != nil {
			return err
		}
	}
	return nil
}

func writeGroup(group parquet.RowGroup, leaves []leaf, place map[int]int, buffer []parquet.Row, cells []parquet.Value, w *rows) error {
	r := group.Rows()
	defer r.Close()
	for {
		n, err := r.ReadRows(buffer)
		for _, row := range buffer[:n] {
			if err := w.goTo(w.line + 1); err != nil {
				return err
			}
			for _, v := range row {
				if k, ok := place[v.Column()]; ok {
					cells[k] = v
				}
			}
			for k, v := range cells {
				leaves[k].write(w, k, v)
			}
			clear(cells)
			w.skip(len(leaves) - 1)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// write writes v as cell k. A null value leaves the cell empty.
func (l leaf) write(w *rows, k int, v parquet.Value) {
	if v.IsNull() {
		return
	}
	switch v.Kind() {
	case parquet.Boolean:
		w.number(k, map[bool]float64{true: 1}[v.Boolean()])
	case parquet.Int32:
		n := v.Int32()
		if l.natural {
			w.number(k, float64(uint32(n)))
		} else {
			l.whole(w, k, int64(n))
		}
	case parquet.Int64:
		l.whole(w, k, v.Int64())
	case parquet.Int96:
		at := v.Int96()
		ns := int64(at[1])<<32 | int64(at[0])
		days := int(at[2]) - 2440588 // the Julian day of 1970-01-01
		w.text(k, time.Unix(0, 0).UTC().AddDate(0, 0, days).Add(time.Duration(ns)).Format("2006-01-02T15:04:05.999999999"))
	case parquet.Float:
		w.number(k, field{kind: 'f', size: 4, order: little}.number(little.AppendUint32(nil, math.Float32bits(v.Float()))))
	case parquet.Double:
		w.number(k, v.Double())
	default:
		if b := v.ByteArray(); l.half && len(b) == 2 {
			w.number(k, half(little.Uint16(b)))
		} else if l.scale != 0 && len(b) <= 16 {
			w.number(k, l.scaled(decimalOf(b)))
		} else {
			w.text(k, string(b))
		}
	}
}

// scaled returns v in the unit of the column. It divides by whole powers of ten, which are exact.
func (l leaf) scaled(v float64) float64 {
	if l.scale < 1 {
		return v / math.Round(1/l.scale)
	}
	return v * l.scale
}

// whole writes a whole number, or the date, time or decimal number that it encodes.
func (l leaf) whole(w *rows, k int, n int64) {
	const day = "2006-01-02"
	switch {
	case l.day:
		w.text(k, time.Unix(0, 0).UTC().AddDate(0, 0, int(n)).Format(day))
	case l.clock:
		w.text(k, clockText(float64(n)*l.tick.Seconds()))
	case l.tick != 0:
		per := int64(time.Second / l.tick)
		s, rest := n/per, n%per
		w.text(k, time.Unix(s, rest*int64(l.tick)).UTC().Format(day+"T15:04:05.999999999"))
	case l.scale != 0:
		w.number(k, l.scaled(float64(n)))
	case l.natural:
		w.number(k, float64(uint64(n)))
	default:
		w.number(k, float64(n))
	}
}

// decimalOf returns the number that b holds in two's complement, with the most significant byte
// first.
func decimalOf(b []byte) float64 {
	v := 0.0
	for i, c := range b {
		if i == 0 {
			v = float64(int8(c))
			continue
		}
		v = 256*v + float64(c)
	}
	return v
}
