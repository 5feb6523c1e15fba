package safetensors_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

func file() safetensors.File {
	return safetensors.File{
		Metadata: map[string]string{"task": "test", "note": "h̄ \"quoted\""},
		Tensors: []safetensors.Tensor{
			// The numbers 1 and -2.
			{Name: "b/w", Shape: shapes.Make(dtypes.Float32, 2, 1), Data: []byte{0, 0, 128, 63, 0, 0, 0, 192}},
			{Name: "a/steps", Shape: shapes.Make(dtypes.Int64), Data: []byte{7, 0, 0, 0, 0, 0, 0, 0}},
			{Name: "rng", Shape: shapes.Make(dtypes.Uint8, 3), Data: []byte{1, 2, 3}},
		},
	}
}

func encoded(t testing.TB, f safetensors.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := safetensors.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, f := range []safetensors.File{file(), {}} {
		data := encoded(t, f)
		if len(f.Tensors) > 0 && bytes.Index(data, []byte{0, 0, 128, 63})%8 != 0 {
			t.Error("the numbers do not begin at a multiple of 8 bytes")
		}
		got, err := safetensors.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(f, got); d != "" {
			t.Error(d)
		}
		if !bytes.Equal(data, encoded(t, got)) {
			t.Error("written again, the bytes differ")
		}
	}
}

// python.safetensors was written by safetensors 0.8.0 for Python, see testdata/write.py.
func TestPythonFile(t *testing.T) {
	in, err := os.Open("testdata/python.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	store := model.NewStore()
	f, err := safetensors.Import(in, store)
	if err != nil {
		t.Fatal(err)
	}
	if f.Metadata["writer"] != "python" {
		t.Errorf("metadata %v", f.Metadata)
	}
	for path, want := range map[string]any{
		"/decoder/w": [][]float32{{0, 1, 2}, {3, 4, 5}}, "/step": int64(12), "/mask": []bool{true, false}, "/half": []float32{1.5, -0.25},
	} {
		v := store.GetVariable(path)
		if v == nil {
			t.Errorf("no %s", path)
			continue
		}
		if d := cmp.Diff(want, v.MustValue().Value()); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
}

func TestBroken(t *testing.T) {
	whole := encoded(t, file())
	head := func(json string) []byte { return append([]byte{byte(len(json)), 0, 0, 0, 0, 0, 0, 0}, json...) }
	for _, c := range []struct {
		name, says string
		data       []byte
	}{
		{"empty", "too few", nil},
		{"text", "are not the length of a header", []byte("Lorem ipsum dolor sit amet")},
		{"cut in the header", "within its header", whole[:40]},
		{"cut in the numbers", `before the end of tensor "rng"`, whole[:len(whole)-1]},
		{"no JSON", "its header is not JSON", head("{]")},
		{"unknown type", `type "F8" is not known`, head(`{"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}}`)},
		{"wrong size", "do not make the shape", head(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`)},
		{"negative place", "do not make the shape", head(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[-2,0]}}`)},
		{"negative size", "not usable", head(`{"a":{"dtype":"U8","shape":[-2],"data_offsets":[0,2]}}`)},
		{"huge", "not usable", head(`{"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`)},
	} {
		if _, err := safetensors.Parse(c.data); !errors.Is(err, safetensors.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for says, edit := range map[string]func(f *safetensors.File){
		"occurs twice":      func(f *safetensors.File) { f.Tensors[1].Name = "b/w" },
		"7 bytes for":       func(f *safetensors.File) { f.Tensors[0].Data = f.Tensors[0].Data[1:] },
		"no type Complex64": func(f *safetensors.File) { f.Tensors[2].Shape.DType = dtypes.Complex64 },
	} {
		f := file()
		edit(&f)
		if err := safetensors.Write(new(bytes.Buffer), f); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(encoded(f, file()))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := safetensors.Parse(data)
		if err != nil {
			return
		}
		for _, x := range got.Tensors {
			if int64(len(x.Data)) != x.Shape.ByteSize() {
				t.Errorf("%s: %d bytes for %s", x.Name, len(x.Data), x.Shape)
			}
		}
	})
}

func TestBFloat16(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range [][2]float32{{1, 1}, {-2.5, -2.5}, {1 + 1.0/256, 1}, {1 + 3.0/256, 1 + 1.0/64}, {0, 0}, {inf, inf}, {3.4e38, inf}, {1e-45, 0}} {
		if got := throughBFloat16(t, c[0]); got != c[1] {
			t.Errorf("%g becomes %g, want %g", c[0], got, c[1])
		}
	}
	if got := throughBFloat16(t, nan); got == got {
		t.Errorf("NaN becomes %g", got)
	}
	steps := safetensors.Tensor{Name: "n", Shape: shapes.Make(dtypes.Int64), Data: make([]byte, 8)}
	if steps.BFloat16().Shape.DType != dtypes.Int64 || steps.Float32().Shape.DType != dtypes.Int64 {
		t.Error("whole numbers change their type")
	}
}

func throughBFloat16(t *testing.T, x float32) float32 {
	t.Helper()
	store := model.NewStore()
	store.VariableWithValue("/x", []float32{x})
	all, err := safetensors.FromStore(store, nil)
	if err != nil {
		t.Fatal(err)
	}
	half := all[0].BFloat16()
	if len(half.Data) != 2 {
		t.Fatalf("%d bytes", len(half.Data))
	}
	v, err := half.Float32().Value()
	if err != nil {
		t.Fatal(err)
	}
	return tensors.MustCopyFlatData[float32](v)[0]
}

func TestImportIntoAModel(t *testing.T) {
	store := model.NewStore()
	store.VariableWithValue("/b/w", [][]float32{{0}, {0}})
	if _, err := safetensors.Import(bytes.NewReader(encoded(t, file())), store); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{1}, {-2}}, store.GetVariable("/b/w").MustValue().Value()); d != "" {
		t.Error(d)
	}
	other := model.NewStore()
	other.VariableWithValue("/b/w", []float32{0, 0})
	if _, err := safetensors.Import(bytes.NewReader(encoded(t, file())), other); err == nil || !strings.Contains(err.Error(), `"b/w"`) {
		t.Errorf("another shape: %v", err)
	}
}

func Example() {
	store := model.NewStore()
	store.VariableWithValue("/decoder/w", [][]float32{{1, 2}, {3, 4}})
	weights, err := safetensors.FromStore(store, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range weights {
		weights[i] = weights[i].BFloat16()
	}
	var disk bytes.Buffer
	if err := safetensors.Write(&disk, safetensors.File{Tensors: weights}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(disk.Len(), "bytes")

	again := model.NewStore()
	if _, err := safetensors.Import(&disk, again); err != nil {
		fmt.Println(err)
		return
	}
	v := again.GetVariable("/decoder/w")
	fmt.Println(v.Path(), v.Shape(), v.MustValue().Value())
	// Output:
	// 88 bytes
	// /decoder/w (Float32)[2, 2] [[1 2] [3 4]]
}

func BenchmarkWriteParse(b *testing.B) {
	f := safetensors.File{Tensors: []safetensors.Tensor{{Name: "w", Shape: shapes.Make(dtypes.Float32, 1<<20), Data: make([]byte, 4<<20)}}}
	b.SetBytes(4 << 20)
	for b.Loop() {
		if _, err := safetensors.Parse(encoded(b, f)); err != nil {
			b.Fatal(err)
		}
	}
}
