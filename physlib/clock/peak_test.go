package clock_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

const mebibytes = 150 // memory of the child process, in MiB

// TestMain also lets this test program run as a child process that uses memory and processor time.
func TestMain(m *testing.M) {
	if os.Getenv("PHYSLIB_TEST_CHILD") != "" {
		held := make([]byte, mebibytes<<20)
		for i := range held {
			held[i] = byte(i)
		}
		for began := clock.CPU(); clock.CPU()-began < 100*time.Millisecond; {
			work(1e6)
		}
		os.Exit(int(held[len(held)-256]))
	}
	os.Exit(m.Run())
}

func TestOfAndPeak(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "PHYSLIB_TEST_CHILD=1")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	if used := clock.Of(child.ProcessState); used < 100*time.Millisecond || used > time.Minute {
		t.Errorf("a tenth of a second took %v of the processor", used)
	}
	peak := clock.Peak(child.ProcessState)
	if peak == 0 && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not report the memory of a process")
	}
	if mib := peak >> 20; mib < mebibytes || mib > 10*mebibytes {
		t.Errorf("a process that held %d MiB has a peak of %d MiB", mebibytes, mib)
	}
}
