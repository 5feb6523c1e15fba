package lock_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/lock"
)

// TestMain also serves as another process. If the environment variable PHYSLIB_TEST_LOCK holds a
// path, the test program locks this path until its standard input ends.
func TestMain(m *testing.M) {
	if path := os.Getenv("PHYSLIB_TEST_LOCK"); path != "" {
		_, err := lock.Try(path)
		fmt.Println("locked", err)
		bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// holder starts another process that holds a lock on path.
func holder(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PHYSLIB_TEST_LOCK="+path)
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Skip("no second process: ", err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "locked <nil>") {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return c
}

// If a process is killed, its lock is released.
func TestOtherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	other := holder(t, path)
	if _, err := lock.Try(path); !errors.Is(err, lock.ErrHeld) || !strings.Contains(err.Error(), path) {
		t.Fatalf("beside another process: %v", err)
	}
	if _, err := lock.Wait(path, 100*time.Millisecond); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("waited in vain: %v", err)
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		other.Process.Kill()
		other.Wait()
	}()
	unlock, err := lock.Wait(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Try(path); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("twice: %v", err)
	}
	unlock()
	if unlock, err = lock.Try(path); err != nil {
		t.Error(err)
	} else {
		unlock()
	}
}

func TestNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "lock")
	for _, try := range []func() (func(), error){
		func() (func(), error) { return lock.Try(path) },
		// Wait returns at once if the folder does not exist.
		func() (func(), error) { return lock.Wait(path, time.Hour) },
	} {
		if _, err := try(); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}

func ExampleTry() {
	dir, err := os.MkdirTemp("", "lock")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	unlock, err := lock.Try(filepath.Join(dir, "lock"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer unlock()
	_, err = lock.Try(filepath.Join(dir, "lock"))
	fmt.Println(errors.Is(err, lock.ErrHeld))
	// Output: true
}
