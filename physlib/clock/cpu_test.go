package clock_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// Computation takes processor time; waiting does not.
func TestCPU(t *testing.T) {
	before := clock.CPU()
	work(20_000_000)
	worked := clock.CPU() - before
	if worked <= 0 {
		t.Errorf("twenty million logarithms took %v", worked)
	}
	before = clock.CPU()
	time.Sleep(200 * time.Millisecond)
	if waited := clock.CPU() - before; waited > 150*time.Millisecond {
		t.Errorf("to sleep for 200 ms took %v of the processor", waited)
	}
}

func work(n int) (sum float64) {
	for i := range n {
		sum += math.Log(float64(i + 1))
	}
	return sum
}

func ExampleCPU() {
	began := clock.CPU()
	work(20_000_000)
	fmt.Println(clock.CPU() > began)
	// Output: true
}
