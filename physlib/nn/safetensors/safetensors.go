// Package safetensors stores weights in the file format of PyTorch, JAX and the Hugging Face hub. A
// file has the length of a header in eight bytes, the header as JSON, and the raw numbers. The
// header has the name, type, shape and offsets of each tensor.
//
// Format: https://huggingface.co/docs/safetensors. The variable /decoder/w of a model.Store is the
// tensor decoder/w of a file. Linear weights are [in, out] here, but [out, in] in PyTorch.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// Tensor is one named array. Data holds its numbers in row-major order, little-endian.
type Tensor struct {
	Name  string
	Shape shapes.Shape
	Data  []byte
}

// File is the content of a safetensors file. Metadata has free text by key. It is nil if there is
// none.
type File struct {
	Metadata map[string]string
	Tensors  []Tensor
}

// maxHeader is the longest header that the format's reference implementation reads, in bytes.
const maxHeader = 100_000_000

// entry is a tensor in the header. Offsets are the positions of the first byte of its numbers and
// of the byte after the last, counted from the end of the header.
type entry struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// dtypeNames has the format's names of the types that GoMLX supports.
var dtypeNames = map[dtypes.DType]string{
	dtypes.Bool: "BOOL", dtypes.Uint8: "U8", dtypes.Uint16: "U16", dtypes.Uint32: "U32", dtypes.Uint64: "U64",
	dtypes.Int8: "I8", dtypes.Int16: "I16", dtypes.Int32: "I32", dtypes.Int64: "I64",
	dtypes.Float16: "F16", dtypes.BFloat16: "BF16", dtypes.Float32: "F32", dtypes.Float64: "F64",
}

// Write writes f to w, with the tensors in the order of f. Equal files f give equal bytes.
func Write(w io.Writer, f File) error {
	header, err := Header(f)
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, t := range f.Tensors {
		if _, err := w.Write(t.Data); err != nil {
			return err
		}
	}
	return nil
}

// Header returns the part of the file before the numbers: the length, the JSON, and spaces up to a
// multiple of eight bytes.
func Header(f File) ([]byte, error) {
	entries := map[string]any{}
	if len(f.Metadata) > 0 {
		entries["__metadata__"] = f.Metadata
	}
	at := int64(0)
	for _, t := range f.Tensors {
		name, known := dtypeNames[t.Shape.DType]
		if !known {
			return nil, fmt.Errorf("tensor %q: safetensors has no type %s", t.Name, t.Shape.DType)
		}
		if _, twice := entries[t.Name]; twice {
			return nil, fmt.Errorf("tensor %q occurs twice", t.Name)
		}
		if int64(len(t.Data)) != t.Shape.ByteSize() {
			return nil, fmt.Errorf("tensor %q: %d bytes for the shape %s", t.Name, len(t.Data), t.Shape)
		}
		entries[t.Name] = entry{name, append([]int{}, t.Shape.Dimensions...), [2]int64{at, at + int64(len(t.Data))}}
		at += int64(len(t.Data))
	}
	text, err := json.Marshal(entries) // sorts the keys
	if err != nil {
		return nil, err
	}
	text = append(text, bytes.Repeat([]byte{' '}, (8-len(text)%8)%8)...)
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), nil
}

// ErrFormat is wrapped by every error about a file that is incomplete or not a safetensors file.
var ErrFormat = errors.New("not a whole safetensors file")

// Parse parses a file in memory. The tensors share the memory of data, and are sorted by offset.
func Parse(data []byte) (File, error) {
	broken := func(format string, args ...any) (File, error) {
		return File{}, fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	if len(data) < 8 {
		return broken("%d bytes are too few", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	if n > maxHeader {
		return broken("its first eight bytes are not the length of a header")
	}
	if n > uint64(len(data)-8) {
		return broken("it ends within its header, after %d bytes", len(data))
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(data[8:8+n], &raw); err != nil {
		return broken("its header is not JSON: %v", err)
	}
	var f File
	if text, ok := raw["__metadata__"]; ok {
		if err := json.Unmarshal(text, &f.Metadata); err != nil {
			return broken("its metadata: %v", err)
		}
		delete(raw, "__metadata__")
	}
	body := data[8+n:]
	starts := map[string]int64{}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		var e entry
		if err := json.Unmarshal(raw[name], &e); err != nil {
			return broken("tensor %q: %v", name, err)
		}
		shape, err := e.shape()
		if err != nil {
			return broken("tensor %q: %v", name, err)
		}
		from, to := e.Offsets[0], e.Offsets[1]
		if from < 0 || to < from || to-from != shape.ByteSize() {
			return broken("tensor %q: bytes %d to %d do not make the shape %s", name, from, to, shape)
		}
		if to > int64(len(body)) {
			return broken("it ends after %d bytes, before the end of tensor %q at %d", len(data), name, 8+int64(n)+to)
		}
		f.Tensors = append(f.Tensors, Tensor{name, shape, body[from:to:to]})
		starts[name] = from
	}
	slices.SortStableFunc(f.Tensors, func(a, b Tensor) int { return int(starts[a.Name] - starts[b.Name]) })
	return f, nil
}

// shape returns the type and dimensions of a tensor, or an error if they are not supported.
func (e entry) shape() (shapes.Shape, error) {
	for dtype, name := range dtypeNames {
		if name != e.DType {
			continue
		}
		size := int64(1)
		for _, d := range e.Shape {
			if d <= 0 || size > math.MaxInt32*int64(64)/int64(d) {
				return shapes.Shape{}, fmt.Errorf("the shape %v is not usable", e.Shape)
			}
			size *= int64(d)
		}
		return shapes.Make(dtype, e.Shape...), nil
	}
	return shapes.Shape{}, fmt.Errorf("the type %q is not known", e.DType)
}

// Name returns the name of the tensor for the variable at path. It is the path without its first
// slash.
func Name(path string) string { return strings.TrimPrefix(path, "/") }
