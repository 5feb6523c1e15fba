package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/lock"
)

// short returns settings of runs that take milliseconds.
func short(steps int64) Settings {
	return Settings{Steps: steps, Warmup: 3, LR: 0.02, EMA: 0.9, LogSteps: 4, SaveSteps: 5, Seed: 7}
}

// trained trains task in dir and returns the result. The test fails if there is an error.
func trained(t *testing.T, task Task, s Settings, dir string) Result {
	t.Helper()
	r, err := Run(context.Background(), backendtest.Go(t), task, s, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fails trains task in dir and expects an error that contains every text in says.
func fails(t *testing.T, task Task, s Settings, dir string, says ...string) {
	t.Helper()
	_, err := Run(context.Background(), backendtest.Go(t), task, s, dir, nil)
	if err == nil {
		t.Errorf("no error that says %q", says)
		return
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error of several lines: %q", err)
	}
}

func checkpoints(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		names = append(names, filepath.Base(path))
	}
	return names
}

// TestChild is the process that TestKilled kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("PHYSLIB_TRAIN_CHILD")
	if dir == "" {
		t.Skip("run by TestKilled")
	}
	s := short(400)
	s.SaveSteps = 3
	r := trained(t, toy{Seed: 5, Drop: 0.1}, s, dir)
	if !r.Finished {
		t.Fatal("not finished")
	}
}

// A run that is killed repeatedly at random moments ends with the same tensors and metrics as an
// uninterrupted run.
func TestKilled(t *testing.T) {
	whole, killed := t.TempDir(), t.TempDir()
	s := short(400)
	trained(t, toy{Seed: 5, Drop: 0.1}, s, whole)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	kills := 0
	for {
		child := exec.Command(os.Args[0], "-test.run=^TestChild$")
		child.Env = append(os.Environ(), "PHYSLIB_TRAIN_CHILD="+killed)
		var out bytes.Buffer
		child.Stdout, child.Stderr = &out, &out
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		wait := time.Duration(rng.IntN(400)) * time.Millisecond
		if kills >= 8 {
			wait = time.Minute
		}
		timer := time.AfterFunc(wait, func() { child.Process.Kill() })
		err := child.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			t.Fatalf("after %d kills the run fails: %s", kills, out.String())
		}
		if kills++; kills > 10 {
			t.Fatalf("not finished after %d kills: %s", kills, out.String())
		}
	}
	t.Logf("killed %d times", kills)
	a, b := state(t, whole), state(t, killed)
	sameTensors(t, a, b)
	sameMetrics(t, whole, killed)
	for _, name := range checkpoints(t, killed) {
		if strings.HasSuffix(name, ".part") {
			t.Errorf("%s was left", name)
		}
	}
}

