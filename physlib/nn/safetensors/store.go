package safetensors

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// FromStore returns copies of the variables of store that keep accepts, or of all if keep is nil,
// sorted by path.
func FromStore(store *model.Store, keep func(path string) bool) ([]Tensor, error) {
	var all []Tensor
	for v := range store.IterVariables() {
		if keep != nil && !keep(v.Path()) {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		t := Tensor{Name: Name(v.Path()), Shape: v.Shape()}
		if err := value.ConstBytes(func(data []byte) { t.Data = slices.Clone(data) }); err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Tensor) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Value returns a copy of t as a GoMLX tensor.
func (t Tensor) Value() (*tensors.Tensor, error) {
	value := tensors.FromShape(t.Shape)
	if err := value.MutableBytes(func(data []byte) { copy(data, t.Data) }); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return value, nil
}

// Import reads a file and sets the variables of store to its tensors, creating those that are
// missing. bfloat16 becomes float32. It returns an error if a variable exists with another shape.
func Import(r io.Reader, store *model.Store) (File, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return File{}, err
	}
	f, err := Parse(data)
	if err != nil {
		return File{}, err
	}
	return f, f.fill(store)
}

// fill sets the variables of store to the tensors of f.
func (f File) fill(store *model.Store) error {
	for _, t := range f.Tensors {
		value, err := t.Float32().Value()
		if err != nil {
			return err
		}
		path := "/" + t.Name
		v := store.GetVariable(path)
		switch {
		case v == nil:
			_, err = store.CreateVariable(path, value)
		case !v.Shape().Equal(value.Shape()):
			return fmt.Errorf("tensor %q is %s in the file, %s in the model", t.Name, value.Shape(), v.Shape())
		default:
			err = v.SetValue(value)
		}
		if err != nil {
			return fmt.Errorf("tensor %q: %w", t.Name, err)
		}
	}
	return nil
}

// Float32 returns t converted to float32 if it is bfloat16, else t.
func (t Tensor) Float32() Tensor {
	if t.Shape.DType != dtypes.BFloat16 {
		return t
	}
	out := make([]byte, 2*len(t.Data))
	for i := 0; i < len(t.Data); i += 2 { // bfloat16 is the upper half of float32
		out[2*i+2], out[2*i+3] = t.Data[i], t.Data[i+1]
	}
	return Tensor{t.Name, shapes.Make(dtypes.Float32, t.Shape.Dimensions...), out}
}

// BFloat16 returns t rounded to the nearest bfloat16 (ties to even) if it is float32, else t.
func (t Tensor) BFloat16() Tensor {
	if t.Shape.DType != dtypes.Float32 {
		return t
	}
	out := make([]byte, 0, len(t.Data)/2)
	for i := 0; i < len(t.Data); i += 4 {
		bits := binary.LittleEndian.Uint32(t.Data[i:])
		if f := math.Float32frombits(bits); f != f {
			bits |= 1 << 22 // a NaN must not round to an infinity
		} else {
			bits += 0x7fff + bits>>16&1
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(bits>>16))
	}
	return Tensor{t.Name, shapes.Make(dtypes.BFloat16, t.Shape.Dimensions...), out}
}
