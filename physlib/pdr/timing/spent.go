package timing

import (
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// spent is seconds that passed, and seconds of all cores that were used, which other work on the
// machine changes less.
type spent struct{ wall, cpu float64 }

var never = spent{math.Inf(1), math.Inf(1)}

func (a spent) min(b spent) spent { return spent{min(a.wall, b.wall), min(a.cpu, b.cpu)} }

// timed returns what f takes in this process.
func timed(f func() error) (spent, error) {
	wall, cpu := time.Now(), clock.CPU()
	err := f()
	return spent{time.Since(wall).Seconds(), (clock.CPU() - cpu).Seconds()}, err
}

// resident returns the process's memory now (VmRSS:) or at most since the last reset (VmHWM:), in
// bytes; 0 where Linux does not say.
func resident(key string, reset bool) float64 {
	if reset {
		os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets VmHWM
	}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == key {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib * 1024
		}
	}
	return 0
}

// Cost is what a computation takes: seconds by the wall clock, of all cores, and bytes of memory
// beyond what was there.
type Cost struct{ Wall, CPU, Memory float64 }

// Measure does f once, to warm up, and then reps times, of which the fastest counts, and the
// largest for memory.
func Measure(reps int, f func() error) (Cost, error) {
	if err := f(); err != nil {
		return Cost{}, err
	}
	best := never
	memory := 0.0
	for range reps {
		before := resident("VmRSS:", true)
		took, err := timed(f)
		if err != nil {
			return Cost{}, err
		}
		best, memory = best.min(took), max(memory, resident("VmHWM:", false)-before)
	}
	return Cost{best.wall, best.cpu, memory}, nil
}
