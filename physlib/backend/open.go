package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers the backend go

	_ "github.com/physlib/lab/physlib/backend/home" // sets HOME before PJRT's package reads it
)

// Variable is the environment variable that Open reads if no name is given.
const Variable = "PHYSLIB_BACKEND"

// Open opens the backend called name, see the package comment. An empty name means
// $PHYSLIB_BACKEND, or auto if that is unset. used names the opened backend and, for auto, the
// reason. If a plugin fails, the error is one line with the file that was tried. If another plugin
// is needed, the line also has the command to get it.
func Open(name string) (b compute.Backend, used string, err error) {
	if name == "" {
		name = os.Getenv(Variable)
	}
	kind, options, _ := strings.Cut(name, ",")
	if options != "" {
		options = "," + options
	}
	switch {
	case kind == "" || kind == "auto":
		return openAuto(options)
	case kind == "go" || strings.HasPrefix(kind, "go:"):
		b, err = open(name)
		return b, name, err
	case kind == "xla":
		return openFound(CPU, options)
	case kind == "xla:cpu":
		return openFound(CPU, options)
	case kind == "xla:cuda":
		return openFound(CUDA, options)
	case strings.HasPrefix(kind, "xla:"):
		path, err := filepath.Abs(strings.TrimPrefix(kind, "xla:"))
		if err != nil {
			return nil, "", fmt.Errorf("backend %q: %w", kind, err)
		}
		return openFile(path, options)
	}
	return nil, "", fmt.Errorf("unknown backend %q: use auto, go, xla:cpu, xla:cuda, or xla: and the path of a PJRT plugin", name)
}

// openAuto opens the first backend that works, in the order CUDA, XLA on the CPU, go.
func openAuto(options string) (b compute.Backend, used string, err error) {
	var why string
	if !HasXLA {
		why = "this program was built without XLA"
	} else {
		if GPUs() > 0 {
			if b, used, err = openFound(CUDA, options); err == nil {
				return b, used, nil
			}
			why = err.Error() + "; "
		}
		if b, used, err = openFound(CPU, options); err == nil {
			if why != "" {
				used += ", for " + strings.TrimSuffix(why, "; ")
			}
			return b, used, nil
		}
		why += err.Error()
	}
	b, err = open("go")
	return b, "go, for " + why, err
}

// openFound opens the plugin that Find returns for a kind.
func openFound(kind Kind, options string) (compute.Backend, string, error) {
	if !HasXLA {
		return nil, "", fmt.Errorf("backend xla:%s: this program was built without XLA; build it with CGO_ENABLED=1, a C compiler, and not the tag noxla", kind)
	}
	path, err := Find(kind)
	if err != nil {
		return nil, "", fmt.Errorf("backend xla:%s: %w", kind, err)
	}
	return openFile(path, options)
}

// openFile opens the plugin at an absolute path.
func openFile(path, options string) (compute.Backend, string, error) {
	if !HasXLA {
		return nil, "", fmt.Errorf("backend xla:%s: this program was built without XLA; build it with CGO_ENABLED=1, a C compiler, and not the tag noxla", path)
	}
	if err := Check(path); err != nil {
		return nil, "", fmt.Errorf("backend xla: %w", err)
	}
	kind := KindOf(path)
	if !strings.Contains(options, "shared_buffers") {
		// The option is set, since go-xla would otherwise guess it from "cpu" anywhere in the path,
		// even in the name of a home folder.
		options += fmt.Sprintf(",shared_buffers=%t", kind == CPU)
	}
	if kind == CUDA {
		prepare(path)
	}
	speaks, err := pluginAPI(path)
	var b compute.Backend
	if err == nil {
		b, err = open("xla:" + path + options)
	}
	if err != nil {
		return nil, "", fmt.Errorf("backend xla: the plugin %s does not start: %w (%s)", path, err, versions(path, speaks))
	}
	return b, fmt.Sprintf("xla:%s (%s)", kind, path), nil
}

var opening sync.Mutex // guards os.Stdout, which is redirected while a backend opens

// open calls compute.NewWithConfig. A panic, for example because a backend is not compiled in,
// becomes an error of one line. While open runs, os.Stdout is os.Stderr, so that messages of
// libraries stay out of the program's output.
func open(config string) (b compute.Backend, err error) {
	opening.Lock()
	defer opening.Unlock()
	defer func(out *os.File) {
		os.Stdout = out
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
		if err != nil {
			b, err = nil, fmt.Errorf("%s", strings.Join(strings.Fields(err.Error()), " "))
		}
	}(os.Stdout)
	os.Stdout = os.Stderr
	return compute.NewWithConfig(config)
}
