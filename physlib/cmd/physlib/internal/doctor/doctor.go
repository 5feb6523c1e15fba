// Package doctor is the command `physlib doctor`. It reports which components of this machine
// physlib can use, which ones are missing, and how to get the missing ones.
package doctor

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/vec"
)

// Cmd is the command line of `physlib doctor`. The command changes nothing.
type Cmd struct {
	NoOpen bool `help:"Only look for plugins, do not load them."`
}

// Run prints the findings. A missing component is not an error.
func (c *Cmd) Run() error {
	c.examine(screen.Out)
	return nil
}

// examine writes one line for each component, with its name and state. If it is missing, the next
// line says how to get it.
func (c *Cmd) examine(w io.Writer) {
	line := func(name, found string) { fmt.Fprintf(w, "%-12s %s\n", name, found) }
	advise := func(advice string) { fmt.Fprintf(w, "%-12s → %s\n", "", advice) }

	line("physlib", version.String())
	line("processor", fmt.Sprintf("%s, %d cores, GOMAXPROCS %d", processor(), runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	line("features", features())
	line("SIMD", simd())
	if !builtWithSIMD() && runtime.GOARCH == "amd64" {
		advise("build with GOEXPERIMENT=simd: expressions and the backend go are several times as fast")
	}
	line("memory", memory())
	line("disk", disk())

	c.plugin(backend.CPU, line, advise)
	driver, gpus := nvidia()
	line("GPU", gpus)
	line("driver", driver)
	c.plugin(backend.CUDA, line, advise)
	c.chosen(line, advise)
	for _, name := range []string{backend.Variable, "PHYSLIB_XLA", "PHYSLIB_XLA_DIR", "PJRT_PLUGIN_LIBRARY_PATH", "XLA_FLAGS", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"} {
		if v := os.Getenv(name); v != "" {
			line("variable", name+"="+v)
		}
	}
}

// plugin reports whether the plugin of a kind is installed and works.
func (c *Cmd) plugin(kind backend.Kind, line func(name, found string), advise func(string)) {
	name := "XLA " + string(kind)
	if !backend.HasXLA {
		line(name, "not built in")
		advise("build with CGO_ENABLED=1 and a C compiler, without the tag noxla")
		return
	}
	places := backend.Candidates(kind)
	if len(places) == 0 {
		line(name, "no plugin found")
		advise(kind.Get())
		return
	}
	for i, p := range places {
		err := backend.Check(p.Path)
		switch {
		case err != nil:
			line(name, err.Error())
		case i > 0:
			line(name, "also "+p.Path)
		case c.NoOpen || kind == backend.CUDA && backend.GPUs() == 0:
			line(name, fmt.Sprintf("%s (%s, not tried)", p.Path, size(p.Path)))
		default:
			line(name, fmt.Sprintf("%s (%s), %s", p.Path, size(p.Path), try("xla:"+p.Path)))
		}
	}
}

// chosen writes the name of the backend that --backend auto selects.
func (c *Cmd) chosen(line func(name, found string), advise func(string)) {
	if c.NoOpen {
		return
	}
	b, used, err := backend.Open("auto")
	if err != nil {
		line("auto", err.Error())
		return
	}
	defer b.Finalize()
	line("auto", used)
	if strings.HasPrefix(used, "go") && backend.HasXLA {
		advise("neural training and proposals are 2 to 9 times as fast with " + backend.CPU.Get())
	}
}

// try opens a backend, computes 3² + 4² and reports the result or the error.
func try(name string) string {
	start := time.Now()
	b, _, err := backend.Open(name)
	if err != nil {
		return err.Error()
	}
	defer b.Finalize()
	opened := time.Since(start)
	sum, err := squares(b)
	if err != nil {
		return strings.Join(strings.Fields(err.Error()), " ")
	}
	if sum != 25 {
		return fmt.Sprintf("computes 3² + 4² = %g", sum)
	}
	plural := "s"
	if b.NumDevices() == 1 {
		plural = ""
	}
	return fmt.Sprintf("works: %d device%s, opened in %.1f s, first graph in %.1f s",
		b.NumDevices(), plural, opened.Seconds(), (time.Since(start) - opened).Seconds())
}

// squares computes 3² + 4² on a backend.
func squares(b compute.Backend) (float32, error) {
	e, err := graph.NewExec1(b, func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) })
	if err != nil {
		return 0, err
	}
	out, err := e.Call([]float32{3, 4})
	if err != nil {
		return 0, err
	}
	defer out.FinalizeAll()
	return out.Value().(float32), nil
}

// size returns the size of a file as text, or "?" if it cannot be read.
func size(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "?"
	}
	return bytes(uint64(info.Size()))
}

// simd returns a description of the vector kernels that this program uses.
func simd() string {
	if !builtWithSIMD() {
		return vec.Best64().Name + " kernels; not built with GOEXPERIMENT=simd"
	}
	return vec.Best64().Name + " kernels"
}

// builtWithSIMD reports whether this program was built with GOEXPERIMENT=simd.
func builtWithSIMD() bool {
	return strings.Contains(runtime.Version(), "simd") || len(vec.Sets64()) > 1
}

// disk returns the free space where physlib writes files: plugins in ~/.local/share/physlib, runs
// in the working directory. Compiled graphs are not stored.
func disk() string {
	var parts []string
	home, _ := os.UserHomeDir()
	for _, dir := range []string{".", filepath.Join(home, ".local/share"), os.TempDir()} {
		if free, ok := freeSpace(dir); ok {
			parts = append(parts, fmt.Sprintf("%s free in %s", bytes(free), dir))
		}
	}
	if len(parts) == 0 {
		return "unknown"
	}
	return strings.Join(parts, ", ")
}

// bytes formats n, a number of bytes, in the usual unit.
func bytes(n uint64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
