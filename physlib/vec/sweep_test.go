package vec

import (
	"math"
	"os"
	"strconv"
	"testing"
)

// TestSweep32 tests every n-th float32 argument, where n is the value of PHYSLIB_SWEEP. With n = 1
// it tests all arguments, which takes minutes.
func TestSweep32(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PHYSLIB_SWEEP"))
	if n <= 0 {
		n = 1 << 14
	}
	const rows = 1 << 12
	a, dst := make([]float32, rows), make([]float32, rows)
	set := Best32()
	for _, f := range []Unary{Exp, Log, Sin, Cos} {
		bound, _ := f.Bound()
		worst, at := 0.0, float32(0)
		for first := uint64(0); first < 1<<32; first += rows * uint64(n) {
			for i := range a {
				a[i] = math.Float32frombits(uint32(first + uint64(i*n)))
			}
			set.Unary[f](dst, a)
			for i, x := range a {
				want := limits[f](float64(x))
				w := float32(want)
				if dst[i] == w || w != w && dst[i] != dst[i] {
					continue
				}
				_, e := math.Frexp(want)
				if u := math.Abs(float64(dst[i])-want) / math.Ldexp(1, max(e-24, -149)); !(u <= worst) {
					worst, at = u, x
				}
			}
		}
		if t.Logf("%v: %.3f ulp, at %v", f, worst, at); !(worst <= bound) {
			t.Errorf("%s %v: %.3f ulp at %v, bound %v", set.Name, f, worst, at, bound)
		}
	}
}
