package timing

import (
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// spent holds the elapsed time and the processor time of all cores, in seconds. Processor time is
// less affected by other work on the machine.
type spent struct{ wall, cpu float64 }

var never = spent{math.Inf(1), math.Inf(1)}

func (a spent) min(b spent) spent { return spent{min(a.wall, b.wall), min(a.cpu, b.cpu)} }

// timed runs f and returns its times in this process.
func timed(f func() error) (spent, error) {
	wall, cpu := time.Now(), clock.CPU()
	err := f()
	return spent{time.Since(wall).Seconds(), (clock.CPU() - cpu).Seconds()}, err
}

// resident returns an amount of memory of the process in bytes: with the key "VmRSS:" the present
// memory, and with "VmHWM:" the peak since the last reset. It returns 0 if Linux does not report
// it. If reset is true, the peak is reset first.
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

// Cost is the cost of a computation: elapsed time and processor time in seconds, and peak memory in
// bytes, in addition to the memory in use before.
type Cost struct{ Wall, CPU, Memory float64 }

// Measure runs f once to warm up and then reps times. It returns the smallest times and the largest
// memory.
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
