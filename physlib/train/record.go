package train

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gomlx/compute"
)

// record is the content of run.json. It describes how a run was made.
type record struct {
	Task        string            `json:"task"`
	Commit      string            `json:"commit"`
	Dirty       bool              `json:"dirty"`
	CommandLine []string          `json:"command_line"`
	Settings    map[string]any    `json:"settings"` // settings with readable durations
	Config      json.RawMessage   `json:"config"`
	Backend     string            `json:"backend"`
	Device      string            `json:"device"`
	Host        string            `json:"host"`
	CPUs        int               `json:"cpus"`
	Go          string            `json:"go"`
	Modules     map[string]string `json:"modules"`
	Parameters  int               `json:"parameters"`
	Sessions    []session         `json:"sessions"`
}

// session is one process that worked on the run.
type session struct {
	Began       time.Time          `json:"began"`
	FromStep    int64              `json:"from_step"`
	Step        int64              `json:"step"`
	WallSeconds float64            `json:"wall_seconds"`
	CPUSeconds  float64            `json:"cpu_seconds"`
	End         string             `json:"end"` // "running", "finished", "interrupted" or an error
	Loss        float64            `json:"loss"`
	Validation  map[string]float64 `json:"validation,omitempty"`
}

// newRecord returns a record of this process, with the sessions of an earlier record at path.
func newRecord(path string, task Task, config json.RawMessage, s Settings, backend compute.Backend) record {
	r := record{}
	if data, err := os.ReadFile(path); err == nil {
		json.Unmarshal(data, &r) // a damaged record is replaced
	}
	sessions := r.Sessions
	r = record{Task: task.Name(), CommandLine: os.Args, Settings: s.readable(), Config: config, Backend: backend.Name(),
		Device: backend.Description(), CPUs: runtime.NumCPU(), Go: runtime.Version(), Modules: map[string]string{}, Sessions: sessions}
	r.Host, _ = os.Hostname()
	r.Commit, r.Dirty = commit()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if strings.HasPrefix(m.Path, "github.com/gomlx/") {
				r.Modules[m.Path] = m.Version
			}
		}
	}
	return r
}

// commit returns the commit from which the program was built, and whether its files were modified.
// They come from the build information, or else from the work tree of the source.
func commit() (id string, dirty bool) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				id = s.Value
			case "vcs.modified":
				dirty = s.Value == "true"
			}
		}
	}
	_, source, _, ok := runtime.Caller(0)
	if id != "" || !ok {
		return id, dirty
	}
	git := func(args ...string) string {
		c := exec.Command("git", args...)
		c.Dir = filepath.Dir(source)
		out, _ := c.Output() // without git or a work tree the commit is unknown
		return strings.TrimSpace(string(out))
	}
	return git("rev-parse", "HEAD"), git("status", "--porcelain", "--untracked-files=no") != ""
}

func (r record) save(dir string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return folder{path: dir}.write(filepath.Join(dir, "run.json"), bytesOf(append(data, '\n')))
}
