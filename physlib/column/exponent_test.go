package column

import (
	"math"
	"testing"
)

func TestExponent(t *testing.T) {
	for v, want := range map[float64]int{
		365: 2, -365: 2, 1000: 3, 999.9999999999999: 2, 0.001: -3, 0: 0, 5e-324: -324, math.MaxFloat64: 308,
		math.Inf(1): 0, math.NaN(): 0,
	} {
		if got := Exponent(v); got != want {
			t.Errorf("Exponent(%v) = %d, want %d", v, got, want)
		}
	}
}
