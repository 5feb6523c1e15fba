package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/physlib/lab/physlib/nn/safetensors"
)

// checkpoint is the state of a run after a number of steps.
type checkpoint struct {
	task     string
	config   json.RawMessage // result of Task.Config
	settings Settings
	position position
	tensors  []safetensors.Tensor
}

// format identifies the file format of checkpoints and its version.
const format = "physlib-train-1"

// encode writes c to w as one safetensors file. All data except the tensors are in its metadata.
func (c checkpoint) encode(w io.Writer) error {
	settings, err := json.Marshal(c.settings)
	if err != nil {
		return err
	}
	state, err := json.Marshal(c.position)
	if err != nil {
		return err
	}
	file := safetensors.File{Tensors: c.tensors, Metadata: map[string]string{
		"format": format, "task": c.task, "config": string(c.config), "settings": string(settings), "position": string(state),
	}}
	return safetensors.WriteSealed(w, file)
}

// decode is the inverse of encode. It checks everything that can be checked without the task.
func decode(data []byte) (checkpoint, error) {
	file, err := safetensors.ParseFormat(data, format, errors.New("it holds weights but is not a checkpoint of a training run"))
	if err != nil {
		return checkpoint{}, err
	}
	meta := file.Metadata
	c := checkpoint{task: meta["task"], config: json.RawMessage(meta["config"]), tensors: file.Tensors}
	if err := json.Unmarshal([]byte(meta["settings"]), &c.settings); err != nil {
		return checkpoint{}, fmt.Errorf("its settings: %w", err)
	}
	if err := json.Unmarshal([]byte(meta["position"]), &c.position); err != nil {
		return checkpoint{}, fmt.Errorf("its position: %w", err)
	}
	return c, nil
}

// fits returns nil if a run of task with these settings may continue from c. Otherwise it returns
// an error that names the first difference. If anySettings is true, different settings are allowed.
func (c checkpoint) fits(task string, config json.RawMessage, s Settings, anySettings bool) error {
	if c.task != task {
		return fmt.Errorf("it is of the task %q, not %q", c.task, task)
	}
	if key, old, now := difference("", decoded(c.config), decoded(config)); key != "" {
		return fmt.Errorf("its configuration has %s = %s, now it is %s", key, old, now)
	}
	if anySettings {
		return nil
	}
	was, is := jsonOf(c.settings.withDefaults().trajectory()), jsonOf(s.trajectory())
	if key, old, now := difference("", decoded(was), decoded(is)); key != "" {
		return fmt.Errorf("its settings have %s = %s, now it is %s", key, old, now)
	}
	return nil
}

func jsonOf(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // cannot happen: these are maps of plain values
	}
	return text
}

func decoded(text json.RawMessage) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// difference returns the first key at which two decoded JSON values differ, and both values as
// JSON. The key has dots between levels. If the values are equal, the key is "".
func difference(key string, a, b any) (where, old, now string) {
	x, isMap := a.(map[string]any)
	y, both := b.(map[string]any)
	if !isMap || !both {
		if old, now = string(jsonOf(a)), string(jsonOf(b)); old != now {
			if key == "" {
				key = "(whole)"
			}
			return key, old, now
		}
		return "", "", ""
	}
	var names []string
	for _, m := range []map[string]any{x, y} {
		for name := range m {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if where, old, now = difference(strings.TrimPrefix(key+"."+name, "."), x[name], y[name]); where != "" {
			return where, old, now
		}
	}
	return "", "", ""
}

// folder is a folder of checkpoints.
type folder struct {
	path string
	open func(name string) (writer, error) // creates a file; nil: os.Create
}

// writer is a file being written.
type writer interface {
	io.WriteCloser
	Sync() error
}

const (
	bestName   = "best.ckpt"
	stableName = "stable.ckpt"
)

func stepName(step int64) string { return fmt.Sprintf("step-%08d.ckpt", step) }

// save writes c to the file name atomically: it writes another file, syncs it to disk and renames
// it. So the file name is always a complete checkpoint.
func (f folder) save(c checkpoint, name string) error {
	path := filepath.Join(f.path, name)
	if err := f.write(path, c.encode); err != nil {
		return fmt.Errorf("checkpoint %s was not saved: %w", path, err)
	}
	return nil
}

// write writes the file path atomically, with content.
func (f folder) write(path string, content func(io.Writer) error) (err error) {
	create := f.open
	if create == nil {
		create = func(name string) (writer, error) { return os.Create(name) }
	}
	part := path + ".part"
	file, err := create(part)
	if err != nil {
		return err
	}
	err = content(file)
	if err == nil {
		err = file.Sync()
	}
	closed := file.Close()
	if err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return fmt.Errorf("%w; free some space and run the same command again, the older checkpoints are whole", err)
		}
		return err
	}
	return f.sync()
}

// bytesOf returns a function that writes data, for use as the content argument of write.
func bytesOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// sync makes renames in the folder durable.
func (f folder) sync() error {
	d, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems cannot sync folders.
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// link gives the checkpoint name the additional name second, and replaces a file that had it.
func (f folder) link(name, second string) error {
	from, part, to := filepath.Join(f.path, name), filepath.Join(f.path, second+".part"), filepath.Join(f.path, second)
	os.Remove(part)
	if err := os.Link(from, part); err != nil { // the file system may not have hard links
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return f.write(to, bytesOf(data))
	}
	if err := os.Rename(part, to); err != nil {
		return err
	}
	os.Remove(part) // if both names are the same file, Rename does not remove part
	return f.sync()
}

// load reads the checkpoint at path.
func load(path string) (checkpoint, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return checkpoint{}, err
	}
	c, err := decode(data)
	if err != nil {
		return checkpoint{}, fmt.Errorf("checkpoint %s cannot be used: %w", path, err)
	}
	return c, nil
}

// steps returns the file names of the numbered checkpoints, newest first.
func (f folder) steps() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(f.path, "step-*.ckpt"))
	if err != nil {
		return nil, err
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, nil
}

// newest returns the newest valid checkpoint and its file name, or "" if there is none. Newer files
// that are invalid are renamed, so that they end in .torn. broken holds their errors.
func (f folder) newest() (c checkpoint, name string, broken []error, err error) {
	names, err := f.steps()
	if err != nil {
		return c, "", nil, err
	}
	for i, name := range names {
		c, err := load(filepath.Join(f.path, name))
		if err == nil {
			for _, torn := range names[:i] {
				if err := os.Rename(filepath.Join(f.path, torn), filepath.Join(f.path, torn+".torn")); err != nil {
					return c, "", nil, err
				}
			}
			return c, name, broken, nil
		}
		// An error while reading does not mean that the content is damaged, so the file is kept.
		if unread := new(fs.PathError); errors.As(err, &unread) {
			return c, "", nil, fmt.Errorf("checkpoint: %w; solve this and run the same command again", err)
		}
		broken = append(broken, err)
	}
	if len(broken) > 0 {
		return c, "", nil, fmt.Errorf("none of %d checkpoints is whole; remove %s to begin anew: %w", len(names), f.path, errors.Join(broken...))
	}
	return c, "", nil, nil
}

// prune removes all but the newest keep checkpoints, and partial files of a killed process.
func (f folder) prune(keep int) error {
	names, err := f.steps()
	if err != nil {
		return err
	}
	parts, _ := filepath.Glob(filepath.Join(f.path, "*.part"))
	for _, p := range parts {
		os.Remove(p)
	}
	for _, name := range names[min(keep, len(names)):] {
		if err := os.Remove(filepath.Join(f.path, name)); err != nil {
			return err
		}
	}
	return nil
}
