package joins

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/pair"
)

// Lazy is a pair.Kernel that opens its device in the background at the first join that is large
// enough. The processor computes smaller joins and joins before the device is open. If the device
// does not open, the processor computes all joins.
type Lazy struct {
	Open  func() (b compute.Backend, used string, err error)
	Pairs float64 // least number of pairs in a join for the device; 0: any number
	Block int     // number of rows in a block, see New

	mu     sync.Mutex
	opened bool    // whether open was called
	kernel *Kernel // nil: the device is not open
	used   string
	err    error
	joins  int // number of joins on the device
}

var _ pair.Kernel = (*Lazy)(nil)

// manyPairs is the number of pairs above which a GPU is worthwhile. Eight cores need some tenths of
// a second for such a join.
const manyPairs = 1e9

// joinOptions are the options of an NVIDIA backend for joins. They are products in full float32,
// and a fifth of the memory, which leaves room for a neural system.
const joinOptions = ",tf32=false,memory_fraction=0.2"

// ByName returns the kernel for the name of a backend. With auto or "", it uses an NVIDIA GPU for
// large joins. If there is no such GPU, or the name is cpu, the result is nil, which means the
// processor's own kernel. A backend of any other name is opened immediately.
func ByName(name string) (*Lazy, error) {
	cuda := func() (compute.Backend, string, error) { return backend.Open("xla:cuda" + joinOptions) }
	switch name {
	case "cpu", "processor": // processor is the name in older versions
		return nil, nil
	case "", "auto":
		if !backend.HasXLA || backend.GPUs() == 0 {
			return nil, nil
		}
		return &Lazy{Open: cuda, Pairs: manyPairs}, nil
	}
	if path, ok := strings.CutPrefix(name, "xla:"); ok && path != string(backend.CPU) && backend.KindOf(path) == backend.CUDA {
		name += joinOptions
	}
	l := &Lazy{Open: func() (compute.Backend, string, error) { return backend.Open(name) }, opened: true}
	l.open()
	return l, l.err
}

// open opens the device and stores its kernel or the error.
func (l *Lazy) open() {
	var kernel *Kernel
	b, used, err := l.Open()
	if err == nil {
		kernel, err = New(b, l.Block)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kernel, l.used, l.err = kernel, used, err
}

// device returns the kernel for a join of the given number of pairs. It returns nil if the
// processor should compute it.
func (l *Lazy) device(pairs float64) *Kernel {
	if pairs < l.Pairs {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.opened {
		l.opened = true
		go l.open()
	}
	if l.kernel != nil {
		l.joins++
	}
	return l.kernel
}

// Square implements pair.Kernel.
func (l *Lazy) Square(ctx context.Context, f pair.Rows, r []float32, o pair.Options) []pair.Pair {
	if k := l.device(float64(f.N) * float64(f.N) / 2); k != nil {
		return k.Square(ctx, f, r, o)
	}
	return pair.Default().Square(ctx, f, r, o)
}

// Report says in one line where joins were computed so far.
func (l *Lazy) Report() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.err
	if l.kernel != nil {
		err = l.kernel.Err()
	}
	switch {
	case err != nil:
		return fmt.Sprintf("joins: on the CPU, because of an error: %v", err)
	case l.joins == 0:
		return "joins: on the CPU; none was large enough for another device"
	}
	return fmt.Sprintf("joins: %d on %s", l.joins, l.used)
}
