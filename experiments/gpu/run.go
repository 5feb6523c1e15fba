package gpu

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/lock"
)

// RunCmd is the command line of `physlib gpu run`.
type RunCmd struct {
	Out     string        `required:"" placeholder:"DIR" help:"Folder of the results, a JSON file for each stage; stages whose file is there are not run again."`
	Stages  []string      `name:"stage" placeholder:"NAME" help:"Only the stages with this name, or whose names begin with it; default: all. --list names them."`
	Tiny    bool          `help:"Tiny networks and series, for a trial on a processor."`
	Backend string        `placeholder:"NAME" help:"xla:cuda, xla:cpu, go or xla:PATH (default: xla:cuda, with --tiny auto)."`
	Time    time.Duration `placeholder:"25m" help:"Time for all stages; training uses what is left of it (default: each stage has its own limit)."`
	Bring   string        `placeholder:"DIR" help:"After each stage, copy the results into this folder: gpu.jsonl, weights, the state of training in files of at most 15 MiB."`
	State   string        `placeholder:"DIR" help:"Folder with the state files of an earlier machine, from which training continues."`
	Preset  string        `default:"physdiffuse-medium" placeholder:"NAME" help:"What the last stage trains: a preset, or the path of a YAML file."`
	Again   bool          `help:"Run stages again that have a result."`
	List    bool          `help:"Print the stages and their limits, and end."`
}

// Help returns the text that --help shows below the flags.
func (*RunCmd) Help() string {
	return `An interrupted run loses only its current stage; the same command repeats this stage and continues.
Examples:

    physlib gpu run --out trial --tiny --backend xla:cpu
    physlib gpu run --out results --time 25m --bring home`
}

