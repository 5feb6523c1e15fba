package format

import (
	"encoding/base64"
	"encoding/binary"
)

// Numbers of types in a schema of Arrow. arrowSeconds are the units of time differences, in
// seconds. See https://github.com/apache/arrow/blob/main/format/Schema.fbs.
const (
	arrowFloat    = 3
	arrowDuration = 18
)

var arrowSeconds = [...]float64{1, 1e-3, 1e-6, 1e-9}

// arrowType is a type of Arrow that Parquet lacks, or did not have when the file was written.
type arrowType struct {
	tick float64 // unit of time differences in seconds; 0: the column holds none
	half bool    // whether values are numbers of 16 bits
}

// arrowTypes returns these types by the names of the columns. text is the schema that Arrow writes
// into the metadata of a Parquet file. The map is empty if the schema cannot be read.
func arrowTypes(text string) map[string]arrowType {
	types := map[string]arrowType{}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) < 16 {
		return types
	}
	defer func() { _ = recover() }() // an offset in a broken schema may point outside it
	fields := flat{data[8:], 0}.follow(0).pointed(2).pointed(1)
	for i := range fields.count() {
		field := fields.follow(fields.at + 4 + 4*i)
		name, which := field.pointed(0).text(), field.pointed(3)
		switch field.byte(2, 0) {
		case arrowFloat:
			types[name] = arrowType{half: which.byte(0, 0) == 0}
		case arrowDuration:
			types[name] = arrowType{tick: arrowSeconds[which.byte(0, 1)]}
		}
	}
	return types
}

// flat is a table, list or text in the format FlatBuffers, at a position of data.
type flat struct {
	data []byte
	at   int
}

// follow returns what the offset at the given position points to.
func (f flat) follow(at int) flat { return flat{f.data, at + f.number(at)} }

// number returns the number of 32 bits at the given position.
func (f flat) number(at int) int { return int(int32(binary.LittleEndian.Uint32(f.data[at:]))) }

// member returns the position of member n of a table, 0 if the table lacks it.
func (f flat) member(n int) int {
	offsets := f.at - f.number(f.at)
	size := int(binary.LittleEndian.Uint16(f.data[offsets:]))
	if 4+2*n >= size {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(f.data[offsets+4+2*n:]))
	if offset == 0 {
		return 0
	}
	return f.at + offset
}

// byte returns the lowest byte of member n of a table, or what it is by default.
func (f flat) byte(n int, byDefault byte) byte {
	if at := f.member(n); at != 0 {
		return f.data[at]
	}
	return byDefault
}

// pointed returns the table, list or text that is member n of a table.
func (f flat) pointed(n int) flat { return f.follow(f.member(n)) }

// count returns the number of elements of a list.
func (f flat) count() int { return f.number(f.at) }

// text returns a text.
func (f flat) text() string { return string(f.data[f.at+4 : f.at+4+f.count()]) }
