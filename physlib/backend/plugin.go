package backend

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Kind is the kind of device that a PJRT plugin drives.
type Kind string

// The kinds of plugins that physlib looks for.
const (
	CPU  Kind = "cpu"
	CUDA Kind = "cuda"
)

// Get returns the shell command that installs a plugin of this kind.
func (k Kind) Get() string {
	if k == CUDA {
		return `pip install "jax[cuda13]" (jax[cuda12] where the driver is older than 580)`
	}
	return "pip install --no-deps fastatomstruct-xla-cpu==2026.6.23"
}

// KindOf returns a plugin's kind, guessed from the name of its file.
func KindOf(path string) Kind {
	base := strings.ToLower(filepath.Base(path))
	if strings.Contains(base, "cuda") || strings.Contains(base, "nvidia") || strings.Contains(base, "gpu") {
		return CUDA
	}
	return CPU
}

// names returns the file names and glob patterns that plugins of this kind have in a folder of
// plugins.
func (k Kind) names() []string {
	if k == CUDA {
		return []string{"pjrt_c_api_cuda_plugin.so", "xla_cuda_plugin.so", "pjrt_c_api_cuda*_plugin.so"}
	}
	return []string{"pjrt_c_api_cpu_plugin.so", "libpjrt_cpu.so", "pjrt_c_api_cpu*_plugin.so"}
}

// inPython returns the pattern of this kind of plugin below Python's site-packages.
func (k Kind) inPython() string {
	if k == CUDA {
		return "jax_plugins/xla_cuda*/xla_cuda_plugin.so"
	}
	return "fastatomstruct_xla_cpu/libpjrt_cpu.so"
}

// Place is the path of a plugin and the setting or folder that led to it.
type Place struct {
	Path string // an existing file, or the one that $PHYSLIB_XLA names
	By   string // variable or folder that led to the plugin, such as $PHYSLIB_XLA or /opt/physlib
}

// Candidates returns the plugins of a kind, in order of preference:
//
//   - $PHYSLIB_XLA, a file or a folder of plugins. If it names a plugin of this kind, nothing else
//     is tried
//   - the folders of $PJRT_PLUGIN_LIBRARY_PATH
//   - $PHYSLIB_XLA_DIR, /opt/physlib, ~/.local/share/physlib
//   - Python's site-packages: those of $VIRTUAL_ENV, of the python3 on the PATH, of .venv* here and
//     in the folders above, of the user and of the system
//   - ~/.local/lib/go-xla and /usr/local/lib/go-xla, where GoMLX installs its own plugins. The one
//     for CUDA is in the folder nvidia. Older versions of GoMLX used ~/.local/lib/gomlx/pjrt
func Candidates(kind Kind) []Place {
	if p := os.Getenv("PHYSLIB_XLA"); p != "" {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			if found := inFolder(kind, p, "$PHYSLIB_XLA"); len(found) > 0 {
				return found
			}
		} else if KindOf(p) == kind {
			if abs, err := filepath.Abs(p); err == nil {
				p = abs
			}
			return []Place{{p, "$PHYSLIB_XLA"}}
		}
	}
	var places []Place
	for _, dir := range filepath.SplitList(os.Getenv("PJRT_PLUGIN_LIBRARY_PATH")) {
		places = append(places, inFolder(kind, dir, "$PJRT_PLUGIN_LIBRARY_PATH")...)
	}
	home, _ := os.UserHomeDir()
	for _, dir := range []string{os.Getenv("PHYSLIB_XLA_DIR"), "/opt/physlib", filepath.Join(home, ".local/share/physlib")} {
		places = append(places, inFolder(kind, dir, dir)...)
	}
	for _, dir := range pythonFolders(home) {
		places = append(places, glob(filepath.Join(dir, kind.inPython()), dir)...)
	}
	for _, dir := range []string{filepath.Join(home, ".local/lib/go-xla"), "/usr/local/lib/go-xla", filepath.Join(home, ".local/lib/gomlx/pjrt"), "/usr/local/lib/gomlx/pjrt"} {
		places = append(places, inFolder(kind, filepath.Join(dir, "nvidia"), dir)...)
		places = append(places, inFolder(kind, dir, dir)...)
	}
	return places
}