// outcome is the content of a stage's JSON file.
type outcome struct {
	Stage   string          `json:"stage"`
	Began   time.Time       `json:"began"`
	Seconds float64         `json:"seconds"` // time of the whole process, including compilation
	Tiny    bool            `json:"tiny,omitempty"`
	Program string          `json:"program"`
	Backend string          `json:"backend"`
	GPU     bool            `json:"gpu"`    // whether the stage ran on a GPU
	Device  string          `json:"device"` // name of the device
	Driver  string          `json:"driver"`
	Plugin  string          `json:"plugin"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// Run runs the stages. If some failed, it returns an error at the end.
func (c *RunCmd) Run(ctx context.Context) error {
	if c.List {
		for _, s := range stages {
			fmt.Fprintf(screen.Out, "%-20s %-5s %s\n", s.name, s.limit, s.about)
		}
		return nil
	}
	chosen, err := c.choose()
	if err != nil {
		return err
	}
	if c.Backend == "" {
		c.Backend = "xla:cuda"
		if c.Tiny {
			c.Backend = "auto"
		}
	}
	// The backend is opened here once, so that anything missing is reported before the first stage.
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	b.Finalize()
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	if c.Bring != "" {
		if err := os.MkdirAll(c.Bring, 0o755); err != nil {
			return err
		}
	}
	unlock, err := lock.Try(filepath.Join(c.Out, "lock"))
	if err != nil {
		return fmt.Errorf("%w; wait for it, or take another folder", err)
	}
	defer unlock()
	fmt.Fprintln(screen.Err, "backend", used)
	failed, err := c.stages(ctx, chosen, used)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return exit{130, fmt.Errorf("interrupted; the same command continues in %s", c.Out)}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d stages failed: %s; their logs are in %s; the same command tries them again",
			len(failed), len(chosen), strings.Join(failed, ", "), c.Out)
	}
	return nil
}

// stages runs the chosen stages one after the other, until ctx ends or the time is over. It returns
// the names of the stages that failed.
func (c *RunCmd) stages(ctx context.Context, chosen []stage, used string) (failed []string, err error) {
	began := time.Now()
	for n, s := range chosen {
		if ctx.Err() != nil {
			break
		}
		if c.done(s, onGPU(used)) {
			fmt.Fprintf(screen.Err, "%-20s done before\n", s.name)
			continue
		}
		if left := c.Time - time.Since(began); c.Time > 0 && left < least(s) {
			fmt.Fprintf(screen.Out, "time is over before %s; the same command continues in %s\n", s.name, c.Out)
			break
		}
		fmt.Fprintf(screen.Err, "%-20s ", s.name)
		o := c.one(ctx, s, used, c.left(s, began))
		switch {
		case ctx.Err() != nil:
			fmt.Fprintln(screen.Err, "interrupted")
			// Training keeps its checkpoints, and other stages may have partial results.
			if s.name != trainStage && o.Result == nil {
				continue
			}
		case o.Error != "":
			fmt.Fprintf(screen.Err, "failed after %.1f s: %s\n", o.Seconds, o.Error)
			failed = append(failed, s.name)
		default:
			fmt.Fprintf(screen.Err, "%.1f s  (%d of %d)\n", o.Seconds, n+1, len(chosen))
		}
		if err := write(c.file(s), o); err != nil {
			return failed, err
		}
		if c.Bring != "" {
			if err := c.bring(); err != nil {
				return failed, err
			}
		}
	}
	return failed, nil
}

// done reports whether a stage already has a result from this kind of machine, GPU or processor.
// Training is never done if there is time to continue it.
func (c *RunCmd) done(s stage, gpu bool) bool {
	old, err := outfile.ReadJSON[outcome](c.file(s))
	return err == nil && old.Error == "" && old.Tiny == c.Tiny && old.GPU == gpu && !c.Again && !(s.name == trainStage && c.Time > 0)
}

// least returns the shortest time for which starting a stage is worthwhile.
func least(s stage) time.Duration {
	if s.name == trainStage {
		return time.Minute
	}
	return 20 * time.Second
}

// onGPU reports whether the description of a backend is that of an NVIDIA GPU.
func onGPU(used string) bool { return strings.HasPrefix(used, "xla:cuda") }

// choose returns the stages selected by --stage, or all.
func (c *RunCmd) choose() ([]stage, error) {
	if len(c.Stages) == 0 {
		return stages, nil
	}
	var chosen []stage
	for _, name := range c.Stages {
		found := slices.DeleteFunc(slices.Clone(stages), func(s stage) bool { return !strings.HasPrefix(s.name, name) })
		if len(found) == 0 {
			return nil, exit{2, fmt.Errorf("--stage %s: no stage has a name that begins so; physlib gpu run --list --out x lists the stages", name)}
		}
		chosen = append(chosen, found...)
	}
	return chosen, nil
}

// file returns the path of a stage's JSON file.
func (c *RunCmd) file(s stage) string { return filepath.Join(c.Out, s.name+".json") }

// left returns the time that remains for a stage.
func (c *RunCmd) left(s stage, began time.Time) time.Duration {
	if c.Time == 0 {
		return s.limit
	}
	left := c.Time - time.Since(began)
	if s.name == trainStage {
		return left
	}
	return min(s.limit, left)
}

// one runs a stage in a separate process.
func (c *RunCmd) one(ctx context.Context, s stage, used string, limit time.Duration) outcome {
	o := outcome{Stage: s.name, Began: time.Now().UTC().Round(time.Second), Tiny: c.Tiny, Program: version.String(), Backend: used}
	if _, path, ok := strings.Cut(used, "("); ok {
		o.Plugin = backend.Package(strings.TrimSuffix(path, ")"))
	}
	if o.GPU = onGPU(used); o.GPU {
		o.Driver, o.Device = backend.Driver(), smi("name")
	}
	start := time.Now() // more precise than o.Began, which is rounded
	result, err := c.child(ctx, s, limit)
	o.Seconds = time.Since(start).Seconds()
	o.Result = result
	if err != nil {
		o.Error = strings.Join(strings.Fields(err.Error()), " ")
	}
	return o
}

// child runs a stage in a process and returns its result, which is the last line of its standard
// output. If there is an error, the result holds the measurements before it, if any.
func (c *RunCmd) child(ctx context.Context, s stage, limit time.Duration) (json.RawMessage, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bounded, stop := context.WithTimeout(ctx, limit)
	defer stop()
	args := []string{"gpu", "stage", s.name, "--out", c.Out, "--backend", c.Backend, "--preset", c.Preset, "--limit", limit.String()}
	if c.Tiny {
		args = append(args, "--tiny")
	}
	if c.State != "" {
		args = append(args, "--state", c.State)
	}
	p := exec.CommandContext(bounded, self, args...)
	p.Cancel = func() error { return p.Process.Signal(os.Interrupt) }
	p.WaitDelay = 15 * time.Second // time for saving
	log, err := os.Create(filepath.Join(c.Out, s.name+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.Stderr = log
	out, err := p.Output()
	out = result(out)
	if err == nil && out == nil {
		err = errors.New("it printed no result")
	}
	switch {
	case err == nil:
		return out, nil
	case bounded.Err() != nil && ctx.Err() == nil:
		err = fmt.Errorf("not done within %s", limit)
	}
	return out, fmt.Errorf("%w: %s", err, lastLine(log.Name()))
}

// result returns the last line of a stage's output if it is valid JSON, else nil. Lines before it
// may come from libraries.
func result(out []byte) json.RawMessage {
	out = bytes.TrimSpace(out)
	out = out[bytes.LastIndexByte(out, '\n')+1:]
	if !json.Valid(out) {
		return nil
	}
	return out
}

// lastLine returns the last error of physlib in a log, or the last line if there is none.
func lastLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, l := range slices.Backward(lines) {
		// Lines with this beginning are errors that main printed. Other lines come from the
		// device's libraries.
		if strings.HasPrefix(l, "physlib: ") {
			return strings.TrimPrefix(l, "physlib: ")
		}
	}
	return lines[len(lines)-1]
}

// write writes the JSON file of a stage atomically.
func write(path string, o outcome) error {
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	return outfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// bring copies the results of all stages into one file in the folder of --bring. It copies weights
// and state into the same folder.
func (c *RunCmd) bring() error {
	err := outfile.Replace(filepath.Join(c.Bring, "gpu.jsonl"), func(w io.Writer) error {
		out := json.NewEncoder(w)
		for _, s := range stages {
			o, err := outfile.ReadJSON[outcome](c.file(s))
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err := errors.Join(err, out.Encode(o)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, pattern := range []string{"weights.safetensors", "state.*"} {
		files, _ := filepath.Glob(filepath.Join(c.Out, pattern))
		for _, f := range files {
			if err := outfile.Replace(filepath.Join(c.Bring, filepath.Base(f)), func(w io.Writer) error {
				from, err := os.Open(f)
				if err != nil {
					return err
				}
				defer from.Close()
				_, err = io.Copy(w, from)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