func sameMetrics(t *testing.T, a, b string) {
	t.Helper()
	x, err := readTable(filepath.Join(a, "metrics.csv"))
	if err != nil {
		t.Fatal(err)
	}
	y, err := readTable(filepath.Join(b, "metrics.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"step", "lr", "loss", "grad_norm", "mae"} {
		if !slices.Equal(x[c], y[c]) || len(x[c]) == 0 {
			t.Errorf("column %s: %v and %v", c, x[c], y[c])
		}
	}
}

func TestTornCheckpoints(t *testing.T) {
	whole, torn := t.TempDir(), t.TempDir()
	trained(t, toy{Seed: 2}, short(20), whole)
	// With the schedule wsd, a run that is extended from 12 to 20 steps continues from the state
	// before the decay.
	trained(t, toy{Seed: 2}, short(12), torn)
	newest := filepath.Join(torn, "checkpoints", stepName(12))
	data, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []struct {
		name, says string
		data       []byte
	}{
		{"cut", "it ends", data[:len(data)-100]},
		{"cut in the header", "within its header", data[:100]},
		{"empty", "too few", nil},
		{"flipped", "checksum is wrong", flip(data, len(data)-5)},
		{"flipped in the header", "cannot be used", flip(data, bytes.Index(data, []byte("seconds"))+12)},
		{"text", "not the length of a header", []byte("this is not a checkpoint")},
	} {
		if err := os.WriteFile(newest, damage.data, 0o644); err != nil {
			t.Fatal(err)
		}
		var warned string
		s := short(12)
		r, err := Run(context.Background(), backendtest.Go(t), toy{Seed: 2}, s, torn, func(p Progress) { warned += p.Warning })
		if err != nil || !r.Finished || r.Step != 12 {
			t.Errorf("%s: %+v, %v", damage.name, r, err)
		}
		if !strings.Contains(warned, damage.says) || !strings.Contains(warned, newest) || !strings.Contains(warned, stepName(10)) {
			t.Errorf("%s: warning %q", damage.name, warned)
		}
	}
	trained(t, toy{Seed: 2}, short(20), torn)
	sameTensors(t, state(t, whole), state(t, torn))
	sameMetrics(t, whole, torn)

	names, _ := filepath.Glob(filepath.Join(torn, "checkpoints", "step-*"))
	for _, name := range names {
		if err := os.WriteFile(name, data[:50], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Run(context.Background(), backendtest.Go(t), toy{Seed: 2}, short(20), torn, nil)
	if err == nil || !strings.Contains(err.Error(), "none of 3 checkpoints is whole") {
		t.Errorf("all torn: %v", err)
	}
}

func flip(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}

func TestForeignCheckpoints(t *testing.T) {
	dir := t.TempDir()
	trained(t, toy{Seed: 2}, short(10), dir)
	path := filepath.Join(dir, "checkpoints", stepName(10))
	fails(t, toy{Seed: 3}, short(20), dir, path, "seed = 2, now it is 3", "another folder")
	fails(t, toy{Seed: 2, Hidden: 12}, short(20), dir, "hidden = 0, now it is 12")
	fails(t, slope{}, short(20), dir, `task "toy", not "slope"`)
	other := short(20)
	other.LR = 0.5
	fails(t, toy{Seed: 2}, other, dir, "lr = 0.02, now it is 0.5")
	other = short(20)
	other.Schedule = Constant
	fails(t, toy{Seed: 2}, other, dir, "decay = 0.2, now it is null")

	exported := filepath.Join(dir, "weights.safetensors")
	if err := Export(path, exported, false); err != nil {
		t.Fatal(err)
	}
	weights, err := os.ReadFile(exported)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(weights); err == nil || !strings.Contains(err.Error(), "not a checkpoint of a training run") {
		t.Errorf("weights as a checkpoint: %v", err)
	}
	if err := Export(exported, exported+"2", false); err == nil || !strings.Contains(err.Error(), exported) {
		t.Errorf("export of weights: %v", err)
	}
}

// A checkpoint with the same configuration but other tensors is an error. This happens if the
// program has changed.
func TestOtherTensors(t *testing.T) {
	dir := t.TempDir()
	s := short(10)
	s.Schedule = Constant
	trained(t, toy{Seed: 2}, s, dir)
	c := state(t, dir)
	s.Steps = 30
	for says, edit := range map[string]func(c *checkpoint){
		"has no":                        func(c *checkpoint) { c.tensors = c.tensors[1:] },
		"which this task does not have": func(c *checkpoint) { c.tensors[0].Name = "surplus" },
		"in this task": func(c *checkpoint) {
			c.tensors[0].Shape.Dimensions = append(slices.Clone(c.tensors[0].Shape.Dimensions), 1)
		},
	} {
		d := c
		d.tensors = slices.Clone(c.tensors)
		edit(&d)
		if err := (folder{path: filepath.Join(dir, "checkpoints")}).save(d, stepName(11)); err != nil {
			t.Fatal(err)
		}
		fails(t, toy{Seed: 2}, s, dir, says)
	}
}

// brokenWriter acts as a disk that is full after a number of bytes.
type brokenWriter struct {
	*os.File
	left *int
}

func (w brokenWriter) Write(p []byte) (int, error) {
	if *w.left -= len(p); *w.left < 0 {
		return 0, &os.PathError{Op: "write", Path: w.Name(), Err: syscall.ENOSPC}
	}
	return w.File.Write(p)
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	trained(t, toy{}, short(10), dir)
	c := state(t, dir)
	before := checkpoints(t, dir)
	for _, left := range []int{0, 100, 3000} {
		f := folder{path: filepath.Join(dir, "checkpoints"), open: func(name string) (writer, error) {
			file, err := os.Create(name)
			return brokenWriter{file, &left}, err
		}}
		err := f.save(c, stepName(11))
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(), stepName(11)) {
			t.Errorf("full disk: %v", err)
		}
		if after := checkpoints(t, dir); !slices.Equal(before, after) {
			t.Errorf("before %v, after %v", before, after)
		}
	}
	sameTensors(t, c, state(t, dir))
}

func TestNotFinite(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		for _, accumulate := range []int{1, 2} {
			if accumulate > 1 && b != backendtest.Go(t) {
				break // compiling takes seconds
			}
			dir := t.TempDir()
			s := short(20)
			s.Accumulate = accumulate
			task := toy{Seed: 2, Poison: int64(13*accumulate + accumulate - 1)}
			_, err := Run(context.Background(), b, task, s, dir, nil)
			if err == nil {
				t.Fatal("NaN passed")
			}
			for _, says := range []string{"step 13", "batch " + strconv.FormatInt(task.Poison, 10), "seed 7", stepName(10), "lower learning rate"} {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q does not say %q", err, says)
				}
			}
			c := state(t, dir)
			if c.position.Step != 10 {
				t.Errorf("newest checkpoint is of step %d", c.position.Step)
			}
			for _, x := range c.tensors {
				if strings.HasSuffix(x.Name, "w") && slices.ContainsFunc(floats(x.Data), math.IsNaN) {
					t.Errorf("%s holds NaN", x.Name)
				}
			}
		}
	})
}

