package column

import "testing"

func TestOneSign(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want bool
	}{{[]float64{0, 1, 2}, true}, {[]float64{0, 1, -1}, false}, {[]float64{-1, 0, -2}, true}, {[]float64{1, -1}, false}, {nil, true}} {
		if got := OneSign(c.v); got != c.want {
			t.Errorf("OneSign(%v) = %v", c.v, got)
		}
	}
}
