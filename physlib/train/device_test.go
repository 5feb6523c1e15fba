package train

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend/backendtest"
)

// If a device runs out of memory in the middle of a run, the error names the setting to lower and a
// complete checkpoint.
func TestFullDeviceInARun(t *testing.T) {
	dir := t.TempDir()
	s := short(9)
	s.SaveSteps = 1
	task := brokenBatch{fail: errors.New("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17.50GiB.\nallocator's diary")}
	_, err := Run(context.Background(), backendtest.Go(t), task, s, dir, nil)
	path := filepath.Join(dir, "checkpoints", stepName(3))
	if err == nil || !strings.Contains(err.Error(), "halve --batch") || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	if c, err := load(path); err != nil || c.position.Step != 3 {
		t.Errorf("%+v, %v", c.position, err)
	}
}

// late is a toy whose batches take 30 ms each to make.
type late struct{ toy }

func (l late) Batch(step int64) ([]*tensors.Tensor, error) {
	time.Sleep(30 * time.Millisecond)
	return l.toy.Batch(step)
}

// The device waits for batches that take long to make, but not for batches that are ready.
func TestWaiting(t *testing.T) {
	share := func(task Task, workers int) (last float64) {
		s := short(40)
		s.LogSteps, s.Workers = 20, workers
		if _, err := Run(context.Background(), backendtest.Go(t), task, s, t.TempDir(), func(p Progress) {
			if p.Step == 40 && p.Phase != "saved" {
				last = p.Waiting
			}
			if p.StepsPerSecond > 0 && p.Warning == "" && !strings.Contains(p.String(), " waits ") {
				t.Errorf("the line of progress does not tell: %s", p)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return last
	}
	if w := share(late{}, 1); w < 0.3 || w > 1 {
		t.Errorf("the device waits %.2f of the time for batches of 30 ms", w)
	}
	if w := share(toy{}, 2); w > 0.6 { // a generous limit, since the machine may be busy
		t.Errorf("the device waits %.2f of the time for batches that are there", w)
	}
}

// A checkpoint that cannot be read at the moment is not treated as damaged, and is not renamed.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	trained(t, toy{}, short(10), dir)
	newest := filepath.Join(dir, "checkpoints", stepName(10))
	// A folder, since root could read a file without permission.
	if err := errors.Join(os.Rename(newest, newest+".away"), os.Mkdir(newest, 0o755)); err != nil {
		t.Fatal(err)
	}
	s := short(12)
	if _, err := Run(context.Background(), backendtest.Go(t), toy{}, s, dir, nil); err == nil || !strings.Contains(err.Error(), newest) {
		t.Errorf("went on with %v", err)
	}
	if _, err := os.Stat(newest); err != nil {
		t.Error("it was put aside: ", err)
	}
}
