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

// Record is the result for one law: a line of the results file.
type Record struct {
	ID        string     `json:"id"`
	Suite     string     `json:"suite"`
	Target    string     `json:"target"`
	True      string     `json:"true"`
	Found     string     `json:"found"` // empty if nothing better than a constant was found
	Variables []Variable `json:"variables"`
	Seconds   float64    `json:"seconds"` // wall time of the search
	// CPUSeconds is the processor time of this process during the search. If several jobs run, it
	// includes theirs.
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	// Number of runnable processes at the end, averaged over a minute; 0: unknown.
	Load float64 `json:"load,omitempty"`
	// R² of the law on fresh data without noise; null if the law has no value at some point.
	R2 *float64 `json:"r2"`
	// Whether the law equals the truth up to free constants, see the package comment.
	Exact      bool     `json:"exact"`
	Identical  bool     `json:"identical"`
	Front      []string `json:"front"` // laws of Result.Front, in ascending order of complexity
	FrontExact bool     `json:"front_exact"`
	SymPy      string   `json:"sympy"` // the law found, in the notation of SymPy
	// Verdict of SRBench's rules; absent if not requested or undecided.
	SymPyExact *bool   `json:"sympy_exact,omitempty"`
	SymPyNote  string  `json:"sympy_note,omitempty"` // reason why the verdict of SymPy is undecided
	UnitsOK    bool    `json:"units_ok"`
	Stopped    string  `json:"stopped"` // why the search ended, see discover.Result
	Evals      int64   `json:"evaluations"`
	Noise      float64 `json:"noise"`
	Digits     int     `json:"digits,omitempty"`   // significant digits of the data; absent: all
	Outliers   float64 `json:"outliers,omitempty"` // share of rows with an error, see Fault
	Fault      Fault   `json:"fault,omitempty"`    // kind of the errors in these rows
	Units      bool    `json:"units"`
	Time       float64 `json:"time"`            // limit in seconds
	Clock      string  `json:"clock,omitempty"` // "cpu": Time is processor time
	Seed       int64   `json:"seed"`
	Rows       int     `json:"rows"`
	Version    string  `json:"version"`           // commit of this program
	Machine    string  `json:"machine,omitempty"` // see [Machine]
	// The Proposer that first proposed the chosen law.
	Proposer string `json:"proposer,omitempty"`
	// Sorted names of the Proposers; absent: search and genetic.
	Proposers []string `json:"proposers,omitempty"`
	Error     string   `json:"error,omitempty"`

	// Stated probability that the law has the right form.
	Probability float64 `json:"probability,omitempty"`
	Verdict     string  `json:"verdict,omitempty"`
}

// Variable is a variable of a law and its range.
type Variable struct {
	Name     string  `json:"name"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Unit     string  `json:"unit,omitempty"`
	Sampling string  `json:"sampling,omitempty"`
}

// sameRun reports whether r and o are results for the same law, searched with the same settings.
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

// ReadResults reads the results file called name, which may be compressed by gzip. It ignores a
// last line without a line end, which a killed run may leave.
func ReadResults(name string) ([]Record, error) { return readResults[Record](name, "recovery") }

// readResults reads a results file that `physlib bench <command> --out` wrote.
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

// gunzip returns data, decompressed if it is in gzip format.
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

// results is an open results file, to which records are appended. The zero value discards records.
type results[R any] struct {
	mu     sync.Mutex
	file   *os.File
	unlock func()
}

// openResults opens the results file called name for appending, and returns its records. An empty
// name means no file. Until Close no other process can open the file, since a second process would
// repeat the same searches.
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

// lockResults locks the results file called name. The lock is a hidden file next to it, which is
// not removed.
func lockResults(name string) (unlock func(), err error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return func() {}, nil // a pipe or terminal is not locked
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

// cutToLastLine removes an incomplete last line, and moves the position of f to the end.
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

// Close closes the file and unlocks it for other processes.
func (s *results[R]) Close() error {
	if s.file == nil {
		return nil
	}
	defer s.unlock()
	return s.file.Close()
}

// UnknownVersion is the [Version] of a program that was built with -buildvcs=false and runs outside
// a checkout.
const UnknownVersion = "unknown"

// Version returns the commit of this program, with -dirty if its files differ from the commit. It
// takes the commit from the build information, else from git in the working directory. Without
// either it is [UnknownVersion].
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

// Machine describes the machine of a record, such as "linux/amd64, 2 cores". The number of cores is
// how many Go programs may use at a time.
func Machine() string {
	cores := "cores"
	if runtime.GOMAXPROCS(0) == 1 {
		cores = "core"
	}
	return fmt.Sprintf("%s/%s, %d %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), cores)
}