// A step whose gradient has NaN leaves every variable unchanged.
func TestNotFiniteChangesNothing(t *testing.T) {
	task := toy{Seed: 2, Poison: 4}
	st, err := newStepper(backendtest.Go(t), task, short(20).withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	f := newFeed(context.Background(), backendtest.Go(t), nil, task, 1, 1)
	defer f.close()
	first, err := f.next()
	if err != nil {
		t.Fatal(err)
	}
	if err := st.prepare(first); err != nil {
		t.Fatal(err)
	}
	for i := range int64(2) { // the two batches are numbers 2 and 3
		if _, err := st.step(i, 0.1, f.next); err != nil {
			t.Fatal(err)
		}
	}
	before := snapshot(t, st)
	var n notFinite
	if _, err := st.step(2, 0.1, f.next); !errors.As(err, &n) {
		t.Fatal(err)
	}
	sameTensors(t, before, snapshot(t, st))
}

// Two processes cannot train in the same folder.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lock.Try(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	fails(t, toy{}, short(5), dir, "another process")
	unlock()
	trained(t, toy{}, short(5), dir)
}

func TestDifference(t *testing.T) {
	for _, c := range [][4]string{
		{`{"a":{"b":1,"c":[1,2]}}`, `{"a":{"b":1,"c":[1,3]}}`, "a.c", "[1,3]"},
		{`{"a":1}`, `{"a":1,"b":2}`, "b", "2"},
		{`{"a":1e3}`, `{"a":1e3}`, "", ""},
		{`1`, `2`, "(whole)", "2"},
		{`{"a":{}}`, `{"a":{}}`, "", ""},
	} {
		where, _, now := difference("", decoded(json.RawMessage(c[0])), decoded(json.RawMessage(c[1])))
		if where != c[2] || now != c[3] {
			t.Errorf("%s, %s: %q, %q", c[0], c[1], where, now)
		}
	}
}
