package gpu

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend"
)

// deviceResult describes the machine and its speed.
type deviceResult struct {
	Description string            `json:"description"` // description by the backend
	Devices     int               `json:"devices"`
	Memory      int64             `json:"memory_bytes"`
	Driver      string            `json:"driver"`
	API         string            `json:"pjrt_api"` // version of PJRT's interface in this program
	Modules     map[string]string `json:"modules"`
	Cores       int               `json:"cores"`
	Kernel      string            `json:"kernel"`
	// Peak is the speed of bfloat16 matrix products in FLOP/s according to the data sheet, or 0 if
	// unknown.
	Peak     float64   `json:"peak_flops"`
	Products []product `json:"products"`
	// Copy is the measured speed of copying on the device. Bytes read and bytes written both count.
	Copy float64 `json:"copy_bytes_per_second"`
}

// product is the speed of multiplying two square matrices.
type product struct {
	Type  string  `json:"type"`
	Size  int     `json:"size"`
	FLOPs float64 `json:"flops_per_second"`
}

// peaks lists the speed in FLOP/s of dense bfloat16 matrix products with float32 sums, from data
// sheets. A key is a part of the device's name; the first match counts.
var peaks = []struct {
	name  string
	flops float64
}{
	{"H200", 989e12}, {"H100 PCIe", 756e12}, {"H100 NVL", 835e12}, {"H100", 989e12}, {"GH200", 989e12}, {"B200", 2250e12}, {"A100", 312e12},
	{"A10G", 70e12}, {"A10", 125e12}, {"L40S", 362e12}, {"L40", 181e12}, {"L4", 121e12}, {"RTX 4090", 165e12}, {"RTX 3090", 71e12}, {"V100", 0},
}

// peak returns the speed of a device by its data sheet, 0 if unknown.
func peak(name string) float64 {
	for _, p := range peaks {
		if strings.Contains(name, p.name) {
			return p.flops
		}
	}
	return 0
}

// device is the stage that describes the machine and measures its speed.
func device(ctx context.Context, e *env) (any, error) {
	r := deviceResult{Description: e.backend.DeviceDescription(0), Devices: e.backend.NumDevices(), Memory: smiBytes("memory.total"), API: backend.API,
		Driver: backend.Driver(), Cores: runtime.NumCPU(), Modules: map[string]string{}}
	if e.cuda() {
		r.Peak = peak(smi("name"))
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		r.Kernel = strings.TrimSpace(string(text))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if strings.HasPrefix(m.Path, "github.com/gomlx/") {
				r.Modules[m.Path] = m.Version
			}
		}
	}
	for _, dt := range []dtypes.DType{dtypes.BFloat16, dtypes.Float32} {
		n := or(e, 8192, 128)
		s, err := e.product(dt, n)
		if err != nil {
			return nil, err
		}
		r.Products = append(r.Products, product{dt.String(), n, 2 * float64(n) * float64(n) * float64(n) / s})
	}
	n := or(e, 1<<28, 1<<16)
	s, err := e.time(shapes.Make(dtypes.Float32, n), func(x *Node) *Node { return AddScalar(x, 1) })
	r.Copy = 8 * float64(n) / s
	return r, err
}

// product returns the time in seconds to multiply two random n by n matrices.
func (e *env) product(dt dtypes.DType, n int) (float64, error) {
	return e.time(shapes.Make(dt, n, n), func(x *Node) *Node { return Dot(x, x).Product() })
}

// time returns the time in seconds of the fastest of ten calls of f. The argument of f has the
// given shape and is created on the device; the result stays there.
func (e *env) time(shape shapes.Shape, f func(x *Node) *Node) (float64, error) {
	// The sine of a long ramp is used, since it has no equal rows and no zeros.
	source, err := NewExec(e.backend, func(g *Graph) []*Node {
		return []*Node{ConvertDType(Sin(MulScalar(Iota(g, shapes.Make(dtypes.Float32, shape.Size()), 0), math.Phi)), shape.DType)}
	})
	if err != nil {
		return 0, err
	}
	defer source.Finalize()
	flat, err := source.Call1()
	if err != nil {
		return 0, err
	}
	defer flat.FinalizeAll()
	run, err := NewExec(e.backend, func(x *Node) []*Node { return []*Node{f(Reshape(x, shape.Dimensions...))} })
	if err != nil {
		return 0, err
	}
	defer run.Finalize()
	return fastest(10, func() error { return drop(run.Call(flat)) })
}

// drop frees the results of a call, and returns the error of the call.
func drop(out []*tensors.Tensor, err error) error {
	for _, t := range out {
		t.FinalizeAll()
	}
	return err
}

// fastest returns the time in seconds of the fastest of n calls. An additional first call does not
// count.
func fastest(n int, call func() error) (float64, error) {
	best := math.Inf(1)
	for i := range n + 1 {
		began := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		if i > 0 {
			best = min(best, time.Since(began).Seconds())
		}
	}
	return best, nil
}
