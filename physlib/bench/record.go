package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/lock"
)

// Record is the outcome of one law: a line of the results file.
type Record struct {
	ID         string     `json:"id"`
	Suite      string     `json:"suite"`
	Target     string     `json:"target"`
	True       string     `json:"true"`
	Found      string     `json:"found"` // empty when nothing better than a constant was found
	Variables  []Variable `json:"variables"`
	Seconds    float64    `json:"seconds"`               // wall time of the search
	CPUSeconds float64    `json:"cpu_seconds,omitempty"` // of this process in that time, on all cores; of several jobs together
	Load       float64    `json:"load,omitempty"`        // processes that wanted a core at its end, the mean of a minute; 0: unknown
	R2         *float64   `json:"r2"`                    // of the law found, on fresh data without noise; null where it has no value
	Exact      bool       `json:"exact"`                 // see the package comment
	Identical  bool       `json:"identical"`
	Front      []string   `json:"front"` // the Pareto front, by rising complexity
	FrontExact bool       `json:"front_exact"`
	SymPy      string     `json:"sympy"`                 // the law found, as SymPy reads it
	SymPyExact *bool      `json:"sympy_exact,omitempty"` // verdict of SRBench's rules; left out when not asked for or undecided
	SymPyNote  string     `json:"sympy_note,omitempty"`  // why undecided
	UnitsOK    bool       `json:"units_ok"`
	Stopped    string     `json:"stopped"` // as discover.Result
	Evals      int64      `json:"evaluations"`
	Noise      float64    `json:"noise"`
	Digits     int        `json:"digits,omitempty"`   // significant digits of the data; without it all
	Outliers   float64    `json:"outliers,omitempty"` // share of rows that are spoilt
	Fault      Fault      `json:"fault,omitempty"`    // how
	Units      bool       `json:"units"`
	Time       float64    `json:"time"`            // budget in seconds
	Clock      string     `json:"clock,omitempty"` // "cpu": of processor time
	Seed       int64      `json:"seed"`
	Rows       int        `json:"rows"`
	Version    string     `json:"version"`             // commit of this program
	Machine    string     `json:"machine,omitempty"`   // as [Machine]
	Proposer   string     `json:"proposer,omitempty"`  // who came with the chosen law first
	Proposers  []string   `json:"proposers,omitempty"` // who took part, sorted; without it the search and the genetic one
	Error      string     `json:"error,omitempty"`

	Probability float64 `json:"probability,omitempty"` // that the law has the right form, as it was reported
	Verdict     string  `json:"verdict,omitempty"`
}

// Variable is a variable of the law and its range.
type Variable struct {
	Name     string  `json:"name"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Unit     string  `json:"unit,omitempty"`
	Sampling string  `json:"sampling,omitempty"`
}

// sameRun reports whether r and o are the same law searched in the same way.
func (r Record) sameRun(o Record) bool {
	return r.ID == o.ID && r.True == o.True && r.kind() == o.kind() && r.Time == o.Time && r.Clock == o.Clock &&
		r.Seed == o.Seed && r.Rows == o.Rows && slices.Equal(r.proposers(), o.proposers())
}

func (r Record) kind() Kind { return Kind{r.Suite, r.Units, r.Noise, r.Digits, r.Outliers, r.Fault} }

func (r Record) proposers() []string {
	if r.Proposers == nil {
		return []string{discover.Genetic, discover.Search}
	}
	return r.Proposers
}

// ReadResults reads the results file name, which may be compressed by gzip. A last line without its
// end, from a killed run, is left out.
func ReadResults(name string) ([]Record, error) { return readResults[Record](name, "recovery") }

// readResults reads what `physlib bench <command> --out` has written.
func readResults[R any](name, command string) ([]R, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; name a file that physlib bench %s --out has written", name, fs.ErrNotExist, command)
	} else if err != nil {
		return nil, err
	}
	if data, err = gunzip(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var records []R
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return records, nil
		}
		data = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: line %d is no result of bench %s: %w", name, n, command, err)
		}
		records = append(records, r)
	}
}

// gunzip returns data, decompressed if it is compressed by gzip.
func gunzip(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// results is a results file of records that is being written; the zero value keeps nothing.
type results[R any] struct {
	mu     sync.Mutex
	file   *os.File
	unlock func()
}

// openResults opens name to append to it, and returns its records. Without a name there is no file.
// Until it is closed no other process opens it, since both would do the same work.
func openResults[R any](name, command string) (*results[R], []R, error) {
	if name == "" {
		return &results[R]{}, nil, nil
	}
	if strings.HasSuffix(name, ".gz") {
		return nil, nil, fmt.Errorf("results: %s is compressed, and lines cannot be appended; gunzip it, or name another file with --out", name)
	}
	unlock, err := lockResults(name)
	if err != nil {
		return nil, nil, err
	}
	old, err := readResults[R](name, command)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		unlock()
		return nil, nil, fmt.Errorf("results: %w", err)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("results: %w", err)
	}
	if err := cutToLastLine(f); err != nil {
		unlock()
		f.Close()
		return nil, nil, fmt.Errorf("results: %s: %w", name, err)
	}
	return &results[R]{file: f, unlock: unlock}, old, nil
}

// lockResults locks the results file name by a hidden file alongside it, which stays.
func lockResults(name string) (unlock func(), err error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return func() {}, nil // a pipe or a terminal
	}
	unlock, err = lock.Try(filepath.Join(filepath.Dir(name), ".physlib-lock-"+filepath.Base(name)))
	switch {
	case errors.Is(err, lock.ErrHeld):
		return nil, fmt.Errorf("results: another physlib bench writes %s; wait for it, or name another file with --out", name)
	case err != nil:
		return nil, fmt.Errorf("results: %w", err)
	}
	return unlock, nil
}

// cutToLastLine removes what follows the last end of a line, and sets the position of f to its end.
func cutToLastLine(f *os.File) error {
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(data, '\n') + 1)
	if end < int64(len(data)) {
		if err := f.Truncate(end); err != nil {
			return err
		}
	}
	_, err = f.Seek(end, io.SeekStart)
	return err
}

// add appends r as one line, in one write.
func (s *results[R]) add(r R) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// Close closes the file and lets other processes open it.
func (s *results[R]) Close() error {
	if s.file == nil {
		return nil
	}
	defer s.unlock()
	return s.file.Close()
}

// UnknownVersion is the [Version] of a program built with -buildvcs=false outside of a checkout.
const UnknownVersion = "unknown"

// Version returns the commit of this program, with -dirty when files differ from it. The build's
// stamp comes first, then git in the working directory, then [UnknownVersion].
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if commit := set["vcs.revision"]; commit != "" {
			if set["vcs.modified"] == "true" {
				return commit[:min(12, len(commit))] + "-dirty"
			}
			return commit[:min(12, len(commit))]
		}
	}
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").Output()
	if err != nil {
		return UnknownVersion
	}
	return strings.TrimSpace(string(out))
}

// Machine describes where a record was made, such as "linux/amd64, 2 cores": the cores are those
// that Go programs may use at a time.
func Machine() string {
	cores := "cores"
	if runtime.GOMAXPROCS(0) == 1 {
		cores = "core"
	}
	return fmt.Sprintf("%s/%s, %d %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), cores)
}
