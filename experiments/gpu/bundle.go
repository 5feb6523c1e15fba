package gpu

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/elf"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/cmd/version"
)

// BundleCmd is the command line of `physlib gpu bundle`.
type BundleCmd struct {
	Out     string `required:"" placeholder:"DIR" help:"Folder of the bundle."`
	Program string `placeholder:"FILE" help:"The program to take, 'self' for this one (default: build it from the source here)."`
}

// largest is the largest size of a bundle in bytes.
const largest = 60 << 20

// runScript starts the measurements on the machine with the GPU.
//
//go:embed run.sh
var runScript []byte

// readme is the README of a bundle.
//
//go:embed README.md
var readme []byte

// manifest is the content of manifest.json in a bundle.
type manifest struct {
	Made    time.Time         `json:"made"`
	Program string            `json:"program"` // version of the program
	Commit  string            `json:"commit"`
	GLibC   string            `json:"glibc"` // oldest version with which the program runs
	Files   map[string]string `json:"sha256"`
}

// Run creates the bundle.
func (c *BundleCmd) Run(ctx context.Context) error {
	if !backend.HasXLA {
		return errors.New("this program was built without XLA, and so would be the bundle's; build it with CGO_ENABLED=1 and a C compiler")
	}
	if err := os.MkdirAll(filepath.Join(c.Out, "configs"), 0o755); err != nil {
		return err
	}
	program, err := c.program(ctx)
	if err != nil {
		return err
	}
	if c.Program == "" {
		defer os.Remove(program)
	}
	m := manifest{Made: time.Now().UTC().Round(time.Second), Program: version.String(), Commit: commit(ctx), Files: map[string]string{}}
	if m.GLibC, err = needsGLibC(program); err != nil {
		return err
	}
	b := bundle{dir: c.Out, sums: m.Files}
	b.put("physlib.gz", 0o644, func(w io.Writer) error { return compress(w, program) })
	b.put("run.sh", 0o755, plain(runScript))
	b.put("README.md", 0o644, plain(readme))
	// The program contains the presets. These copies can be edited and named by their path.
	for _, dir := range []string{"physlib/system/presets", "physlib/pdr/presets"} {
		files, _ := filepath.Glob(filepath.Join(source(ctx), dir, "*.yaml"))
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			b.put(filepath.Join("configs", filepath.Base(f)), 0o644, plain(text))
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	size := b.size
	b.put("manifest.json", 0o644, plain(append(text, '\n')))
	if b.err != nil {
		return b.err
	}
	if size > largest {
		return fmt.Errorf("%s has %.1f MiB, more than the %d MiB that can be carried", c.Out, float64(size)/(1<<20), largest>>20)
	}
	fmt.Fprintf(screen.Out, "%s: %.1f MiB, for Linux on x86-64 with glibc %s or later; start it with sh %s/run.sh DIR\n", c.Out, float64(size)/(1<<20), m.GLibC, c.Out)
	return nil
}

// bundle writes files into a folder. After the first error it writes no more files.
type bundle struct {
	dir  string
	sums map[string]string // SHA-256 by name
	size int64             // bytes of all files
	err  error             // the first error
}

// put writes a file of the bundle, unless there was an error before.
func (b *bundle) put(name string, mode os.FileMode, content func(io.Writer) error) {
	if b.err != nil {
		return
	}
	path, sum, size := filepath.Join(b.dir, name), sha256.New(), counter(0)
	if b.err = outfile.Replace(path, func(w io.Writer) error { return content(io.MultiWriter(w, sum, &size)) }); b.err != nil {
		return
	}
	b.sums[name] = hex.EncodeToString(sum.Sum(nil))
	b.size += int64(size)
	b.err = os.Chmod(path, mode)
}

// plain returns a function that writes data, for put.
func plain(data []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(data); return err }
}

// counter is a writer that counts bytes.
type counter int64

// Write adds the length of p.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// compress writes a file to w as gzip.
func compress(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = io.Copy(z, f)
	return errors.Join(err, z.Close())
}

// program returns the path of the program for the bundle. It builds the program if --program is "".
func (c *BundleCmd) program(ctx context.Context) (string, error) {
	switch c.Program {
	case "self":
		return os.Executable()
	case "":
	default:
		return c.Program, nil
	}
	root := source(ctx)
	if root == "" {
		return "", errors.New("the source is not here, or Go is not: start this in the folder of physlib's source, or take a program with --program")
	}
	out := filepath.Join(os.TempDir(), fmt.Sprintf("physlib-bundle-%d", os.Getpid()))
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, "./physlib/cmd/physlib")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux", "GOARCH=amd64", "GOEXPERIMENT=simd", "GOTOOLCHAIN=auto")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, text)
	}
	return out, nil
}

// source returns the folder of physlib's source, or "" if it is unknown.
func source(ctx context.Context) string {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/physlib/lab").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(root))
}

// commit returns the commit of the source, with -dirty if files have changed since. It is "" if
// unknown.
func commit(ctx context.Context) string {
	id, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	changed, _ := exec.CommandContext(ctx, "git", "status", "--porcelain", "--untracked-files=no").Output()
	name := strings.TrimSpace(string(id))
	if len(changed) == 0 {
		return name
	} else {
		return name + "-dirty"
	}
}

// needsGLibC returns the oldest version of glibc with which a program runs. This is the newest
// version among those of the symbols that the program imports.
func needsGLibC(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", fmt.Errorf("%s is not a program for Linux: %w", program, err)
	}
	defer f.Close()
	if f.Machine != elf.EM_X86_64 {
		return "", fmt.Errorf("%s is for %v, the GPU's machine is x86-64", program, f.Machine)
	}
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	newest := []int{2, 2, 5}
	for _, s := range symbols {
		text, ok := strings.CutPrefix(s.Version, "GLIBC_")
		if !ok {
			continue
		}
		var v []int
		for _, part := range strings.Split(text, ".") {
			n, _ := strconv.Atoi(part)
			v = append(v, n)
		}
		if slices.Compare(v, newest) > 0 {
			newest = v
		}
	}
	var parts []string
	for _, n := range newest {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, "."), nil
}
