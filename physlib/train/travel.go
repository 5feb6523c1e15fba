package train

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// Spent returns the training time so far of the run in a folder, or 0 if there is no run.
func Spent(dir string) time.Duration {
	c, name, _, err := folder{path: filepath.Join(dir, "checkpoints")}.newest()
	if err != nil || name == "" {
		return 0
	}
	return time.Duration(c.position.Seconds * float64(time.Second))
}

// Pack writes the state of a checkpoint for transfer to another machine, in bfloat16 and without
// averages. It writes files prefix.00, prefix.01, …, each of at most `most` bytes, and returns
// their names. Unpack makes a checkpoint from them for Settings.From. The unpacked state is
// rounded, so it differs slightly from the original.
func Pack(path, prefix string, most int) ([]string, error) {
	c, err := load(path)
	if err != nil {
		return nil, err
	}
	c.tensors = slices.DeleteFunc(c.tensors, func(t safetensors.Tensor) bool { return strings.HasPrefix("/"+t.Name, averageScope+"/") })
	for i, t := range c.tensors {
		if t.Shape.DType == dtypes.Float32 && t.Shape.Rank() > 0 {
			c.tensors[i] = t.BFloat16()
		}
	}
	var whole bytes.Buffer
	if err := c.encode(&whole); err != nil {
		return nil, err
	}
	old, _ := filepath.Glob(prefix + ".[0-9][0-9]*")
	for _, name := range old {
		if filepath.Base(name) != filepath.Base(partName(prefix, partNumber(name))) {
			continue // not a part, such as prefix.00.bak
		}
		if err := os.Remove(name); err != nil {
			return nil, err
		}
	}
	var names []string
	for data := whole.Bytes(); len(data) > 0; data = data[min(most, len(data)):] {
		name := partName(prefix, len(names))
		if err := (folder{path: filepath.Dir(name)}).write(name, bytesOf(data[:min(most, len(data))])); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// partName returns the name of the file with part n of a checkpoint.
func partName(prefix string, n int) string { return fmt.Sprintf("%s.%02d", prefix, n) }

// partNumber returns the number of the part in a file with this name. It is -1 if the name does not
// end in a number.
func partNumber(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(filepath.Ext(name), "."))
	if err != nil {
		return -1
	}
	return n
}

// Unpack writes a checkpoint to path from the files that Pack wrote, given in any order. It returns
// an error if a file is missing.
func Unpack(parts []string, path string) error {
	if len(parts) == 0 {
		return fmt.Errorf("no parts are given for checkpoint %s; Pack writes NAME.00, NAME.01, …", path)
	}
	var whole []byte
	// There may be 100 parts or more, and as texts .100 comes before .99.
	byNumber := func(a, b string) int { return cmp.Or(partNumber(a)-partNumber(b), strings.Compare(a, b)) }
	for _, name := range slices.SortedFunc(slices.Values(parts), byNumber) {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		whole = append(whole, data...)
	}
	c, err := decode(whole)
	if err != nil {
		return fmt.Errorf("%d parts beginning with %s make no checkpoint, is one missing? %w", len(parts), parts[0], err)
	}
	for i, t := range c.tensors {
		if t.Shape.DType == dtypes.BFloat16 {
			c.tensors[i] = widened(t)
		}
	}
	return folder{path: filepath.Dir(path)}.write(path, func(w io.Writer) error { return c.encode(w) })
}

// widened converts a bfloat16 tensor to float32. A bfloat16 number is the upper half of a float32.
func widened(t safetensors.Tensor) safetensors.Tensor {
	data := make([]byte, 2*len(t.Data))
	for i := 0; i < len(t.Data); i += 2 {
		data[2*i+2], data[2*i+3] = t.Data[i], t.Data[i+1]
	}
	return safetensors.Tensor{Name: t.Name, Shape: shapes.Make(dtypes.Float32, t.Shape.Dimensions...), Data: data}
}