// pythonFolders returns glob patterns of the folders into which pip installs.
func pythonFolders(home string) []string {
	const site = "lib/python3*/site-packages"
	var dirs []string
	if env := os.Getenv("VIRTUAL_ENV"); env != "" {
		dirs = append(dirs, filepath.Join(env, site))
	}
	if python, err := exec.LookPath("python3"); err == nil {
		// The path has the form …/bin/python3.
		dirs = append(dirs, filepath.Join(filepath.Dir(filepath.Dir(python)), site))
	}
	for dir, err := os.Getwd(); err == nil; dir = filepath.Dir(dir) {
		dirs = append(dirs, filepath.Join(dir, ".venv*", site))
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return append(dirs, filepath.Join(home, ".local", site), "/usr/local/lib/python3*/site-packages",
		"/usr/local/lib/python3*/dist-packages", "/usr/lib/python3*/site-packages", "/usr/lib/python3/dist-packages")
}

func inFolder(kind Kind, dir, by string) (places []Place) {
	if dir == "" {
		return nil
	}
	for _, name := range kind.names() {
		for _, p := range glob(filepath.Join(dir, name), by) {
			if !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// glob returns the files that match a pattern in reverse order of their names, so the newest Python
// or CUDA comes first.
func glob(pattern, by string) (places []Place) {
	paths, _ := filepath.Glob(pattern)
	slices.Reverse(paths)
	for _, p := range paths {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		places = append(places, Place{p, by})
	}
	return places
}

// Find returns the path of the first of Candidates. It returns an error if there is none, or if
// that plugin does not pass Check.
func Find(kind Kind) (path string, err error) {
	places := Candidates(kind)
	if len(places) == 0 {
		return "", fmt.Errorf("no plugin was found in $PHYSLIB_XLA, $PJRT_PLUGIN_LIBRARY_PATH, /opt/physlib, ~/.local/share/physlib or Python's site-packages; get it with: %s", kind.Get())
	}
	if err := Check(places[0].Path); err != nil {
		return "", fmt.Errorf("%w (named by %s)", err, places[0].By)
	}
	return places[0].Path, nil
}

// Check returns an error of one line if a plugin file is unusable: absent, incomplete, for another
// processor, or no PJRT plugin. It does not load the file.
func Check(path string) error {
	get := "; get it with: " + KindOf(path).Get()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the plugin %s does not exist%s", path, get)
	case err != nil:
		return fmt.Errorf("the plugin %s cannot be read: %w", path, err)
	case info.IsDir():
		return fmt.Errorf("%s is a folder, not a PJRT plugin%s", path, get)
	case runtime.GOOS != "linux":
		return nil // not ELF, so only the loader can check it
	}
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%s is not a shared library or only part of one (%d bytes)%s", path, info.Size(), get)
	}
	defer f.Close()
	machine := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	if machine != 0 && f.Machine != machine {
		return fmt.Errorf("the plugin %s is for %v, this program for %s%s", path, f.Machine, runtime.GOARCH, get)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("%s is incomplete or damaged: its symbols cannot be read%s", path, get)
	}
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == "GetPjrtApi" }) {
		return fmt.Errorf("%s is a shared library but no PJRT plugin: it lacks GetPjrtApi%s", path, get)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Off+p.Filesz > uint64(info.Size()) {
			return fmt.Errorf("%s is incomplete: it has %d bytes of at least %d%s", path, info.Size(), p.Off+p.Filesz, get)
		}
	}
	return nil
}

// GPUs returns the number of NVIDIA GPUs that Linux lists as /dev/nvidia0 and so on.
func GPUs() int {
	paths, _ := filepath.Glob("/dev/nvidia[0-9]*")
	return len(paths)
}
